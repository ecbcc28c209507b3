internal import Documents
internal import Scenarios

/// Writes the report of a run as JUnit's XML: a suite for each scenario, a case for each expectation.
///
/// There is no clock in it unless it was asked for, so that equal runs give equal bytes.
package enum JUnitReport {
    /// The report as XML.
    package static func text(of report: Report) -> String {
        let suites = report.scenarios.map(suite)
        let results = report.scenarios.flatMap(\.expectations)
        let root = XMLElement(
            name: "testsuites",
            attributes: [
                ("tests", "\(results.count)"), ("failures", "\(results.count { !$0.passed })"), ("errors", "0"),
            ] + time(report.scenarios.compactMap(\.duration)), children: suites)
        return root.document
    }

    private static func suite(_ scenario: ScenarioResult) -> XMLElement {
        let failures = scenario.expectations.count { !$0.passed }
        return XMLElement(
            name: "testsuite",
            attributes: [
                ("name", scenario.name), ("file", scenario.file), ("tests", "\(scenario.expectations.count)"),
                ("failures", "\(failures)"), ("errors", "0"),
            ] + time(scenario.duration.map { [$0] } ?? []),
            children: scenario.expectations.map { testCase($0, in: scenario) })
    }

    private static func testCase(_ result: ExpectationResult, in scenario: ScenarioResult) -> XMLElement {
        var element = XMLElement(
            name: "testcase",
            attributes: [
                ("name", "\(result.message) (line \(result.position.line))"), ("classname", scenario.name),
                ("file", result.file), ("line", "\(result.position.line)"),
            ])
        if !result.passed {
            element.children = [
                XMLElement(
                    name: "failure",
                    attributes: [
                        ("message", "expected \(result.expected), actual \(result.actual)"), ("type", "expectation"),
                    ],
                    text: "\(result.file):\(result.position): \(result.message): expected \(result.expected), "
                        + "actual \(result.actual)")
            ]
        }
        return element
    }

    // Seconds with milliseconds.
    private static func time(_ durations: [Duration]) -> [(name: String, value: String)] {
        guard !durations.isEmpty else { return [] }
        let total = durations.reduce(.zero, +)
        let milliseconds =
            Int(total.components.seconds) * 1000
            + Int(total.components.attoseconds / 1_000_000_000_000_000)
        let rest = String(milliseconds % 1000)
        return [("time", "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)")]
    }
}
