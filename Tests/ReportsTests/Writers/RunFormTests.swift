import Foundation
import Testing

@testable import Documents
@testable import Figures
@testable import Reports
@testable import Scenarios

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
        #expect(try document.nodes(forXPath: "/testsuites/testsuite/testcase").count == 2)
        let lines = try document.nodes(forXPath: "//testcase/@line").compactMap(\.stringValue)
        #expect(lines == ["3", "4"])
        let files = try document.nodes(forXPath: "//testcase/@file").compactMap(\.stringValue)
        #expect(files == ["a, b.yaml", "a, b.yaml"])
        let failures = try document.nodes(forXPath: "//failure/@message").compactMap(\.stringValue)
        #expect(failures == ["expected <pass> & \"x\", actual 50% #1\nfail"])
        let names = try document.nodes(forXPath: "//testsuite/@name").compactMap(\.stringValue)
        #expect(names == ["Bob's <first>: # day"])
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
        #expect(try document.nodes(forXPath: "//testsuite/@name").compactMap(\.stringValue) == ["a\u{FFFD}b\u{FFFD}"])
    }

    @Test func tapHasAPointForEachExpectation() {
        let expected = ##"""
            TAP version 14
            1..2
            ok 1 - Bob's <first>: \# day: verdict of bob (line 3)
            not ok 2 - Bob's <first>: \# day: verdict of bob (line 4)
              ---
              file: "a, b.yaml"
              line: 4
              column: 7
              expected: "<pass> & \"x\""
              actual: "50% #1\nfail"
              ...

            """##
        #expect(TAPReport.text(of: Self.report()) == expected)
    }

    @Test func gitHubAnnotatesTheLineOfWhatFailed() {
        #expect(
            GitHubReport().text(of: Self.report()) == """
                ::error file=a%2C b.yaml,line=4,col=7,title=Bob's <first>%3A # day::\
                verdict of bob: expected <pass> & "x", actual 50%25 #1%0Afail

                """)
    }
}
