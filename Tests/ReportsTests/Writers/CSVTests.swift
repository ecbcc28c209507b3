import Testing

@testable import Reports
@testable import TestSupport

/// Fields of comma-separated values, as RFC 4180 has them, whatever strangers call their apps.
@Suite struct CSVTests {
    struct Row: LabelledRow {
        let text, field: String
    }

    static let rows = [
        Row(text: "plain", field: "plain"),
        Row(text: "", field: ""),
        Row(text: "a,b", field: "\"a,b\""),
        Row(text: "a\"b", field: "\"a\"\"b\""),
        Row(text: "a b", field: "\"a b\""),
        Row(text: "=cmd()", field: "\"'=cmd()\""),
        Row(text: "+1", field: "\"'+1\""),
        Row(text: "-1", field: "\"'-1\""),
        Row(text: "@SUM(1)", field: "\"'@SUM(1)\""),
        Row(text: "\t=1", field: "\"'␉=1\""),
        Row(text: "a\r\nb", field: "a␍␊b"),
        Row(text: "\u{1B}[2J", field: "␛[2J"),
        Row(text: "a\u{202E}b", field: "a<U+202E>b"),
        Row(text: "\u{200B}=1", field: "<U+200B>=1"),
        Row(text: "a|b", field: "a|b"),
        Row(text: "ü≠", field: "ü≠"),
    ]

    @Test(arguments: rows) func aFieldDoesNothingButStandThere(_ row: Row) {
        let output = CSVOutput(columns: [.count(1), .words(row.text), "+w4m=="])
        #expect(String(decoding: output.bytes, as: UTF8.self) == "1,\(row.field),+w4m==\r\n")
    }

    @Test(arguments: Attack.withLines) func noNameEndsItsField(_ attack: Attack) {
        let row = String(decoding: CSVOutput(columns: [.words(attack.text)]).bytes, as: UTF8.self)
        let text = row.dropLast()
        #expect(row.hasSuffix("\r\n"))
        #expect(!text.unicodeScalars.contains { Attack.forbidden.contains($0) || $0 == "\r" || $0 == "\n" })
        #expect(!"=+-@".contains(text.first ?? "x"))
        // Within quotes every quote is doubled; without them there is none, and no comma.
        let inner = text.hasPrefix("\"") ? text.dropFirst().dropLast().replacing("\"\"", with: "") : text[...]
        #expect(!inner.contains("\""))
        #expect(text.hasPrefix("\"") || !text.contains(","))
    }
}
