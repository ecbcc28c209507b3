internal import Documents
internal import Figures
internal import Scenarios

/// Writes what failed in a run as annotations of GitHub Actions, each on the line of its expectation, and what was left out as
/// notices.
package enum GitHubReport {
    /// The report as workflow commands; nothing where everything held and nothing was left out.
    package static func text(of report: Report) -> String {
        report.scenarios.flatMap(\.failures).map { annotation($0) + "\n" }.joined()
            + (report.leftOut ?? []).map { notice($0) + "\n" }.joined()
    }

    /// The effects of a change as workflow commands, each on the line that makes the change.
    static func text(of comparison: Comparison, limits: [LimitResult], origin: ReportOrigin) -> String {
        SARIFReport.findings(of: comparison, limits: limits, origin: origin).map { finding in
            let place = [
                finding.file.map { "file=\(GitHubText.property($0))" }, finding.line.map { "line=\($0)" },
                "title=\(GitHubText.property(finding.rule))",
            ].compactMap(\.self)
            let command = finding.level == .note ? "notice" : finding.level.rawValue
            let change = finding.words.isEmpty ? "" : " (\(finding.words.joined(separator: " ")))"
            return "::\(command) \(place.joined(separator: ","))::\(GitHubText.data(finding.message + change))\n"
        }.joined()
    }

    private static func notice(_ scenario: LeftOutScenario) -> String {
        let properties = [
            "file=\(GitHubText.property(scenario.file))", "title=\(GitHubText.property(scenario.name))",
        ]
        return "::notice \(properties.joined(separator: ","))::\(GitHubText.data("left out: \(scenario.reason)"))"
    }

    private static func annotation(_ failure: TestCase) -> String {
        let result = failure.result
        let properties = [
            "file=\(GitHubText.property(result.file))", "line=\(result.position.line)", "col=\(result.position.column)",
            "title=\(GitHubText.property(failure.scenario.name))",
        ]
        let message = GitHubText.data("\(result.message): \(failure.reason)")
        return "::error \(properties.joined(separator: ","))::\(message)"
    }
}
