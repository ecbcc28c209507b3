internal import Documents
package import Replay

// A comparison is a suite of the limits that its caller set. What it found stands in the output of the suite.
extension JUnitReport {
    /// The limits of a comparison as XML.
    ///
    /// - Parameters:
    ///   - comparison: The comparison.
    ///   - limits: What the caller allows; without any there is no case, and nothing can fail.
    package static func text(of comparison: Comparison, limits: [LimitResult]) -> String {
        let exceeded = limits.count { $0.isExceeded }
        let counts = [("tests", "\(limits.count)"), ("failures", "\(exceeded)"), ("errors", "0")]
        let output = XMLElement(
            name: "system-out", attributes: [], text: TextWriter().text(of: comparison.sections))
        let suite = XMLElement(
            name: "testsuite", attributes: [("name", "scenario diff")] + counts,
            children: limits.map(testCase) + [output])
        return XMLElement(name: "testsuites", attributes: counts, children: [suite]).document
    }

    private static func testCase(_ limit: LimitResult) -> XMLElement {
        var element = XMLElement(
            name: "testcase", attributes: [("name", limit.name), ("classname", "scenario diff")])
        if limit.isExceeded {
            element.children = [
                XMLElement(
                    name: "failure", attributes: [("message", limit.finding), ("type", "limit")],
                    text: "\(limit.finding) are more than \(limit.name) allows")
            ]
        }
        return element
    }
}
