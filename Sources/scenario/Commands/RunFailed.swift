internal import Documents
internal import Scenarios

/// `scenario run --failed`: the scenarios that failed last in the working folder.
enum RunFailed {
    /// Asks for it.
    static let option = OptionDefinition(
        "--failed", "Run only scenarios that failed in their last run in this folder.")

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
