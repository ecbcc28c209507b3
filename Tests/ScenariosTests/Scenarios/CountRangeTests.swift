import Figures
import Testing

@testable import Scenarios
@testable import TestSupport

@Suite struct CountRangeTests {
    struct Row: LabelledRow {
        let range: CountRange
        let text: String
        let inside, outside: [Int]
    }

    static let rows = [
        Row(range: CountRange(18), text: "18", inside: [18], outside: [17, 19]),
        Row(range: CountRange(0), text: "0", inside: [0], outside: [1]),
        Row(range: CountRange(atLeast: 10, atMost: 30), text: "10 to 30", inside: [10, 30], outside: [9, 31]),
        Row(range: CountRange(atLeast: 10, atMost: .max), text: "at least 10", inside: [10, .max], outside: [9]),
        Row(range: CountRange(atLeast: 0, atMost: 30), text: "at most 30", inside: [0, 30], outside: [31]),
        Row(range: CountRange(atLeast: 5, atMost: 5), text: "5", inside: [5], outside: [4, 6]),
    ]

    @Test(arguments: rows) func holdsAndSaysItsBounds(_ row: Row) {
        #expect(row.range.description == row.text)
        #expect(row.inside.allSatisfy(row.range.contains))
        #expect(!row.outside.contains(where: row.range.contains))
    }

    static let written = [
        ("12", "12"), ("{at-least: 10}", "at least 10"), ("{at-most: 30}", "at most 30"),
        ("{at-least: 10, at-most: 30}", "10 to 30"), ("{about: {value: 50, within: 5}}", "45 to 55"),
        ("{about: {value: 3, within: 5}}", "at most 8"), ("{about: {value: 3, within: 0}}", "3"),
        ("{at-least: 0}", "at least 0"),
    ]

    @Test(arguments: written) func isReadAsItIsWritten(text: String, description: String) throws {
        let scenario = try ScenarioText.load("scenario: s\nexpect: {metrics: {pass: \(text)}}\n")
        let check = scenario.finalExpectations.first?.checks.first as? MetricCheck
        #expect(check?.count.description == description)
    }
}
