internal import Documents
internal import Scenarios

/// A run of a scenario that the client has asked for, as its text is.
package struct ScenarioRunWork: Sendable {
    let path: String
    let version: Int
    let positions: TextPositions
    let workspace: Workspace

    /// The result of a run.
    package struct Outcome: Sendable {
        let path: String
        let version: Int
        /// The expectations; `nil` if the scenario cannot be run.
        let expectations: [ExpectationResult]?
        /// The text in which all expectations that can be rewritten hold; `nil` if none has to be, or they would not hold again.
        let updated: [UInt8]?
        /// The number of expectations that are rewritten.
        let rewritten: Int

        /// True if every expectation held; also if there are none.
        var passed: Bool { expectations?.allSatisfy(\.passed) ?? false }
    }

    /// Runs the scenario, and rewrites what fails, as `run --update` does.
    package func run() -> Outcome {
        let document = YAMLParser.parse(bytes: positions.bytes, path: path, as: .scenario)
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.load(
            document, within: workspace.boundary, over: workspace.overlay, diagnostics: &diagnostics)
        let result = scenario.flatMap { ScenarioRunner().run([$0], diagnostics: &diagnostics).first }
        guard let result, !diagnostics.hasErrors else {
            return Outcome(path: path, version: version, expectations: nil, updated: nil, rewritten: 0)
        }
        let update = result.passed ? nil : ExpectationUpdate(document, results: result.expectations)
        var updated: [UInt8]?
        if let update, !update.changes.isEmpty,
            update.holds(at: path, within: workspace.boundary, over: workspace.overlay, seed: nil)
        {
            updated = positions.mark + Array(update.text.utf8)
        }
        return Outcome(
            path: path, version: version, expectations: result.expectations, updated: updated,
            rewritten: update?.changes.count ?? 0)
    }
}
