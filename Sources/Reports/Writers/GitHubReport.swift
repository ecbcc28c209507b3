internal import Documents
internal import Figures
package import Replay
internal import Scenarios

/// Writes what failed in a run as annotations of GitHub Actions, each on the line of its expectation, and what was left out as
/// notices.
///
/// Two colons are between the properties of a workflow command and its message. With the letters and digits around them they can
/// look like an address, so each text is redacted by itself.
package struct GitHubReport {
    private let redactor: Redactor?

    /// - Parameter redactor: The redactor that hides device IDs and addresses; `nil` hides nothing.
    package init(redactor: Redactor? = nil) { self.redactor = redactor }

    /// The report as workflow commands; nothing where everything held and nothing was left out.
    package func text(of report: Report) -> String {
        report.scenarios.flatMap { scenario in scenario.failures.map { annotation($0, of: scenario) + "\n" } }.joined()
            + (report.leftOut ?? []).map { notice($0) + "\n" }.joined()
    }

    /// The effects of a change as workflow commands, each on the line that makes the change.
    func text(of comparison: Comparison, limits: [LimitResult], origin: ReportOrigin) -> String {
        SARIFReport.findings(of: comparison, limits: limits, origin: origin).map { finding in
            let place = [
                finding.file.map { "file=\(property($0))" }, finding.line.map { "line=\($0)" },
                "title=\(property(finding.rule))",
            ].compactMap(\.self)
            let command = finding.level == .note ? "notice" : finding.level.rawValue
            let change = finding.words.isEmpty ? "" : " (\(finding.words.joined(separator: " ")))"
            return "::\(command) \(place.joined(separator: ","))::\(data(finding.message + change))\n"
        }.joined()
    }

    private func notice(_ scenario: LeftOutScenario) -> String {
        let properties = [
            "file=\(property(scenario.file))", "title=\(property(scenario.name))",
        ]
        return "::notice \(properties.joined(separator: ","))::\(data("left out: \(scenario.reason)"))"
    }

    private func annotation(_ failure: TestCase, of scenario: ScenarioResult) -> String {
        let result = failure.result
        let properties = [
            "file=\(property(result.file))", "line=\(result.position.line)", "col=\(result.position.column)",
            "title=\(property(scenario.name))",
        ]
        let message = data("\(result.message): \(failure.reason)")
        return "::error \(properties.joined(separator: ","))::\(message)"
    }

    private func property(_ text: String) -> String { Escape.gitHub(redactor?.text(text) ?? text, isProperty: true) }

    private func data(_ text: String) -> String { Escape.gitHub(redactor?.text(text) ?? text) }
}
