import Testing

@testable import Documents
@testable import TestSupport

/// The columns that a terminal gives to a text.
@Suite struct TerminalWidthTests {
    struct Row: LabelledRow {
        let name, text: String
        let width: Int
    }

    static let rows = [
        Row(name: "nothing", text: "", width: 0), Row(name: "ASCII", text: "reject 12", width: 9),
        Row(name: "one column each", text: "naïve ≥ Ω б", width: 11),
        Row(name: "an accent of its own", text: "nai\u{308}ve", width: 5),
        Row(name: "Chinese", text: "设备", width: 4), Row(name: "Japanese", text: "カタカナ", width: 8),
        Row(name: "halfwidth Japanese", text: "ｶﾀｶﾅ", width: 4), Row(name: "Korean", text: "한국", width: 4),
        Row(name: "Korean, letter by letter", text: "\u{1112}\u{1161}\u{11AB}", width: 2),
        Row(name: "fullwidth letters", text: "ＡＢ", width: 4), Row(name: "an emoji", text: "🔒 a", width: 4),
        Row(name: "a symbol of one column", text: "✓", width: 1), Row(name: "a flag", text: "🇨🇭", width: 2),
        Row(name: "beyond the first plane", text: "𠮷", width: 2), Row(name: "Arabic vowels", text: "مَ", width: 1),
    ]

    @Test(arguments: rows) func isThatOfTheTerminal(_ row: Row) { #expect(row.text.terminalWidth == row.width) }
}
