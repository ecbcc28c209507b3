internal import Documents
package import Figures
internal import Scenarios

/// Writes the report of a run as JUnit's XML: a suite for each scenario, a case for each expectation.
///
/// There is no clock in it unless it was asked for, so that equal runs give equal bytes.
package enum JUnitReport {
    /// The report as XML.
    package static func text(of report: Report) -> String {
        let leftOut = report.leftOut ?? []
        let names = report.suiteNames
        let suites =
            zip(names, report.scenarios).map(suite) + zip(names.dropFirst(report.scenarios.count), leftOut).map(suite)
        let results = report.scenarios.flatMap(\.testCases)
        let failures = report.scenarios.flatMap(\.failures)
        let root = XMLElement(
            name: "testsuites",
            attributes: [
                ("tests", "\(results.count + leftOut.count)"), ("failures", "\(failures.count)"), ("errors", "0"),
            ] + (leftOut.isEmpty ? [] : [("skipped", "\(leftOut.count)")])
                + time(report.scenarios.compactMap(\.duration)), children: suites)
        return root.document
    }

    private static func suite(_ name: String, of scenario: ScenarioResult) -> XMLElement {
        XMLElement(
            name: "testsuite",
            attributes: [
                ("name", name), ("file", scenario.file), ("tests", "\(scenario.expectations.count)"),
                ("failures", "\(scenario.failures.count)"), ("errors", "0"),
            ] + time(scenario.duration.map { [$0] } ?? []),
            children: scenario.testCases.map { testCase($0, in: name) })
    }

    // A scenario that was left out is a suite with one case, which was skipped.
    private static func suite(_ name: String, of scenario: LeftOutScenario) -> XMLElement {
        let skipped = XMLElement(name: "skipped", attributes: [("message", scenario.reason)])
        let testCase = XMLElement(
            name: "testcase",
            attributes: [("name", "scenario"), ("classname", name), ("file", scenario.file)],
            children: [skipped])
        return XMLElement(
            name: "testsuite",
            attributes: [
                ("name", name), ("file", scenario.file), ("tests", "1"), ("failures", "0"), ("errors", "0"),
                ("skipped", "1"),
            ], children: [testCase])
    }

    private static func testCase(_ testCase: TestCase, in suite: String) -> XMLElement {
        let result = testCase.result
        var element = XMLElement(
            name: "testcase",
            attributes: [
                ("name", testCase.name), ("classname", suite),
                ("file", result.file), ("line", "\(result.position.line)"),
            ])
        if !result.passed {
            element.children = [
                XMLElement(
                    name: "failure",
                    attributes: [("message", testCase.difference), ("type", "expectation")],
                    text: "\(testCase.location): \(testCase.reason)")
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

/// An element of an XML document; nothing else writes markup.
struct XMLElement {
    let name: String
    var attributes: [(name: String, value: String)] = []
    var children: [XMLElement] = []
    var text = ""

    /// The document with this element as its root.
    var document: String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + lines(indent: "").joined(separator: "\n") + "\n"
    }

    private func lines(indent: String) -> [String] {
        let start = indent + "<" + name + attributes.map { " \($0.name)=\"\(Escape.xml($0.value))\"" }.joined()
        guard !children.isEmpty || !text.isEmpty else { return [start + "/>"] }
        guard !children.isEmpty else { return [start + ">" + Escape.xml(text) + "</\(name)>"] }
        return [start + ">"] + children.flatMap { $0.lines(indent: indent + "  ") } + [indent + "</\(name)>"]
    }
}

// A comparison is a suite of the limits that its caller set. Its result is the output of the suite.
extension JUnitReport {
    /// The limits of a comparison as XML.
    ///
    /// - Parameters:
    ///   - comparison: The comparison.
    ///   - limits: The caller's limits; without any there is no case, and nothing can fail.
    package static func text(of comparison: Comparison, limits: [LimitResult]) -> String {
        let cases = limits.flatMap(testCases)
        let skipped = limits.count { $0.isExceeded && !$0.isFailure } + limits.count { $0.known > 0 }
        var counts = [
            ("tests", "\(cases.count)"), ("failures", "\(limits.count { $0.isFailure })"), ("errors", "0"),
        ]
        if skipped > 0 { counts.append(("skipped", "\(skipped)")) }
        let output = XMLElement(
            name: "system-out", attributes: [], text: TextWriter().text(of: comparison.sections))
        let suite = XMLElement(
            name: "testsuite", attributes: [("name", "scenario diff")] + counts,
            children: cases + [output])
        return XMLElement(name: "testsuites", attributes: counts, children: [suite]).document
    }

    private static func testCases(_ limit: LimitResult) -> [XMLElement] {
        var element = testCase(limit.name)
        if limit.isFailure {
            element.children = [
                XMLElement(
                    name: "failure", attributes: [("message", limit.finding), ("type", "limit")], text: limit.excess)
            ]
        } else if limit.isExceeded, let reason = limit.allowance {
            element.children = [skipped("\(limit.excess); allowed: \(reason)")]
        }
        guard limit.known > 0 else { return [element] }
        var known = testCase("\(limit.name), known already")
        let (verb, rest) = (limit.known.agreeing("is", "are"), limit.known.agreeing("does", "do"))
        known.children = [skipped("\(limit.known.counting("device")) \(verb) in the baseline and \(rest) not count")]
        return [element, known]
    }

    private static func testCase(_ name: String) -> XMLElement {
        XMLElement(name: "testcase", attributes: [("name", name), ("classname", "scenario diff")])
    }

    private static func skipped(_ message: String) -> XMLElement {
        XMLElement(name: "skipped", attributes: [("message", message)])
    }
}
