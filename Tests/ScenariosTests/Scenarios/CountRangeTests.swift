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
        expect(row.range.description, equals: row.text)
        #expect(row.inside.allSatisfy(row.range.contains))
        #expect(!row.outside.contains(where: row.range.contains))
    }
}
