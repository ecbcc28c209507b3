import PolicyEngine
import Testing

@testable import Documents
@testable import TestSupport

/// Invisible characters are written by their numbers: for each character that there is, by the data of Unicode.
@Suite struct TerminalTextTests {
    private static let all = (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)

    @Test func whatIsNotSeenIsWrittenByItsNumber() {
        for scalar in Self.all where scalar.value > 0x7F {
            let shown = String(scalar).showingControls()
            let isHidden = Invisible.writtenByNumber.contains(scalar)
            let expected = isHidden ? Invisible.number(scalar.value) : String(scalar)
            if Array(shown.utf8) != Array(expected.utf8) {
                Issue.record("U+\(String(scalar.value, radix: 16)): \(shown)")
            }
        }
    }

    @Test func asciiHasPictures() {
        for scalar in Self.all.prefix(0x80) {
            let picture: UInt32 =
                scalar.value < 0x20 ? 0x2400 + scalar.value : scalar.value == 0x7F ? 0x2421 : scalar.value
            expect(Array(String(scalar).showingControls().unicodeScalars.map(\.value)), equals: [picture])
        }
        expect("a\tb\u{200B}\n".showingControls(keepingTabs: true), equals: "a\tb<U+200B>␊")
        expect("a\tb\u{200B}\n".showingControls(keepingLines: true), equals: "a␉b<U+200B>\n")
    }

    // The modules do not know each other.
    @Test func jsonEscapesTheSame() {
        for scalar in Invisible.writtenByNumber {
            var output = JSONBytes()
            output.string(String(scalar))
            if !output.bytes.allSatisfy({ 0x20...0x7E ~= $0 }) { Issue.record("\(scalar.value)") }
        }
    }

    struct Row: LabelledRow {
        let name: String
        /// Writes `a`, a soft hyphen, `b` in the form.
        let written: @Sendable (String) -> String
        let expected: String

        init(_ name: String, _ expected: String, _ written: @escaping @Sendable (String) -> String) {
            (self.name, self.expected, self.written) = (name, expected, written)
        }

        init(bytes name: String, _ expected: String, _ append: @escaping @Sendable (String, inout [UInt8]) -> Void) {
            self.init(name, expected) { text in
                var bytes: [UInt8] = []
                append(text, &bytes)
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    static let forms = [
        Row("text", "a<U+00AD>b") { $0.showingControls() },
        Row("GitHub", "a<U+00AD>b") { Escape.gitHub($0) },
        Row("a property of GitHub", "a<U+00AD>b") { Escape.gitHub($0, isProperty: true) },
        Row("Markdown", "a\\<U+00AD\\>b") { Escape.markdown($0) },
        Row("TAP", "a<U+00AD>b") { Escape.tap($0) },
        Row("XML", "a&#173;b") { Escape.xml($0) },
        Row("a mail's header", "a<U+00AD>b") { Escape.mail(header: $0) },
        Row("YAML", "\"a\\u00ADb\"") { ScalarText.write($0, isInFlow: false) },
        Row("YAML in single quotes", "\"a\\u00ADb\"") { ScalarText.write($0, quotes: .single, isInFlow: false) },
        Row(bytes: "HTML", "a&lt;U+00AD&gt;b") { Escape.append(html: $0, to: &$1) },
        Row(bytes: "CSV", "a<U+00AD>b") { Escape.append(csv: $0, to: &$1) },
        Row(bytes: "OpenMetrics", "a<U+00AD>b") { Escape.append(openMetrics: $0, to: &$1) },
    ]

    @Test(arguments: forms) func everyFormDoesSo(_ row: Row) {
        expect(Array(row.written("a\u{AD}b").utf8), equals: Array(row.expected.utf8))
        for scalar in Invisible.writtenByNumber {
            let written = row.written("a\(scalar)b")
            if written.unicodeScalars.contains(scalar) { Issue.record("\(row.name): \(scalar.value)") }
        }
    }
}

/// The columns that a terminal gives to a text.
@Suite struct TerminalWidthTests {
    private static let files = CaseFile.all(in: "Tables/words", ending: "widths.txt")

    @Test(arguments: files) func isThatOfTheTerminal(_ file: CaseFile) throws {
        try file.expectActual { TextCase.lines($0) { "\($0.terminalWidth)" } }
        expect("".terminalWidth, equals: 0)
    }
}
