import Testing

@testable import Documents
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
            name: "no excerpt",
            diagnostic: Diagnostic(file: "a.yaml", position: SourcePosition(line: 3, column: 5), message: "wrong"),
            rendered: "a.yaml:3:5: error: wrong"),
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
        expect(row.diagnostic.rendered, equals: row.rendered)
        expect("\(row.diagnostic)", equals: row.rendered)
    }

    @Test func tabsStandBeforeTheCaretToo() {
        let rendered = diagnostic("a:\n\té\tb: ①x\n").rendered
        expect(rendered, equals: "file.yaml:2:7: error: wrong\n  \té\tb: x\n  \t \t   ^")
    }

    @Test func theLineBreakIsNotPartOfTheExcerpt() {
        expect(diagnostic("a: 1\r\nb: ①2\r\n").rendered, equals: "file.yaml:2:4: error: wrong\n  b: 2\n     ^")
    }

    @Test func behindTheLastLineThereIsNoExcerpt() {
        expect(diagnostic("a: 1\n①").rendered, equals: "file.yaml:2:1: error: wrong")
    }

    @Test(arguments: [0, 1, 59, 60, 61, 200, 5000]) func longLinesAreCutAroundTheColumn(before: Int) {
        for after in [0, 1, 59, 60, 61, 5000] where before + after >= 120 {
            let rendered = diagnostic(
                String(repeating: "é", count: before) + "①X" + String(repeating: "z", count: after)
            )
            .rendered
            let lines = rendered.split(separator: "\n")
            expect(lines.count, equals: 3)
            #expect(lines[1].count <= 2 + DocumentLimits.excerptLength + 2)
            let pointed = zip(lines[1], lines[2]).first { $0.1 == "^" }?.0
            expect(pointed, equals: "X")
            expect(lines[1].hasPrefix("  …"), equals: (before > 60))
            expect(lines[1].hasSuffix("…"), equals: (after > 59 && before + after >= 120))
        }
    }

    @Test func aLineOfTheLongestLengthIsShownWhole() {
        let line = String(repeating: "x", count: DocumentLimits.excerptLength)
        expect(diagnostic("①" + line).excerpt, equals: line)
        expect(diagnostic(line.dropLast() + "①x").excerpt, equals: line)
        expect(diagnostic("①" + line + "x").excerpt, equals: line + "…")
    }

    @Test func longTextIsQuotedInPart() {
        expect("short".quoted, equals: "`short`")
        expect(String(repeating: "x", count: 80).quoted, equals: "`" + String(repeating: "x", count: 80) + "`")
        expect(String(repeating: "x", count: 81).quoted, equals: "`" + String(repeating: "x", count: 80) + "…`")
    }
}

@Suite struct DiagnosticsTests {
    private func make(
        _ file: String, _ line: Int, _ column: Int, _ message: String, _ severity: Diagnostic.Severity = .error
    ) -> Diagnostic {
        Diagnostic(
            severity: severity, file: file, position: SourcePosition(line: line, column: column), message: message)
    }

    @Test func startsEmpty() {
        let diagnostics = Diagnostics()
        #expect(diagnostics.isEmpty)
        #expect(!diagnostics.hasErrors)
        #expect(diagnostics.all.isEmpty)
    }

    @Test func warningsAreNotErrors() {
        var diagnostics = Diagnostics(make("a", 1, 1, "odd", .warning))
        #expect(!diagnostics.isEmpty)
        #expect(!diagnostics.hasErrors)
        diagnostics.add(make("a", 1, 1, "wrong"))
        #expect(diagnostics.hasErrors)
    }

    @Test func aProblemThatWasTakenOutCanComeAgain() {
        var diagnostics = Diagnostics(make("a", 1, 1, "wrong"))
        diagnostics.add(make("a", 2, 1, "odd", .warning))
        diagnostics.remove { $0.severity == .error }
        #expect(diagnostics.all.map(\.message) == ["odd"] && !diagnostics.hasErrors)
        diagnostics.add(make("a", 1, 1, "wrong"))
        #expect(diagnostics.all.map(\.message) == ["wrong", "odd"] && diagnostics.hasErrors)
    }

    @Test func aProblemWithoutAPositionComesBeforeThoseOfItsLine() {
        let line = Diagnostic(file: "a", line: 1, message: "of the line")
        let file = Diagnostic(file: "a", message: "of the file")
        var diagnostics = Diagnostics(make("a", 1, 1, "of the column"))
        diagnostics.add([line, file])
        expect(diagnostics.all.map(\.message), equals: ["of the file", "of the line", "of the column"])
    }

    // Only the given words are quoted, and only if they come first.
    @Test(arguments: [
        ("nothing quoted", "nothing quoted"), ("a `word` b", "a `word` b"), ("a `other` b", "a `…` b"),
        ("a `word` and `other` b", "a `word`… b"), ("a `other` and `word` b", "a `…` b"), ("`word`", "`word`"),
        ("a `` b", "a `…` b"), ("a `word`` b", "a `word`… b"),
    ])
    func quotesOnlyWords(message: String, shown: String) {
        var diagnostics = Diagnostics()
        diagnostics.add(Diagnostic(file: "secret", line: 3, message: message, hint: message))
        diagnostics.add(Diagnostic(severity: .warning, file: "other", message: message))
        let quoted = diagnostics.quotingOnly(["word"], in: "secret").all
        expect(quoted.map(\.message), equals: [shown, message])
        #expect(quoted.map(\.hint) == [shown, nil] && quoted.map(\.line) == [3, nil])
        expect(quoted.map(\.severity), equals: [.error, .warning])
    }

    @Test func sortsByFileThenPositionThenArrival() {
        var diagnostics = Diagnostics()
        diagnostics.add(make("z", 9, 1, "first"))
        diagnostics.add(make("a", 2, 2, "fifth"))
        diagnostics.add(make("z", 9, 2, "second"))
        diagnostics.add(make("a", 2, 1, "third"))
        diagnostics.add(make("a", 2, 1, "fourth"))
        diagnostics.add(Diagnostic(file: "z", message: "before all"))
        diagnostics.add(Diagnostic(file: "z", line: 3, message: "in between"))
        let expected = ["before all", "in between", "first", "second", "third", "fourth", "fifth"]
        expect(diagnostics.all.map(\.message), equals: expected)
    }

    @Test func keepsEachProblemOnce() {
        var diagnostics = Diagnostics()
        for _ in 0..<3 { diagnostics.add(make("a", 1, 1, "wrong")) }
        diagnostics.add(make("a", 1, 1, "wrong", .warning))
        expect(diagnostics.all.count, equals: 2)
    }

    @Test func mergingKeepsTheOrderOfFiles() {
        var diagnostics = Diagnostics(make("b", 1, 1, "one"))
        var other = Diagnostics(make("a", 1, 1, "three"))
        other.add(make("b", 2, 1, "two"))
        other.add(make("b", 1, 1, "one"))
        diagnostics.merge(other)
        expect(diagnostics.all.map(\.message), equals: ["one", "two", "three"])
    }

    @Test func tooManyAreMentionedOnly() {
        var diagnostics = Diagnostics()
        for line in 1...150 { diagnostics.add(make("a", line, 1, "odd", .warning)) }
        for line in 1...150 { diagnostics.add(make("a", line, 2, "wrong")) }
        diagnostics.add(make("b", 1, 1, "last"))
        let expected = [
            "a: error: more than 100 errors; the others are not shown",
            "a: warning: more than 100 warnings; the others are not shown", "b:1:1: error: last",
        ]
        expect(diagnostics.all.count, equals: 203)
        expect(diagnostics.all.suffix(3).map(\.rendered), equals: expected)
        var merged = Diagnostics(make("c", 1, 1, "first"))
        merged.merge(diagnostics)
        expect(merged.all.suffix(3).map(\.rendered), equals: expected)
    }

    @Test func repeatingWhatIsKeptIsNotTooMany() {
        var diagnostics = Diagnostics()
        for line in 1...100 { diagnostics.add(make("a", line, 1, "wrong")) }
        diagnostics.merge(diagnostics)
        expect(diagnostics.all.count, equals: 100)
    }
}

/// Errors that describe themselves, and the diagnostics made of them.
@Suite struct DescribedErrorTests {
    private struct Failure: DescribedError {
        let description = "there is no filter `lab`"
        var hint: String?
        var known: [String] = []

        var choice: (wrong: String, known: [String])? { known.isEmpty ? nil : ("lab", known) }
    }

    @Test func theNearestNameHelpsWhereThereIsNoHint() {
        #expect(Failure().help == nil)
        expect(Failure(known: ["lap", "shop"]).help, equals: "did you mean `lap`?")
        expect(Failure(hint: "add it", known: ["lap"]).help, equals: "add it")
    }

    @Test func theSubjectStandsInFront() {
        expect(Failure().message(about: nil), equals: "there is no filter `lab`")
        expect(Failure().message(about: "account `a`"), equals: "account `a`: there is no filter `lab`")
    }

    @Test func anAttemptAddsTheErrorOfItsStep() {
        var diagnostics = Diagnostics()
        let result: Int? = diagnostics.attempt(in: "a.yaml", line: 3) { () throws(Failure) in
            throw Failure(hint: "add it")
        }
        #expect(result == nil)
        expect(diagnostics.all.map(\.rendered), equals: ["a.yaml:3: error: there is no filter `lab`\n  hint: add it"])
        expect(diagnostics.attempt(in: "a.yaml") { () throws(Failure) in 7 }, equals: 7)
        expect(diagnostics.all.count, equals: 1)
    }

    @Test func anAttemptOfAReaderNotesTheErrorAtItsPosition() {
        var reader = DocumentReader(source: SourceFile(path: "a.yaml", text: "keys: x\n"))
        let position = SourcePosition(line: 1, column: 7)
        let result: Int? = reader.attempt(at: position, about: "key file `x`") { () throws(Failure) in
            throw Failure(known: ["lap"])
        }
        #expect(result == nil)
        let lines = [
            "a.yaml:1:7: error: key file `x`: there is no filter `lab`", "  keys: x", "        ^",
            "  hint: did you mean `lap`?",
        ]
        expect(reader.diagnostics.all.map(\.rendered), equals: [lines.joined(separator: "\n")])
    }
}
