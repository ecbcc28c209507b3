internal import Accounts
internal import Documents
internal import HTTP
internal import PolicyEngine
internal import Scenarios
internal import Service
internal import Synchronization

@testable import TestSupport

/// Requests that a service answers over a socket, and keeps; another service that continues from there must be the same.
///
/// The bytes are requests in the form of HTTP, with a line of `%%%` between two; lines may end without a carriage return. Headers
/// that nearly every request needs are added where they are missing: those of ``usualHeaders``, and the length.
enum ServiceGoesOn {
    private static let separator = Array("\n%%%\n".utf8)
    private static let requests = 8

    /// Sends the requests, each on a connection of its own, and compares the answers of two services afterwards.
    static func feed(_ bytes: [UInt8]) {
        for name in ["state", "state-wal", "state-shm", "state-journal"] { FuzzFolder.remove(name) }
        serving.withLock { $0 = service() }
        for request in bytes.split(separator: separator, maxSplits: requests).prefix(requests) { send(request) }
        let before = answers()
        // The file is closed before it is opened again.
        serving.withLock { $0 = nil }
        serving.withLock { $0 = service() }
        DifferentialTarget.compare(before, answers(), ("the service", "the service that continues"))
        serving.withLock { $0 = nil }
    }

    // MARK: Requests

    private static func send(_ request: ArraySlice<UInt8>) {
        let parts = request.split(separator: Array("\n\n".utf8), maxSplits: 1, omittingEmptySubsequences: false)
        let body = parts.count > 1 ? parts[1] : []
        var head = parts[0].split(separator: UInt8(ascii: "\n")).map(Array.init)
        let names = Set(
            head.map { line in
                String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
            })
        for (name, value) in usualHeaders where !names.contains(name.lowercased()) {
            head.append(Array("\(name): \(value)".utf8))
        }
        if names.isDisjoint(with: ["content-length", "transfer-encoding"]) {
            head.append(Array("Content-Length: \(body.count)".utf8))
        }
        // The first try may be interrupted: libFuzzer looks at its clock by signals.
        guard let client = (try? RawClient(url, resets: true)) ?? (try? RawClient(url, resets: true)) else {
            fatalError("the service cannot be reached")
        }
        client.write(Array(head.joined(separator: newline)) + newline + newline + body)
        // An end that comes together with the request is seen only when the connection has idled for long.
        if !client.hasAnswer(within: 10) { client.finish() }
        _ = client.readAll()
    }

    private static let newline: [UInt8] = [0x0D, 0x0A]
    private static let usualHeaders = [
        ("Host", "a"), ("Connection", "close"), ("Authorization", "Bearer \(settings.account.apiKey.text)"),
    ]

    // MARK: Services

    // The service that answers on the socket.
    private static let serving = Mutex<SharedService?>(nil)

    private static func service() -> SharedService {
        let storage = SharedService.Storage(path: FuzzFolder.path("state"), origin: "fuzzed")
        do throws(StateFailure) {
            return try SharedService(settings, clock: .virtual(start), at: start, storage: storage)
        } catch {
            fatalError("no service continues: \(error)")
        }
    }

    private static func answer(_ request: HTTPRequest) -> HTTPAnswer {
        guard let service = serving.withLock(\.self) else { fatalError("a request without a service") }
        return service.answer(request, at: start)
    }

    // The answers that depend on earlier requests. No command is answered in an outage of the primary service, so it ends.
    private static func answers() -> [String] {
        var end = HTTPRequest(method: "PUT", path: "/outage")
        end.body = Array(#"{"primary":false}"#.utf8)
        let reads = ["/metrics", "/.well-known/jwks.json", "/backends"].map { HTTPRequest(method: "GET", path: $0) }
        return (reads + [end] + commands.map(command)).map { String(decoding: answer($0).body, as: UTF8.self) }
    }

    private static let commands = [
        "policy -get", "device -list", "device -getInfo new-did", "device -getFetches timed",
        "device -getDeviceState h4gubfCFzJu81j/U2BJsdg==", "filter -list", "api -list",
        "pin -list -api api.example.com",
        "registration -list", "keyset -list", "secret -get base64 -plain", "users -list", "monitoring -get",
        "token -reports",
    ]

    private static func command(_ line: String) -> HTTPRequest {
        var request = HTTPRequest(method: "POST", path: "/approov")
        request.headers = usualHeaders.map { .init($0.0, $0.1) }
        request.body = Array("[\(line.split(separator: " ").map { "\"\($0)\"" }.joined(separator: ","))]".utf8)
        return request
    }

    // Listens as long as the process lives.
    private static let server: Mutex<HTTPServer> = {
        var limits = HTTPServer.Limits()
        limits.idleSeconds = 1
        do throws(ListeningFailure) {
            return Mutex(try HTTPServer(address: "127.0.0.1", port: 0, hosts: ["a"], limits: limits, answer: answer))
        } catch {
            fatalError("no server: \(error)")
        }
    }()
    private static let url = server.withLock(\.url)

    private static let start = Instant(secondsSinceEpoch: 1_595_462_400)

    private static let settings: StandIn.Settings = {
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.load(
            YAMLParser.parse(bytes: Array(text.utf8), path: "s.yaml", as: .scenario), isChecked: false,
            diagnostics: &diagnostics)
        guard let account = scenario?.onlyAccount, let population = scenario.flatMap({ try? PopulationRecords($0) })
        else {
            preconditionFailure("\(diagnostics.all.map(\.rendered))")
        }
        var settings = StandIn.Settings(account: account)
        settings.population = population
        return settings
    }()

    // Something for every request, and devices that have names.
    private static let text = """
        scenario: Requests
        account:
          account: fuzzed
          arc: on
          policy: default,default,risk
          propagation: 0s
          apis: [{domain: api.example.com}, {domain: keys.example.com, type: keyset}]
          filters:
            - {name: banned, key: ip, match: 6.6.6.6, ban: true}
            - {name: phone, key: device, regex: 'Android 8|iPhone', risky: true}
        devices:
          normal: {count: 2, os: android}
          rooted: {os: android, flags: [rooted]}

        """
}
