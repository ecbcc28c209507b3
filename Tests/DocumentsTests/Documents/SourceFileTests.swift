import Documents
import Testing

@testable import TestSupport

@Suite struct SourceFileTests {
    struct Row: LabelledRow {
        let name, text: String
        let lines: [String]
    }

    static let rows = [
        Row(name: "empty", text: "", lines: [""]),
        Row(name: "no final break", text: "one\ntwo", lines: ["one", "two"]),
        Row(name: "LF", text: "one\n\ntwo\n", lines: ["one", "", "two", ""]),
        Row(name: "CR LF", text: "one\r\n\r\ntwo\r\n", lines: ["one", "", "two", ""]),
        Row(name: "CR", text: "one\r\rtwo\r", lines: ["one", "", "two", ""]),
        Row(
            name: "the others of YAML", text: "one\u{85}two\u{2028}three\u{2029}four",
            lines: ["one", "two", "three", "four"]),
        Row(name: "byte order mark", text: "\u{FEFF}one\ntwo", lines: ["one", "two"]),
        Row(name: "characters of many bytes", text: "é\n€\n😀", lines: ["é", "€", "😀"]),
        Row(
            name: "characters that begin like breaks", text: "\u{A9}\u{2020}\n\u{2026}",
            lines: ["\u{A9}\u{2020}", "\u{2026}"]),
    ]

    @Test(arguments: rows) func findsEveryLine(_ row: Row) {
        let source = SourceFile(path: "file.yaml", text: row.text)
        #expect((1...row.lines.count).map { source.line($0) } == row.lines)
    }

    @Test(arguments: rows) func thereAreNoOtherLines(_ row: Row) {
        let source = SourceFile(path: "file.yaml", text: row.text)
        for number in [Int.min, -1, 0, row.lines.count + 1, Int.max] { #expect(source.line(number) == nil) }
    }

    @Test func positionsAreOrderedByLineThenColumn() {
        let positions = [(2, 1), (1, 9), (1, 2)].map { SourcePosition(line: $0.0, column: $0.1) }
        #expect(positions.sorted().map(\.description) == ["1:2", "1:9", "2:1"])
    }
}
