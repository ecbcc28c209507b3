internal import Documents
internal import Scenarios

/// Words beside the lines of a file.
struct CodeLens {
    /// The command of a client that runs a scenario.
    static let command = "scenario.run"

    /// The Unicode scalars beside which it is.
    let range: Range<Int>
    let title: String
    /// The command that a click carries out; empty for none.
    var command = Self.command

    /// The command that runs a scenario, and the results of the latest run of its text.
    ///
    /// - Parameter outcome: That run; `nil` for none.
    static func ofRun(_ file: AnalysedFile, _ outcome: ScenarioRunWork.Outcome?) -> [CodeLens] {
        guard file.kind == .scenario, let name = file.tokens.first(where: { $0.path == [.key("scenario")] && $0.isKey })
        else { return [] }
        guard let outcome else { return [CodeLens(range: name.range, title: "run")] }
        guard let expectations = outcome.expectations else {
            return [CodeLens(range: name.range, title: "run: it cannot be run")]
        }
        let failed = expectations.count { !$0.passed }
        let title =
            failed == 0
            ? "run: passed, \(expectations.count.counting("expectation")) held"
            : "run: failed, \(failed.grouped) of \(expectations.count.counting("expectation"))"
        let lines = ParserLines(file.positions)
        return [CodeLens(range: name.range, title: title)]
            + expectations.map { result in
                let start = file.positions.scalar(ofByte: lines.byte(at: result.position))
                return CodeLens(range: start..<start, title: words(on: result))
            }
    }

    private static func words(on result: ExpectationResult) -> String {
        guard !result.passed else { return "passed: \(result.message)" }
        let reason = result.rejections.map { ", rejected: \($0)" } ?? ""
        return "failed: \(result.message): expected \(result.expected), found \(result.actual)\(reason)"
            .showingControls()
    }

    /// The devices of captures that match the filters, device entries and reject flags of an account.
    static func ofMatches(_ file: AnalysedFile, _ outcome: MatchCountWork.Outcome) -> [CodeLens] {
        let summary = outcome.summary.flatMap { summary in
            file.tokens.first.map { CodeLens(range: $0.range, title: summary, command: "") }
        }
        return [summary].compactMap(\.self)
            + file.tokens.compactMap { token in
                outcome.words(on: token).map { CodeLens(range: token.range, title: $0, command: "") }
            }
    }
}

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
        let result = scenario.flatMap { ScenarioRunner(seed: nil).run([$0], diagnostics: &diagnostics).first }
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
