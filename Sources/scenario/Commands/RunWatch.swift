internal import Accounts
internal import Documents
internal import Scenarios

/// `scenario run --watch`: runs again when a file changes.
enum RunWatch {
    static let option = Option(
        "--watch", "Run again whenever a file that was read changes, until Ctrl-C; refused if the variable CI is set.")

    /// The time between two checks of the files.
    private static let milliseconds = 200

    /// Refuses the option where nobody ends the command.
    static func check(_ call: CommandCall) throws(CommandFailure) {
        guard call[option], call.console.environment("CI") != nil else { return }
        throw .usage("`\(option.name)` is refused if the variable CI is set", hint: "nobody is there to end it")
    }

    /// Runs once; if the files are to be watched, again whenever one of them changes, until a signal comes.
    ///
    /// - Parameters:
    ///   - call: Its console says how many files are watched.
    ///   - fallback: The path that is searched where none was typed.
    ///   - once: A run.
    /// - Returns: The exit status of the last run.
    static func run(
        _ call: CommandCall, fallback: String, once: () throws(CommandFailure) -> ExitStatus
    ) throws(CommandFailure) -> ExitStatus {
        guard call[option] else { return try once() }
        while true {
            // A change while the scenarios run is a change, too.
            let watch = Watch(paths: paths(call, fallback), account: call[RunAffected.option])
            let status = try CommandFailure.status(of: once)
            call.console.show(note: "scenario: watching \(watch.stamps.count) files; Ctrl-C ends")
            guard waitForChange(of: watch) else { return status }
        }
    }

    private static func paths(_ call: CommandCall, _ fallback: String) -> [String] {
        if !call.operands.isEmpty { return call.operands }
        return call[RunFailed.option] ? RunFailed.failed(among: nil, call.console) : [fallback]
    }

    // True if a file changed, rather than that a signal came. Programs that write several files, or one in several steps,
    // are given the time for that.
    private static func waitForChange(of watch: Watch) -> Bool {
        var latest = watch.stamps
        while true {
            if Interruption.comes(within: milliseconds) { return false }
            let now = watch.now
            if now != watch.stamps, now == latest { return true }
            latest = now
        }
    }

    /// The files that a run reads, as they are at a time.
    private struct Watch {
        private let paths: [String]
        // The files that the scenarios named when the watch began.
        private let named: Set<String>
        /// By path; none of a file that is not there.
        let stamps: [String: FileStamp]

        init(paths: [String], account: String?) {
            self.paths = paths
            let scenarios = Self.scenarios(paths)
            let accounts = account.map { [$0] + NamedFiles.ofAccount(at: $0) } ?? []
            named = Set(scenarios.flatMap(Self.namedFiles) + accounts)
            stamps = FileStamp.stamps(of: named.union(scenarios))
        }

        /// The same files, and scenarios that were added, as they are now.
        var now: [String: FileStamp] { FileStamp.stamps(of: named.union(Self.scenarios(paths))) }

        private static func scenarios(_ paths: [String]) -> [String] {
            var ignored = Diagnostics()
            return paths.flatMap { ScenarioFiles.find(at: $0, diagnostics: &ignored) }
        }

        // Also of a scenario that has mistakes, for whose commands nothing is known.
        private static func namedFiles(of path: String) -> [String] {
            var ignored = Diagnostics()
            let scenario = ScenarioLoader.load(path: path, isChecked: false, within: .anywhere, diagnostics: &ignored)
            return NamedFiles.ofScenario(at: path) + (scenario?.filesOfCommands ?? [])
        }
    }
}
