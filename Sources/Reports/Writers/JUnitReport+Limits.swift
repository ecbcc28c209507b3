internal import Documents
package import Figures

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
