internal import Accounts
internal import CLibrary
internal import Documents
internal import HTTP
internal import PolicyEngine
internal import Scenarios
internal import Service

/// `scenario serve`: a stand-in for the service of an account, for tests of backends (R23).
extension Command {
    static let serve = Command(
        "serve", "Answer as the service of an account, for tests of backends.",
        options: [
            account, portOption, listenOption, hostOption, stateOption, clockOption, populationOption, logOption,
            describeOption, Options.allowOutside,
        ],
        discussion: """
            Without --account it is the service of a new account in memory, and says so. It prints its URL and runs
            until you press Ctrl-C. It answers arc-info, token-info and healthcheck as the service does; also `POST
            /attest`, which decides on a device that a test describes and makes its token, `GET
            /.well-known/jwks.json`, `GET /metrics`, `PUT /outage`, `PUT /backends`, `POST /clock`, and `POST
            /approov` for management commands. `--describe` prints all of it.

            Everybody who can reach it gets valid tokens of the account. Therefore it listens on this machine only,
            unless `--listen` names another address, and the account should have keys for tests. On this machine it
            answers only requests for `localhost`, an address of this machine or an allowed NAME, so that no page in
            a browser can use it.

            Management commands change the answers, and not FILE. With `--state`, all that was answered is kept even
            if the process is killed; a state belongs to the account in FILE.
            """,
        examples: [
            "scenario serve --account test.yaml --port 8080": "The service of the account, at http://127.0.0.1:8080.",
            "scenario serve --account test.yaml --clock 2020-07-23T00:00:00Z --population phones.yaml":
                "A service with a virtual clock, and with devices that tests name by their group.",
        ],
        takesSettings: true, answer: answer)

    private static let account = Options.account.described(
        as: "The account of the service; without one, that of a new account in memory.")
    private static let portOption = Option(
        "--port", "Listen at port N; by default 0, which takes one that is free.",
        .integer("N", in: 0...UInt16.max, usually: 0))
    private static let listenOption = Option(
        "--listen", "Listen at the address of another network interface than 127.0.0.1, such as ::1 or 0.0.0.0.",
        .text("ADDRESS"))
    private static let hostOption = Option(
        "--host",
        "Answer also requests for the host NAME, such as that of a proxy; by default only names of this machine.",
        .texts("NAME"))
    private static let stateOption = Option(
        "--state", "Keep the state in FILE, and continue from it; by default nothing is kept.", .file(.writes))
    private static let clockOption = Option(
        "--clock",
        "Take the time from the system, or begin at INSTANT and let `POST /clock` move it; by default system.",
        .text("system|INSTANT", words: .words(["system"])))
    private static let populationOption = Option(
        "--population", "Let `POST /attest` name the devices of the scenario in FILE by their group.", .file(.reads))
    private static let logOption = Option(
        "--log",
        "Add a line of JSON to FILE for each request: time, method, path and status, and nothing that is secret.",
        .file(.writes))
    private static let describeOption = Option(
        "--describe", "Print the requests and answers as OpenAPI 3.1, and do not serve.")

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        if call[describeOption] {
            call.console.output(ServiceDescription.openAPI(version: ToolVersion.current))
            return .success
        }
        let path = call.arguments.files(of: account).first { $0 != "-" }
        if path == nil, call.isSet(stateOption) { throw .missingAccount }
        let (clock, hosts) = (try clock(call.arguments), try hosts(call.arguments))
        var population: PopulationRecords?
        let account: Account = try call.reading { diagnostics in
            defer { population = Self.population(call.arguments, &diagnostics) }
            return served(call.arguments, &diagnostics)
        }
        if !call.isSet(Self.account) { call.console.show(warning: newWarning) }
        if let path, account.keys.apiKey == nil { call.console.show(.derivedAPIKey(in: path)) }
        var settings = StandIn.Settings(account: account)
        (settings.population, settings.version) = (population, ToolVersion.current)
        let storage = call[stateOption].map { SharedService.Storage(path: $0, origin: origin(of: path ?? "")) }
        let service = try call.attempt(in: storage?.path ?? serve.name) { () throws(StateFailure) in
            try SharedService(settings, clock: clock, at: .present, storage: storage)
        }
        var log: RequestLog?
        if let path = call[logOption] {
            log = try call.attempt(in: path) { () throws(FileFailure) in try RequestLog(path: path) }
        }
        return try listen(service, as: hosts, to: log, call)
    }

    // The account that is named, or a new one with a domain for tokens.
    private static func served(_ arguments: ParsedArguments, _ diagnostics: inout Diagnostics) -> Account? {
        guard !arguments.isSet(account) else {
            return AccountOptions.account(arguments, &diagnostics)
        }
        let text = "account: test\napis: [{domain: \(newDomain)}]\n"
        let document = YAMLParser.parse(bytes: Array(text.utf8), path: serve.name, as: .account)
        return AccountLoader.load(document, diagnostics: &diagnostics)
    }

    private static let newDomain = "api.example.com"

    private static let newWarning =
        "there is no `--account`: this is the service of a new account `test` in memory, with the API domain `\(newDomain)` and "
        + "with keys that everybody can derive"

    private static func hosts(_ arguments: ParsedArguments) throws(CommandFailure) -> [String] {
        let hosts = arguments.words(of: hostOption)
        if let wrong = hosts.first(where: { !HTTPServer.isHostName($0) }) {
            throw .usage(
                "`\(hostOption.name)` takes the name of a host, not \(wrong.asTyped)",
                hint: "such as `api.test`, without a port")
        }
        return hosts
    }

    private static func clock(_ arguments: ParsedArguments) throws(CommandFailure) -> ServiceClock {
        guard let text = arguments[clockOption], text != "system" else { return .system }
        if let time = Instant(rfc3339: text) { return .virtual(time) }
        throw .usage(
            "`\(clockOption.name)` takes `system` or an instant such as `2020-07-23T00:00:00Z`, not \(text.asTyped)"
        )
    }

    // `nil` where none is asked for, and after noting an error.
    private static func population(
        _ arguments: ParsedArguments, _ diagnostics: inout Diagnostics
    ) -> PopulationRecords? {
        guard let path = arguments[populationOption] else { return nil }
        let boundary = arguments[Options.allowOutside] ? .anywhere : FileBoundary(namedBy: []).adding(folderOf: path)
        // Only the population is wanted, and so nothing need be expected of it.
        let scenario = ScenarioLoader.load(path: path, isChecked: false, within: boundary, diagnostics: &diagnostics)
        guard let scenario else { return nil }
        return diagnostics.attempt(in: path) { () throws(GenerationFailure) in try PopulationRecords(scenario) }
    }

    // The digests of the files that decisions depend on: the account file, and the files that it names.
    private static func origin(of path: String) -> String {
        ([path] + NamedFiles.ofAccount(at: path)).map { FileDigest(path: $0)?.text ?? "" }.joined(separator: " ")
    }

    private static func listen(
        _ service: SharedService, as hosts: [String], to log: RequestLog?, _ call: CommandCall
    ) throws(CommandFailure) -> ExitStatus {
        let signals = EndingSignals()
        let address = call[listenOption] ?? "127.0.0.1"
        if !HTTPServer.isPrivate(address) { call.console.show(warning: publicWarning) }
        var limits = HTTPServer.Limits()
        limits.threads = call.arguments.jobs
        let server = try call.attempt(in: listenOption.name) { () throws(ListeningFailure) in
            try HTTPServer(address: address, port: call[portOption], hosts: hosts, limits: limits) { request in
                let answer = service.answer(request, at: .present)
                log?.note(request, answer, at: .present)
                return answer
            }
        }
        call.console.output("listening on \(server.url)\n")
        signals.wait()
        server.stop()
        return .success
    }

    private static let publicWarning =
        "everybody who can reach this address gets valid tokens of the account; use it in test networks only"
}

extension CommandFailure {
    fileprivate static var missingAccount: CommandFailure {
        .usage("`--state` needs `--account FILE`", hint: "a state belongs to the account in a file")
    }
}

extension Diagnostic {
    fileprivate static func derivedAPIKey(in path: String) -> Diagnostic {
        Diagnostic(
            severity: .warning, file: path,
            message: "the API key is derived from the account's name, so it is not secret",
            hint: "`api-key` of the key file gives another; `token -showArcInfoCurl` shows it")
    }
}

extension Instant {
    // The time of the clock: a service answers now.
    fileprivate static var present: Instant { Instant(secondsSinceEpoch: time(nil)) }
}

/// The file to which a service adds a line for each request.
final class RequestLog: Sendable {
    private let file: LogFile

    /// Opens the file, which is made if it is not there; `-` is standard output.
    init(path: String) throws(FileFailure) {
        file = try LogFile(path: path)
    }

    /// Adds a request: headers, parameters and bodies are left out, since they hold keys and tokens.
    func note(_ request: HTTPRequest, _ answer: HTTPAnswer, at time: Instant) {
        file.add(
            JSONValue.ordered([
                ("time", .string("\(time)")), ("method", .string(request.method)), ("path", .string(request.path)),
                ("status", .integer(answer.status)),
            ]).line)
    }
}
