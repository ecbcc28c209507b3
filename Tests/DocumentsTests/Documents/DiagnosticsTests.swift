import Documents
import Testing

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
        #expect(diagnostics.all.map(\.message) == ["of the file", "of the line", "of the column"])
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
        #expect(quoted.map(\.message) == [shown, message])
        #expect(quoted.map(\.hint) == [shown, nil] && quoted.map(\.line) == [3, nil])
        #expect(quoted.map(\.severity) == [.error, .warning])
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
        #expect(diagnostics.all.map(\.message) == expected)
    }

    @Test func keepsEachProblemOnce() {
        var diagnostics = Diagnostics()
        for _ in 0..<3 { diagnostics.add(make("a", 1, 1, "wrong")) }
        diagnostics.add(make("a", 1, 1, "wrong", .warning))
        #expect(diagnostics.all.count == 2)
    }

    @Test func mergingKeepsTheOrderOfFiles() {
        var diagnostics = Diagnostics(make("b", 1, 1, "one"))
        var other = Diagnostics(make("a", 1, 1, "three"))
        other.add(make("b", 2, 1, "two"))
        other.add(make("b", 1, 1, "one"))
        diagnostics.merge(other)
        #expect(diagnostics.all.map(\.message) == ["one", "two", "three"])
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
        #expect(diagnostics.all.count == 203)
        #expect(diagnostics.all.suffix(3).map(\.rendered) == expected)
        var merged = Diagnostics(make("c", 1, 1, "first"))
        merged.merge(diagnostics)
        #expect(merged.all.suffix(3).map(\.rendered) == expected)
    }

    @Test func repeatingWhatIsKeptIsNotTooMany() {
        var diagnostics = Diagnostics()
        for line in 1...100 { diagnostics.add(make("a", line, 1, "wrong")) }
        diagnostics.merge(diagnostics)
        #expect(diagnostics.all.count == 100)
    }
}
