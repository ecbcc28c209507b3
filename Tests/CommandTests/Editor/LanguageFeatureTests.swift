import PolicyEngine
import Testing

@testable import Accounts
@testable import Documents
@testable import Editor
@testable import Scenarios
@testable import TestSupport

/// Words on names and keys, and places of names, as far as `Tests/Tables/editor` does not show them.
@Suite struct LanguageFeatureTests {
    @Test func durationsAreSaidInFull() throws {
        expect(Hover.duration("1y2d"), equals: "1 year 2 days, 31,708,800 seconds in all")
        expect(Hover.duration("0s"), equals: "0 seconds")
        #expect(Hover.duration("5") == nil)
    }

    /// Completion offers the keys of a mapping with these sentences, and a pointer on a key shows them.
    @Test func everyKeyHasASentence() {
        var missing: [String] = []
        // The forms of a key are walked once, however deep it is.
        var seen: Set<Int> = []
        func walk(_ forms: [Int], _ schema: DocumentSchema, _ path: String) {
            let new = forms.filter { seen.insert($0).inserted }
            guard !new.isEmpty else { return }
            for (key, summary) in schema.keys(of: new) {
                if summary?.hasSuffix(".") != true { missing.append("\(path).\(key)") }
                walk(schema.value(of: key, in: new).forms, schema, "\(path).\(key)")
            }
            walk(schema.items(of: new), schema, path)
            walk(schema.value(of: "no key", in: new).forms, schema, path)
        }
        for kind in [AnalysedFile.Kind.account, .scenario] {
            seen = []
            walk(kind.schema.root, kind.schema, "\(kind)")
        }
        expect(missing, equals: [])
    }

    @Test func whatIsChosenReplacesWhatIsTyped() throws {
        var bench = try EditorBench(Samples.files)
        let result = try bench.ask("completion", at: "scenario: x\ndevices: {bob: {}}\nsteps: [{at: 0s, fetch: b‸}]\n")
        let edit = try #require(EditorBench.items(result).first?["textEdit"])
        expect(edit["newText"]?.text, equals: "bob")
        // `steps: [{at: 0s, fetch: ` has 24 characters.
        expect(edit["range"]?["start"]?["character"]?.integer, equals: 24)
        expect(edit["range"]?["end"]?["character"]?.integer, equals: 25)
    }

    @Test func aFilterIsReferredToInAllScenariosOfItsAccount() throws {
        var bench = try EditorBench(
            Samples.files.merging([
                "t.yaml": Samples.scenario, "u.yaml": Samples.scenario.replacing("prod.yaml", with: "other.yaml"),
                "other.yaml": Samples.account,
            ]) { $1 })
        let result = try bench.ask(
            "references", "prod.yaml", at: Samples.account.replacing("name: vpn", with: "name: vp‸n"),
            #","context":{"includeDeclaration":false}"#)
        expect(
            EditorBench.items(result).map { EditorCase.place($0, bench) },
            equals: [
                "prod.yaml:7:31", "s.yaml:6:75", "s.yaml:9:36", "s.yaml:9:51", "t.yaml:6:75", "t.yaml:9:36",
                "t.yaml:9:51",
            ])
    }
}

/// A run on request: its results are beside the lines, and what failed can be rewritten.
@Suite struct CodeLensTests {
    private static let failing = """
        scenario: Fails
        devices:
          bob: {flags: [rooted], os: android}
        steps:
          - at: 0s
            fetch: bob
            expect:
              verdict: pass # 😀
              rejections: [rooted]
        expect: {metrics: {pass: 1}}

        """

    private func run(_ bench: inout EditorBench) throws {
        _ = try bench.request(
            "workspace/executeCommand", #"{"command":"scenario.run","arguments":["\#(bench.uri("s.yaml"))"]}"#)
        try bench.notify("$/setTrace", #"{"value":"off"}"#)
    }

    @Test func resultsAreBesideTheLinesUntilTheTextChanges() throws {
        var bench = try EditorBench()
        try bench.open("s.yaml", Self.failing)
        try expect(bench.lenses("s.yaml"), equals: ["0 run"])
        try run(&bench)
        let shown = try bench.lenses("s.yaml")
        expect(shown.map { $0.prefix(2) }, equals: ["0 ", "7 ", "8 ", "9 "])
        expect(shown[0], equals: "0 run: failed, 2 of 3 expectations")
        #expect(shown[1].hasPrefix("7 failed: verdict of all: expected pass, found fail"))
        expect(shown[2], equals: "8 passed: rejections of all")
        expect(shown[3], equals: "9 failed: metric pass: expected 1, found 0")
        try bench.replace("s.yaml", Self.failing + "# more\n")
        try expect(bench.lenses("s.yaml"), equals: ["0 run"])
    }

    @Test func whatFailedIsRewrittenAsByUpdate() throws {
        var bench = try EditorBench()
        for lineBreak in ["\n", "\r\n"] {
            let text = Self.failing.replacing("\n", with: lineBreak)
            try bench.open("s.yaml", text)
            try run(&bench)
            let actions = try bench.request(
                "textDocument/codeAction",
                #"{"textDocument":{"uri":"\#(bench.uri("s.yaml"))"},"range":{"start":{"line":0,"character":0},"#
                    + #""end":{"line":0,"character":0}},"context":{"diagnostics":[]}}"#)
            let action = try #require(EditorBench.items(actions).first)
            expect(action["title"]?.text, equals: "Update 2 expectations with the actual results")
            let after = try bench.edited(try #require(action["edit"]))["s.yaml"]
            expect(
                after,
                equals: text.replacing("verdict: pass", with: "verdict: fail").replacing("pass: 1", with: "pass: 0"))
            try bench.replace("s.yaml", try #require(after), version: 7)
            try run(&bench)
            try expect(bench.lenses("s.yaml").first, equals: "0 run: passed, 3 expectations held")
        }
    }

    @Test func anAccountThatIsNotSavedCounts() throws {
        var bench = try EditorBench(Samples.files)
        try bench.open("s.yaml", Samples.scenario)
        try run(&bench)
        try expect(bench.lenses("s.yaml").first, equals: "0 run: passed, 4 expectations held")
        try bench.open("prod.yaml", Samples.account.replacing(", reject: true", with: ""))
        try expect(bench.lenses("s.yaml"), equals: ["0 run"], "its account has changed")
        try run(&bench)
        try expect(bench.lenses("s.yaml").first?.hasPrefix("0 run: failed, 2 of 4"), equals: true)
    }
}
