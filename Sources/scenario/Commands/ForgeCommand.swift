internal import Accounts
internal import Documents
internal import PolicyEngine

/// `scenario forge`: tokens for the tests of a backend.
extension Command {
    static let forge = Command(
        "forge", "Write valid and forged tokens to files, for the tests of a backend.",
        .words("DOMAIN", "The API domain whose backend is tested.", completing: .unknown),
        options: [account, Options.instant, lifetimeOption, dataOption, folderOption],
        discussion: """
            The folder contains a file for each token, named after what is wrong with it, and manifest.json. That lists
            each file with one sentence on it, and the answer that a correct backend gives: 200, or 401 for a wrong token.

            The account, its key file and these options decide about the tokens: equal calls write equal files. Only
            ES and PS keys draw their signatures. Some of the tokens are valid, so only you can read the folder.
            """,
        examples: [
            "scenario forge api.example.com --account test.yaml --at now --output tokens":
                "Tokens for the next hour.",
            "scenario forge api.example.com --account test.yaml --at 2026-01-01T00:00:00Z --lifetime 10y --output tokens":
                "Tokens that tests can use for ten years.",
        ],
        takesSettings: true, answer: answer)

    private static let account = Options.account.described(
        as: "The account that issues the valid tokens; required. Its key file has the secret.")
    private static let lifetimeOption = Option(
        "--lifetime", "Let valid tokens expire DURATION after --at, by default 1h.",
        .duration(least: 1, usually: 3600))
    private static let dataOption = Option(
        "--data", "Bind the tokens to DATA, as setDataHashInToken does in an app.", .text("DATA"))
    private static let folderOption = Option(
        "--output", letter: "o", "Write the files into the folder DIR, which must not exist yet.", .text("DIR"),
        in: .output)

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        guard let path = call[account] else { throw .missing(account, hint: "the account that issues the tokens") }
        guard let folder = call[folderOption] else { throw .missing(folderOption, hint: "the folder to write") }
        guard let time = try call.arguments.instant() else {
            throw .missing(Options.instant, hint: "the time of the tokens, such as `now`")
        }
        let account = try call.reading { AccountOptions.account(call.arguments, &$0) }
        let (typed, data, lifetime) = (call.operands[0], call[dataOption], call[lifetimeOption])
        let domain = APIDomain.name(in: typed) ?? typed
        let forger = try call.attempt(in: path) { () throws(TokenIssueError) in
            try TokenForger(account: account, domain: domain, at: time, lifetime: lifetime, boundTo: data)
        }
        if let warning = SecretTopic.warning(onDerived: forger.key, of: account) {
            call.console.show(Diagnostic(severity: .warning, file: path, message: warning))
        }
        let tokens = forger.tokens()
        let manifest = TokenManifest(
            account: account.name, domain: domain, algorithm: forger.key.algorithm, time: time, data: data,
            tokens: tokens)
        try call.attempt(in: folder) { () throws(FileFailure) in try write(tokens, manifest, to: folder) }
        let accepted = tokens.filter(\.kind.isAccepted).count
        call.console.output(
            "\(folder.showingControls()): \(tokens.count.counting("token")), of which a backend accepts \(accepted)\n")
        return .success
    }

    private static func write(
        _ tokens: [ForgedToken], _ manifest: TokenManifest, to path: String
    ) throws(FileFailure) {
        var folder = try OutputFile.folder(path, isSecret: true)
        for token in tokens {
            let name = TokenManifest.file(of: token.kind)
            try folder.append(Array(token.text.utf8), to: name)
            try folder.synchronize(name)
        }
        try folder.append(Array(manifest.json.indented().utf8), to: TokenManifest.name)
        try folder.synchronize(TokenManifest.name)
        try folder.finish()
    }
}

/// The list of the tokens in a folder, for the tests that take them.
private struct TokenManifest {
    static let name = "manifest.json"

    let account: String
    let domain: String
    let algorithm: TokenAlgorithm
    let time: Instant
    let data: String?
    let tokens: [ForgedToken]

    /// The name of the file of a kind.
    static func file(of kind: ForgedToken.Kind) -> String { "\(kind.rawValue).jwt" }

    var json: JSONValue {
        let about: [(key: String, value: JSONValue)] = [
            ("account", .string(account)), ("domain", .string(domain)), ("algorithm", .string(algorithm.rawValue)),
            ("time", .string("\(time)")),
        ]
        let binding = data.map { [(key: "data", value: JSONValue.string($0))] } ?? []
        return .ordered(about + binding + [(key: "tokens", value: .array(tokens.map { Self.json(of: $0.kind) }))])
    }

    private static func json(of kind: ForgedToken.Kind) -> JSONValue {
        .ordered([
            ("kind", .string(kind.rawValue)), ("file", .string(file(of: kind))),
            ("accepted", .boolean(kind.isAccepted)), ("status", .integer(kind.isAccepted ? 200 : 401)),
            ("summary", .string(kind.summary)),
        ])
    }
}

extension CommandFailure {
    fileprivate static func missing(_ option: any CommandOption, hint: String) -> CommandFailure {
        .usage("option `\(option.label)` is missing", hint: hint)
    }
}
