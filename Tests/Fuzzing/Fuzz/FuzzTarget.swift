internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import ReportSupport
internal import Scenarios
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A target that libFuzzer feeds with bytes. No input may end the process, or reach beyond its memory; an end is a mistake, also
/// if two readers of one thing differ.
enum FuzzTarget: String, CaseIterable {
    case account, scenario, capture, fetches, command, token, code
    case keyFile = "key-file"
    case keys = "key-set"
    case columns
    /// The settings of a project, in a strict part of TOML.
    case toml
    /// One thing by two readers, which must have the same result.
    case records = "two-forms"
    case again = "read-again"
    case reference
    /// Batches of numbered records, whose sets get other numbers again and again.
    case batches
    case requests
    /// A name of a stranger in every form of report.
    case names
    /// A client of both conversations.
    case rpc

    /// The target of this process; set once, before anything is fed.
    static let chosen = Mutex(FuzzTarget.account)

    /// Reads some bytes.
    func feed(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        var diagnostics = Diagnostics()
        switch self {
        case .account:
            _ = AccountLoader.load(
                YAMLParser.parse(bytes: bytes, path: "a.yaml", as: .account), diagnostics: &diagnostics)
        case .scenario:
            _ = ScenarioLoader.load(
                YAMLParser.parse(bytes: bytes, path: "s.yaml", as: .scenario), diagnostics: &diagnostics)
        case .capture: Self.replay(bytes)
        case .fetches: Self.replay(Array(Self.record.utf8), fetches: bytes)
        case .command:
            var account = Self.prod
            if let command = try? ManagementCommand(text) { _ = try? command.apply(to: &account, in: CommandContext()) }
        case .token: _ = try? TokenCheck(text, account: Self.prod, at: nil)
        case .code: _ = ResponseCodec(account: Self.prod).meaning(of: text)
        case .keyFile:
            FuzzFolder.write(bytes, to: "a.keys")
            let account = YAMLParser.parse(bytes: Array("keys: a.keys\n".utf8), path: FuzzFolder.path("a.yaml"))
            _ = AccountLoader.load(account, diagnostics: &diagnostics)
        case .records: RecordsInTwoForms.feed(bytes)
        case .again: AccountReadAgain.feed(bytes)
        case .reference: EngineAgainstReference.feed(bytes)
        case .batches: LaneAgainstReference.feed(bytes)
        case .requests: ServiceGoesOn.feed(bytes)
        case .names: Self.write(name: text)
        case .toml: TOMLReadAgain.feed(bytes)
        case .columns: ColumnsTarget.feed(bytes)
        case .rpc: ConversationTarget.feed(bytes)
        case .keys: _ = try? TokenKey.keys(importing: text)
        }
        for diagnostic in diagnostics.all { _ = diagnostic.rendered }
    }

    private static func write(name: String) {
        let problems = NamesInForms(name) { bytes in
            FuzzFolder.write(bytes, to: "capture")
            return FuzzFolder.path("capture")
        }.problems()
        if !problems.isEmpty { fatalError(problems.joined(separator: "\n")) }
    }

    private static let prod = Account(name: "fuzzed")
    private static let record =
        "--- h4gubfCFzJu81j/U2BJsdg== 2020-07-23 12:00:00 UTC ---\nflags-all: rooted\nip: 1.2.3.4\n"

    private static func replay(_ bytes: [UInt8], fetches: [UInt8]? = nil) {
        FuzzFolder.write(bytes, to: "capture")
        var request = ReplayRequest(captures: [FuzzFolder.path("capture")], account: prod)
        if let fetches {
            FuzzFolder.write(fetches, to: "fetches")
            request.fetchesPath = FuzzFolder.path("fetches")
        }
        _ = request.run()
    }
}
