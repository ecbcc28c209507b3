internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Replay
internal import Scenarios
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// What is fed with bytes of libFuzzer. Nothing that is read may end the process, or reach beyond its memory.
enum FuzzTarget: String, CaseIterable {
    case account, scenario, capture, fetches, command, token, code
    case keyFile = "key-file"
    case keys = "key-set"

    /// What this process feeds; set once, before anything is fed.
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
            Self.write(bytes, to: "a.keys")
            let account = YAMLParser.parse(bytes: Array("keys: a.keys\n".utf8), path: Self.folder + "a.yaml")
            _ = AccountLoader.load(account, diagnostics: &diagnostics)
        case .keys: _ = try? TokenKey.keys(importing: text)
        }
        for diagnostic in diagnostics.all { _ = diagnostic.rendered }
    }

    private static let prod = Account(name: "fuzzed")
    private static let record =
        "--- h4gubfCFzJu81j/U2BJsdg== 2020-07-23 12:00:00 UTC ---\nflags-all: rooted\nip: 1.2.3.4\n"

    private static func replay(_ bytes: [UInt8], fetches: [UInt8]? = nil) {
        write(bytes, to: "capture")
        var request = ReplayRequest(captures: [folder + "capture"], account: prod)
        if let fetches {
            write(fetches, to: "fetches")
            request.fetchesPath = folder + "fetches"
        }
        var replay = CaptureReplay(request)
        _ = replay.run()
    }

    // A folder of this process among the system's temporary ones, which goes when the process ends.
    private static let folder = {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array((parent + "/fuzz-XXXXXX").utf8CString)
        // SAFETY: the array is a string that ends with a zero, and is written within its length.
        guard let made = unsafe mkdtemp(&template).map({ unsafe String(cString: $0) }) else {
            preconditionFailure("no temporary folder beneath \(parent)")
        }
        atexit { FuzzTarget.removeFolder() }
        return made + "/"
    }()

    // Everything that is written, by name.
    private static let names = ["capture", "fetches", "a.keys"]

    private static func removeFolder() {
        for name in names { unsafe unlink(folder + name) }
        unsafe rmdir(folder)
    }

    private static func write(_ bytes: [UInt8], to name: String) {
        guard let file = unsafe fopen(folder + name, "wb") else { return }
        // SAFETY: so many bytes of the array are read.
        unsafe fwrite(bytes, 1, bytes.count, file)
        unsafe fclose(file)
    }
}
