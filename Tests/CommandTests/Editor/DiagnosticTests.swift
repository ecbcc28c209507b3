import Analysis
import Documents
import PolicyEngine
import Testing

@testable import Editor
@testable import TestSupport

/// The problems that a client is shown are those of `lint`, for the text as it is shown.
@Suite struct DiagnosticTests {
    @Test func problemsComeWhileTypingAndGoAgain() throws {
        var bench = try EditorBench(Samples.files)
        try bench.open("s.yaml", Samples.scenario)
        expect(bench.shown("s.yaml"), equals: [])
        try bench.replace("s.yaml", Samples.scenario.replacing("amy, verdict", with: "ann, verdict"))
        // The line begins with `  - {at: 0s, fetch: [bob, amy], expect: [{group: bob, rejections: ["filter:vpn"]}, {group: `.
        expect(bench.shown("s.yaml"), equals: ["6:91 unknown group `ann`\nthere are `bob`, `amy`"])
        try bench.replace("s.yaml", "scenario: [\n")
        expect(bench.shown("s.yaml"), equals: ["1:0 expected a key or a value"])
        try bench.replace("s.yaml", Samples.scenario)
        expect(bench.shown("s.yaml"), equals: [])
    }

    @Test func aFindingOfLintHasItsCodeAndPage() throws {
        var bench = try EditorBench()
        try bench.open("a.yaml", "account: a\npolicy: default,default,all\n")
        let problem = try #require(bench.problems["a.yaml"]?.first)
        expect(problem["code"]?.text, equals: "annotates-everything")
        expect(problem["codeDescription"]?["href"]?.text?.hasSuffix("/docs/LINT.md#annotates-everything"), equals: true)
        expect(problem["severity"]?.integer, equals: 2)
        expect(bench.shown("a.yaml").first?.hasPrefix("1:8 the annotation policy `all`"), equals: true)
        expect(problem["range"]?["end"]?["character"]?.integer, equals: 27)
    }

    @Test func aScenarioSeesAnAccountThatIsNotSaved() throws {
        var bench = try EditorBench(Samples.files)
        try bench.open("s.yaml", Samples.scenario)
        try bench.open("prod.yaml", Samples.account)
        expect(bench.shown("s.yaml"), equals: [])
        let renamed = Samples.account.replacing("name: vpn", with: "name: van").replacing("[vpn", with: "[van")
        try bench.replace("prod.yaml", renamed)
        expect(
            bench.shown("s.yaml"),
            equals: [
                "6:67 unknown filter `vpn`\ndid you mean `van`?",
                "9:19 unknown metric `rejection-filter-vpn`\ndid you mean `van`?",
                "9:44 unknown metric `filter-vpn`\ndid you mean `van`?",
            ])
        // Closed without being saved, the file counts again.
        try bench.notify("textDocument/didClose", #"{"textDocument":{"uri":"\#(bench.uri("prod.yaml"))"}}"#)
        expect(bench.shown("s.yaml"), equals: [])
    }

    @Test func problemsOfAnAccountThatNobodyShowsAreItsOwn() throws {
        var bench = try EditorBench(["prod.yaml": "account: prod\npolcy: x\n", "s.yaml": Samples.scenario])
        try bench.open("s.yaml", Samples.scenario)
        expect(bench.shown("prod.yaml"), equals: ["1:0 unknown key `polcy` in the account\ndid you mean `policy`?"])
        try bench.replace("s.yaml", Samples.scenario.replacing("account: prod.yaml\n", with: ""))
        expect(bench.shown("prod.yaml"), equals: [])
    }

    /// Whatever is typed, in the end the problems are those that `lint` finds in a file with that text.
    @Test func randomEditsEndWithTheProblemsOfLint() throws {
        var chance = Chance(seed: 2026)
        var bench = try EditorBench(["prod.yaml": Samples.account], encodings: ["utf-8"])
        try bench.open("s.yaml", Samples.scenario)
        var text = Array(Samples.scenario.unicodeScalars)
        let pieces = [
            "", "", "x", " ", "\n", "😀", "\t", ":", "- ", "{", "}", "bob", "fetch: amy", "\r\n", "é", "'", "#",
        ]
        for version in 2..<2002 {
            // Now and then the text is mended, so that not all of it is noise.
            if chance.happens(3) {
                text = Array(Samples.scenario.unicodeScalars)
                try bench.session.note(bench.uri("s.yaml"), version: version, String(String.UnicodeScalarView(text)))
                continue
            }
            let start = chance.below(text.count + 1)
            let end = min(text.count, start + chance.pick([0, 0, 0, 1, 1, 2, 5]))
            let positions = TextPositions(Array(String(String.UnicodeScalarView(text)).utf8))
            let range = [start, end].map { positions.position(ofByte: positions.byte(ofScalar: $0), .utf8) }
            // Between CR and LF a client cannot point.
            guard range.map({ positions.scalar(ofByte: positions.byte(at: $0, .utf8)) }) == [start, end] else {
                continue
            }
            let piece = chance.pick(pieces)
            text.replaceSubrange(start..<end, with: piece.unicodeScalars)
            try bench.session.note(bench.uri("s.yaml"), version: version, piece, range[0], range[1])
            if version % 50 == 0 { try expectSame(&bench, String(String.UnicodeScalarView(text))) }
        }
        try expectSame(&bench, String(String.UnicodeScalarView(text)))
    }

    private func expectSame(_ bench: inout EditorBench, _ text: String) throws {
        try bench.notify("textDocument/didSave", #"{"textDocument":{"uri":"\#(bench.uri("s.yaml"))"}}"#)
        expect(bench.session.documents[bench.folder.path("s.yaml")]?.positions.bytes, equals: Array(text.utf8))
        try bench.folder.write(text, to: "s.yaml")
        var linter = Linter(within: FileBoundary(namedBy: [bench.folder.path]))
        linter.add(bench.folder.path("s.yaml"))
        let positions = TextPositions(Array(text.utf8))
        let lines = ParserLines(positions)
        // Without its keys a text is nobody's scenario.
        let isOurs = AnalysedFile(path: "s.yaml", positions: positions).kind != nil
        let all = isOurs ? linter.finish().diagnostics.all : []
        let expected = all.filter { $0.file.hasSuffix("s.yaml") }.map { diagnostic in
            let place = diagnostic.position.map { positions.position(ofByte: lines.byte(at: $0), .utf8) }
            return
                "\(place?.line ?? 0):\(place?.character ?? 0) \(diagnostic.message)\(diagnostic.hint.map { "\n\($0)" } ?? "")"
        }
        expect(bench.shown("s.yaml"), equals: expected)
    }
}

extension LanguageSession {
    /// Takes a change of a document; what it finds is not asked for.
    fileprivate mutating func note(
        _ uri: String, version: Int, _ text: String, _ start: TextPosition? = nil, _ end: TextPosition? = nil
    ) throws {
        var range = ""
        if let start, let end {
            range =
                #""range":{"start":{"line":\#(start.line),"character":\#(start.character)},"#
                + #""end":{"line":\#(end.line),"character":\#(end.character)}},"#
        }
        let message =
            #"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"\#(uri)","version":\#(version)},"#
            + #""contentChanges":[{\#(range)"text":\#(EditorBench.quoted(text))}]}}"#
        _ = accept(try RPCMessage(Array(message.utf8)))
    }
}
