internal import Documents
internal import PolicyEngine
internal import Scenarios

/// Writes the report of a run in the Test Anything Protocol, version 14: a test point for each expectation.
package enum TAPReport {
    /// The report as lines.
    package static func text(of report: Report) -> String {
        let (names, leftOut) = (report.suiteNames, report.leftOut ?? [])
        let points = zip(names, report.scenarios).flatMap { name, scenario in
            scenario.testCases.map { (name: "\(name): \($0.name)", result: $0.result) }
        }
        var lines = ["TAP version 14", "1..\(points.count + leftOut.count)"]
        for (index, point) in points.enumerated() {
            let verdict = point.result.passed ? "ok" : "not ok"
            lines.append("\(verdict) \(index + 1) - \(Escape.tap(point.name))")
            if !point.result.passed { lines += diagnostics(point.result) }
        }
        for (index, (name, scenario)) in zip(names.dropFirst(report.scenarios.count), leftOut).enumerated() {
            let reason = Escape.tap(scenario.reason)
            lines.append("ok \(points.count + index + 1) - \(Escape.tap(name)) # SKIP \(reason)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func diagnostics(_ result: ExpectationResult) -> [String] {
        [
            "  ---", "  file: \(quoted(result.file))", "  line: \(result.position.line)",
            "  column: \(result.position.column)", "  expected: \(quoted(result.expected))",
            "  actual: \(quoted(result.actual))",
        ] + (result.rejections.map { ["  rejected: \(quoted($0))"] } ?? []) + ["  ..."]
    }

    // JSON strings are YAML's too.
    private static func quoted(_ text: String) -> String {
        String(decoding: JSONValue.string(text).bytes, as: UTF8.self)
    }
}
