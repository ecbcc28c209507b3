internal import Documents
internal import Scenarios

/// `scenario run --affected-by`: only the scenarios that a change of an account can affect.
enum RunAffected {
    static let option = Option(
        "--affected-by", "Run only scenarios that a change of the account FILE since --base can affect.",
        .file(.readsAccount), in: .change,
        relations: [.needs([OptionUse("--base")], hint: "such as `--base origin/main`")])
    static let base = Option(
        "--base", "The commit REF of git has the account before the change.", .text("REF"), in: .change,
        relations: [.needs([option.given])])

    /// Leaves out the scenarios that the change does not affect.
    ///
    /// - Returns: `nil` after noting an error.
    static func select(
        among scenarios: [Scenario], _ arguments: ParsedArguments, _ diagnostics: inout Diagnostics
    ) -> AffectedScenarios? {
        guard let path = arguments[option], let reference = arguments[base] else {
            return AffectedScenarios(scenarios)
        }
        return AffectedScenarios(
            scenarios, byChangeOf: path, since: reference, seed: arguments[Options.seed],
            &diagnostics)
    }
}

/// `scenario run --failed`: the scenarios that failed last in the working folder.
enum RunFailed {
    static let option = Option("--failed", "Run only scenarios that failed in their last run in this folder.")

    /// The files of scenarios that failed last.
    ///
    /// - Parameter files: Those to choose from; `nil` for whatever failed in this folder and is still there.
    /// - Returns: In the order of their paths' bytes.
    static func failed(among files: [String]?, _ console: Console) -> [String] {
        guard let memory = FailedScenarios(environment: console.environment) else { return [] }
        let known = memory.files.filter { FileLocation($0).isRegularFile }
        guard let files else { return known }
        let locations = Set(known.map { FileLocation($0).path })
        return files.filter { locations.contains(FileLocation($0).path) }
    }

    /// Remembers which of some scenarios failed; of others it stays as it was.
    ///
    /// Nothing of the result depends on this, so that what cannot be remembered is not.
    static func remember(_ results: [ScenarioResult], _ console: Console) {
        guard let memory = FailedScenarios(environment: console.environment) else { return }
        memory.note(run: results.map(\.file), failed: results.filter { !$0.passed }.map(\.file))
    }
}

/// Which scenarios failed last in a working folder (formats: Failed scenarios).
struct FailedScenarios {
    // Of its own for each working folder, so that runs elsewhere do not wait for its lock.
    private let folder: String
    private var path: String { folder + "/failed" }

    /// The number of attempts to lock the file, every 5 ms: a run does not wait for another one longer than a second.
    private static let attempts = 200

    /// - Parameter environment: The value of a variable; XDG_STATE_HOME, or else HOME, says where the file is.
    /// - Returns: `nil` where neither is set.
    init?(environment: (String) -> String?) {
        let home = environment("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.local/state" : nil }
        // By the XDG specification a path that is not absolute is to be ignored.
        guard let state = environment("XDG_STATE_HOME").flatMap({ $0.hasPrefix("/") ? $0 : nil }) ?? home else {
            return nil
        }
        let name = FileDigest(of: Array(FileLocation("./.").path.utf8)).text.prefix(32)
        folder = "\(state)/scenario/\(name)"
    }

    /// The files, as they were named, in the order of their bytes.
    var files: [String] {
        guard let bytes = try? TextFile.bytes(path: path), let text = String(validating: bytes, as: UTF8.self) else {
            return []
        }
        return text.split(separator: "\0").map(String.init)
    }

    /// Notes which scenarios were run, and which of these failed.
    func note(run: [String], failed: [String]) {
        let before = files
        // A user who never sees a failure gets no file.
        guard !before.isEmpty || !failed.isEmpty else { return }
        guard FolderListing.make(folder),
            let lock = try? FolderLock(ofFoldersOf: [path], attempts: Self.attempts)
        else { return }
        withExtendedLifetime(lock) {
            let known = Set(run.map { FileLocation($0).path })
            let others = files.filter { !known.contains(FileLocation($0).path) }
            let all = Set(others + failed).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            try? OutputFile.write(Array(all.map { $0 + "\0" }.joined().utf8), to: path)
        }
    }
}
