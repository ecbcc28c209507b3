import Testing

@testable import Documents

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
        #expect(Failure(known: ["lap", "shop"]).help == "did you mean `lap`?")
        #expect(Failure(hint: "add it", known: ["lap"]).help == "add it")
    }

    @Test func theSubjectStandsInFront() {
        #expect(Failure().message(about: nil) == "there is no filter `lab`")
        #expect(Failure().message(about: "account `a`") == "account `a`: there is no filter `lab`")
    }

    @Test func anAttemptAddsTheErrorOfItsStep() {
        var diagnostics = Diagnostics()
        let result: Int? = diagnostics.attempt(in: "a.yaml", line: 3) { () throws(Failure) in
            throw Failure(hint: "add it")
        }
        #expect(result == nil)
        #expect(diagnostics.all.map(\.rendered) == ["a.yaml:3: error: there is no filter `lab`\n  hint: add it"])
        #expect(diagnostics.attempt(in: "a.yaml") { () throws(Failure) in 7 } == 7)
        #expect(diagnostics.all.count == 1)
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
        #expect(reader.diagnostics.all.map(\.rendered) == [lines.joined(separator: "\n")])
    }
}
