import Testing

@testable import Documents
@testable import Figures
@testable import Reports
@testable import Scenarios
@testable import TestSupport

/// The texts of a scenario must not act on a terminal.
@Suite struct TextReportControlTests {
    private static let escape = "\u{1B}[31m"
    private static let shown = "␛[31m"

    private static func lines(_ result: ScenarioResult, isVerbose: Bool = false) -> [String] {
        TextWriter().text(of: Report(figures: Figures(), scenarios: [result]).sections(isVerbose: isVerbose))
            .split(separator: "\n").map(String.init)
    }

    @Test func ofAFailureEverythingIsShown() {
        var result = ScenarioResult(name: "n\(Self.escape)", file: "f")
        result.expectations = [
            ExpectationResult(
                file: "f\(Self.escape)", position: SourcePosition(line: 3, column: 5), passed: false,
                expected: "e\(Self.escape)", actual: "a\(Self.escape)\u{202E}", message: "m\(Self.escape)\nx")
        ]
        let lines = Self.lines(result)
        #expect(lines.contains("        f\(Self.shown):3:5: m\(Self.shown)␊x"))
        #expect(lines.contains("          expected: e\(Self.shown)"))
        #expect(lines.contains("          actual:   a\(Self.shown)<U+202E>"))
        #expect(!lines.joined().contains("\u{1B}"))
    }

    @Test func whatCommandsPrintKeepsItsLinesAndTabs() {
        var result = ScenarioResult(name: "n", file: "f")
        result.log = ["bind \(Self.escape)", "  probe-result: one\n two\tthree\n\(Self.escape)"]
        let lines = Self.lines(result, isVerbose: true)
        let log = ["bind \(Self.shown)", "  probe-result: one", " two\tthree", Self.shown].map { "          " + $0 }
        #expect(lines.contains(log))
        #expect(!Self.lines(result).contains { $0.contains("probe-result") })
    }

    @Test func aScenarioWithControlsInItsWordsIsSafeToPrint() throws {
        let result = try ScenarioText.run(
            """
            scenario: s
            devices: {"b\\e[31mb": {}}
            steps:
              - {at: 0s, bind: {group: "b\\e[31mb", data: "x\\e"}}
              - {at: 1s, fetch: all, domain: "a\\e.com", expect: {group: "b\\e[31mb", fail: 1}}

            """)
        let text = TextWriter().text(of: Report(figures: result.figures, scenarios: [result]).sections(isVerbose: true))
        #expect(!text.contains("\u{1B}"))
        #expect(text.contains("fail of b\(Self.shown)b"))
    }
}
