import Documents
import Testing

@testable import TestSupport

@Suite struct DiagnosticTests {
    private func diagnostic(_ marked: String, message: String = "wrong", hint: String? = nil) -> Diagnostic {
        let marked = MarkedText(marked)
        let position = marked.positions["①"] ?? SourcePosition(line: 0, column: 0)
        return Diagnostic(in: marked.source, at: position, message: message, hint: hint)
    }

    struct Row: LabelledRow {
        let name: String
        let diagnostic: Diagnostic
        let rendered: String
    }

    static let rows = [
        Row(
            name: "file only", diagnostic: Diagnostic(file: "a.yaml", message: "wrong"),
            rendered: "a.yaml: error: wrong"),
        Row(
            name: "warning", diagnostic: Diagnostic(severity: .warning, file: "a.yaml", message: "odd"),
            rendered: "a.yaml: warning: odd"),
        Row(
            name: "line only", diagnostic: Diagnostic(file: "a.txt", line: 7, message: "wrong", hint: "do better"),
            rendered: "a.txt:7: error: wrong\n  hint: do better"),
        Row(
            name: "no excerpt",
            diagnostic: Diagnostic(file: "a.yaml", position: SourcePosition(line: 3, column: 5), message: "wrong"),
            rendered: "a.yaml:3:5: error: wrong"),
        Row(
            name: "excerpt and hint",
            diagnostic: Diagnostic(
                file: "a.yaml", position: SourcePosition(line: 3, column: 5), message: "unknown key `efect` in a rule",
                excerpt: "    efect: deny", hint: "did you mean `effect`?"),
            rendered: """
                a.yaml:3:5: error: unknown key `efect` in a rule
                      efect: deny
                      ^
                  hint: did you mean `effect`?
                """),
        Row(
            name: "an excerpt needs a position",
            diagnostic: Diagnostic(file: "a", line: 1, message: "wrong", excerpt: "x"),
            rendered: "a:1: error: wrong"),
        Row(
            name: "a column behind the line",
            diagnostic: Diagnostic(
                file: "a", position: SourcePosition(line: 1, column: 99), message: "wrong", excerpt: "xy"),
            rendered: "a:1:99: error: wrong\n  xy\n    ^"),
        Row(
            name: "a column that cannot be",
            diagnostic: Diagnostic(
                file: "a", position: SourcePosition(line: 0, column: -9), message: "wrong", excerpt: "xy"),
            rendered: "a:0:-9: error: wrong\n  xy\n  ^"),
        Row(
            name: "control characters in every part",
            diagnostic: Diagnostic(
                file: "a\u{1B}", position: SourcePosition(line: 1, column: 4), message: "x\u{1B}[2J\ny\u{7F}\u{9B}",
                excerpt: "a\u{1B}b\u{202E}c", hint: "\r\u{2066}"),
            rendered: "a␛:1:4: error: x␛[2J␊y␡<U+009B>\n  a␛b<U+202E>c\n     ^\n  hint: ␍<U+2066>"),
        Row(
            name: "a caret behind what is not seen",
            diagnostic: Diagnostic(
                file: "a", position: SourcePosition(line: 1, column: 4), message: "wrong", excerpt: "a\u{200B}\u{AD}b"),
            rendered: "a:1:4: error: wrong\n  a<U+200B><U+00AD>b\n                   ^"),
    ]

    @Test(arguments: rows) func isPrintedAsDocumented(_ row: Row) {
        #expect(row.diagnostic.rendered == row.rendered)
        #expect("\(row.diagnostic)" == row.rendered)
    }

    @Test func tabsStandBeforeTheCaretToo() {
        let rendered = diagnostic("a:\n\té\tb: ①x\n").rendered
        #expect(rendered == "file.yaml:2:7: error: wrong\n  \té\tb: x\n  \t \t   ^")
    }

    @Test func theLineBreakIsNotPartOfTheExcerpt() {
        #expect(diagnostic("a: 1\r\nb: ①2\r\n").rendered == "file.yaml:2:4: error: wrong\n  b: 2\n     ^")
    }

    @Test func behindTheLastLineThereIsNoExcerpt() {
        #expect(diagnostic("a: 1\n①").rendered == "file.yaml:2:1: error: wrong")
    }

    @Test(arguments: [0, 1, 59, 60, 61, 200, 5000]) func longLinesAreCutAroundTheColumn(before: Int) {
        for after in [0, 1, 59, 60, 61, 5000] where before + after >= 120 {
            let rendered = diagnostic(
                String(repeating: "é", count: before) + "①X" + String(repeating: "z", count: after)
            )
            .rendered
            let lines = rendered.split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines[1].count <= 2 + DocumentLimits.excerptLength + 2)
            let pointed = zip(lines[1], lines[2]).first { $0.1 == "^" }?.0
            #expect(pointed == "X")
            #expect(lines[1].hasPrefix("  …") == (before > 60))
            #expect(lines[1].hasSuffix("…") == (after > 59 && before + after >= 120))
        }
    }

    @Test func aLineOfTheLongestLengthIsShownWhole() {
        let line = String(repeating: "x", count: DocumentLimits.excerptLength)
        #expect(diagnostic("①" + line).excerpt == line)
        #expect(diagnostic(line.dropLast() + "①x").excerpt == line)
        #expect(diagnostic("①" + line + "x").excerpt == line + "…")
    }

    @Test func longTextIsQuotedInPart() {
        #expect("short".quoted == "`short`")
        #expect(String(repeating: "x", count: 80).quoted == "`" + String(repeating: "x", count: 80) + "`")
        #expect(String(repeating: "x", count: 81).quoted == "`" + String(repeating: "x", count: 80) + "…`")
    }
}
