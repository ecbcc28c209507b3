import Foundation
import Testing

@testable import Documents
@testable import Figures
@testable import Reports
@testable import Scenarios
@testable import TestSupport

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The forms of a run's report for CI.
@Suite struct RunFormTests {
    private static let result = ExpectationResult(
        file: "a, b.yaml", position: SourcePosition(line: 4, column: 7), passed: false, expected: "<pass> & \"x\"",
        actual: "50% #1\nfail", message: "verdict of bob")

    private static func report(_ name: String = "Bob's <first>: # day", duration: Duration? = nil) -> Report {
        var scenario = ScenarioResult(name: name, file: "a, b.yaml")
        var good = result
        (good.passed, good.position) = (true, SourcePosition(line: 3, column: 1))
        scenario.expectations = [good, result]
        scenario.duration = duration
        return Report(figures: Figures(), scenarios: [scenario])
    }

    @Test func junitIsXMLWithFileAndLine() throws {
        let text = JUnitReport.text(of: Self.report())
        let document = try XMLDocument(xmlString: text)
        try expect(document.nodes(forXPath: "/testsuites/testsuite/testcase").count, equals: 2)
        let lines = try document.nodes(forXPath: "//testcase/@line").compactMap(\.stringValue)
        expect(lines, equals: ["3", "4"])
        let files = try document.nodes(forXPath: "//testcase/@file").compactMap(\.stringValue)
        expect(files, equals: ["a, b.yaml", "a, b.yaml"])
        let failures = try document.nodes(forXPath: "//failure/@message").compactMap(\.stringValue)
        expect(failures, equals: ["expected <pass> & \"x\", actual 50% #1\nfail"])
        let names = try document.nodes(forXPath: "//testsuite/@name").compactMap(\.stringValue)
        expect(names, equals: ["Bob's <first>: # day"])
        #expect(!text.contains("time="))
    }

    @Test func junitHasTimesWhereTheyWereMeasured() {
        let text = JUnitReport.text(of: Self.report(duration: .milliseconds(1234)))
        #expect(text.contains("time=\"1.234\""))
        #expect(JUnitReport.text(of: Self.report(duration: .milliseconds(5))).contains("time=\"0.005\""))
    }

    @Test func charactersThatXMLLacksAreReplaced() throws {
        let text = JUnitReport.text(of: Self.report("a\u{1}b\u{FFFE}"))
        let document = try XMLDocument(xmlString: text)
        try expect(
            document.nodes(forXPath: "//testsuite/@name").compactMap(\.stringValue), equals: ["a\u{FFFD}b\u{FFFD}"])
    }

    @Test func tapHasAPointForEachExpectation() throws {
        try Form.expect(TAPReport.text(of: Self.report()), "points of TAP")
    }

    // Two scenarios of one name in two files, and one in the same file as another; three expectations on a line.
    @Test("names of suites and cases are unique") func namesAreUnique() throws {
        func scenario(_ file: String, columns: [Int]) -> ScenarioResult {
            var scenario = ScenarioResult(name: "s", file: file)
            scenario.expectations = columns.map { column in
                var result = Self.result
                result.position = SourcePosition(line: 4, column: column)
                return result
            }
            return scenario
        }
        let report = Report(
            figures: Figures(),
            scenarios: [
                scenario("a.yaml", columns: [7, 20, 20]), scenario("b.yaml", columns: [7]),
                scenario("b.yaml", columns: [7]), ScenarioResult(name: "t", file: "b.yaml"),
            ])
        let document = try XMLDocument(xmlString: JUnitReport.text(of: report))
        let suites = try document.nodes(forXPath: "//testsuite/@name").compactMap(\.stringValue)
        expect(suites, equals: ["s (a.yaml)", "s (b.yaml) #1", "s (b.yaml) #2", "t"])
        let classes = try document.nodes(forXPath: "//testcase/@classname").compactMap(\.stringValue)
        let names = try document.nodes(forXPath: "//testcase/@name").compactMap(\.stringValue)
        let cases = zip(classes, names).map { "\($0): \($1)" }
        let expected = [
            "s (a.yaml): verdict of bob (line 4, column 7)", "s (a.yaml): verdict of bob (line 4, column 20) #1",
            "s (a.yaml): verdict of bob (line 4, column 20) #2", "s (b.yaml) #1: verdict of bob (line 4)",
            "s (b.yaml) #2: verdict of bob (line 4)",
        ]
        expect(cases, equals: expected)
        let points = TAPReport.text(of: report).split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^not ok [0-9]+ - (.*)/).map { String($0.1).replacing("\\#", with: "#") }
        }
        expect(points, equals: expected)
    }

    @Test func gitHubAnnotatesTheLineOfWhatFailed() throws {
        try Form.expect(
            GitHubReport().text(of: Self.report()), "a failure for GitHub")
    }
}
