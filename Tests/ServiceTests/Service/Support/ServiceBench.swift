import Foundation
import Testing

@testable import HTTP
@testable import PolicyEngine
@testable import Service
@testable import TestSupport

/// A service without a socket, at a time that a test says.
struct ServiceBench {
    var service: StandIn
    /// The time of the system's clock.
    var time: Instant
    let key: String

    /// The manual's device.
    static let device = "qZka0yfv+ExvOq3PRh6pGw=="

    /// - Parameters:
    ///   - account: Its account, as YAML.
    ///   - keys: The JSON Web Keys of its key set.
    ///   - time: When it starts.
    init(
        _ account: String = "account: my-account\narc: on\napis: [{domain: my.api.io}]\n", keys: [TokenKey] = [],
        clock: ServiceClock = .system, at time: String = "2020-12-09T15:31:02Z",
        _ edit: (inout StandIn.Settings) -> Void = { _ in }
    ) throws {
        var account = try AccountText.account(account)
        for key in keys { try account.keys.keySet.append(key) }
        var settings = StandIn.Settings(account: account)
        edit(&settings)
        self.time = try #require(Instant(rfc3339: time))
        service = StandIn(settings, clock: clock, at: self.time)
        key = account.apiKey.text
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - line: Method and target, such as `POST /attest?domain=my.api.io`.
    ///   - headers: Headers besides the API key's.
    ///   - isAuthorized: True if it shows the API key.
    mutating func send(
        _ line: String, _ body: String = "", headers: [String: String] = [:], isAuthorized: Bool = true
    ) -> HTTPAnswer {
        service.answer(request(line, Array(body.utf8), headers: headers, isAuthorized: isAuthorized), at: time)
    }

    /// A request as a server would hand it over.
    func request(
        _ line: String, _ body: [UInt8], headers: [String: String], isAuthorized: Bool = true
    ) -> HTTPRequest {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let parts = words[1].split(separator: "?", maxSplits: 1).map(String.init)
        var request = HTTPRequest(method: words[0], path: parts[0])
        for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
            let field = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            request.query.append(.init(field[0], field.count > 1 ? field[1] : ""))
        }
        if isAuthorized { request.headers.append(.init("Authorization", "Bearer \(key)")) }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { request.headers.append(.init(name, value)) }
        request.body = body
        return request
    }

    /// A record of a device with some flags, as JSON.
    static func record(_ flags: String = "", device: String = device, _ more: String = "") -> String {
        #"{"device-id":"\#(device)","public-flags":"\#(flags)","ip":"1.2.3.4"\#(more)}"#
    }

    /// Lets a device attest.
    mutating func attest(_ flags: String = "", device: String = device, query: String = "") throws -> Attested {
        let answer = send("POST /attest\(query)", Self.record(flags, device: device))
        expect(answer.status, equals: 200, "\(answer.text)")
        return try Attested(answer)
    }

    /// The answer of `POST /attest`.
    struct Attested {
        let token: String
        let decision: [String: Any]

        init(_ answer: HTTPAnswer) throws {
            let object = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
            token = try #require(object?["token"] as? String)
            decision = try #require(object?["decision"] as? [String: Any])
        }

        var verdict: String { decision["verdict"] as? String ?? "" }
        var code: String { decision["arc"] as? String ?? "" }
    }
}

extension HTTPAnswer {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }

    /// A member of the body, where that is a JSON object and the member is text.
    func member(_ name: String) -> String? {
        (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])?[name] as? String
    }
}

/// A service that keeps what happens in a file.
enum StateBench {
    private static let account = """
        account: a
        arc: on
        propagation: 0s
        apis: [{domain: my.api.io}]
        filters: [{name: blocked, key: ip, match: 6.6.6.6, ban: true}]

        """

    /// A service that continues from a file.
    static func bench(
        _ path: String, origin: String = "as it is", clock: ServiceClock = .system,
        at time: String = "2020-12-09T15:31:02Z"
    ) throws -> ServiceBench {
        var bench = try ServiceBench(account, at: time)
        let state = try StateFile(path: path, origin: origin)
        bench.service = try StandIn(bench.service.settings, clock: clock, at: bench.time, state: state)
        return bench
    }

    /// Lets a ban by a filter, a new flag, an entry, an outage, a chain and a report happen.
    static func happen(_ bench: inout ServiceBench) throws {
        let banned = #"{"device-id":"\#(ServiceBench.device)","ip":"6.6.6.6"}"#
        expect(bench.send("POST /attest", banned).status, equals: 200)
        let token = try bench.attest("a-flag-of-nobody", device: "h4gubfCFzJu81j/U2BJsdg==").token
        let headers = ["Approov-Token": token, "Report-Message": "odd"]
        expect(bench.send("PUT /token-info/", headers: headers).status, equals: 200)
        let entry = #"["device","-add","AAAAAAAAAAAAAAAAAAAAAA==","-label","x"]"#
        expect(bench.send("POST /approov", entry).status, equals: 200)
        expect(bench.send("PUT /backends", #"{"my.api.io":["LEAF","CA"]}"#).status, equals: 200)
        bench.time = bench.time + 1
        expect(bench.send("PUT /outage", #"{"primary":true}"#).status, equals: 200)
        bench.time = bench.time + 60
        _ = try bench.attest(device: "DoYouReadThisText01234==")
        expect(bench.send("PUT /outage", #"{"primary":false}"#).status, equals: 200)
    }

    /// The answers to questions that everybody can ask.
    static func seen(_ bench: inout ServiceBench) -> [String] {
        [
            bench.send("GET /metrics").text, bench.send("GET /outage").text, bench.send("GET /backends").text,
            bench.send("POST /approov", #"["device","-getInfo","new-did"]"#).text,
            bench.send("POST /approov", #"["device","-list"]"#).text,
            bench.send("POST /approov", #"["device","-getFetches","timed"]"#).text,
            bench.send("POST /approov", #"["token","-reports"]"#).text,
            bench.send("POST /approov", #"["device","-getDeviceState","\#(ServiceBench.device)"]"#).text,
            bench.send("GET /.well-known/jwks.json").text,
        ]
    }
}

/// SQLite as another program has it.
enum SQLiteProgram {
    /// Carries out statements on a file, which is for its owner alone then.
    static func run(_ statements: String, on path: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        let program =
            "import sqlite3, sys; sqlite3.connect(sys.argv[1], isolation_level=None).executescript(sys.argv[2])"
        process.arguments = ["-c", program, path, statements]
        try process.run()
        process.waitUntilExit()
        expect(process.terminationStatus, equals: 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
}
