internal import Documents
internal import Scenarios

/// Writes what failed in a run as annotations of GitHub Actions, each on the line of its expectation, and what was left out as
/// notices.
package enum GitHubReport {
    /// The report as workflow commands; nothing where everything held and nothing was left out.
    package static func text(of report: Report) -> String {
        report.scenarios.flatMap(\.failures).map { annotation($0) + "\n" }.joined()
            + (report.leftOut ?? []).map { notice($0) + "\n" }.joined()
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
