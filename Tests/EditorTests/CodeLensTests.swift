import PolicyEngine
import Testing

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
        #expect(try bench.lenses("s.yaml") == ["0 run"])
        try run(&bench)
        let shown = try bench.lenses("s.yaml")
        #expect(shown.map { $0.prefix(2) } == ["0 ", "7 ", "8 ", "9 "])
        #expect(shown[0] == "0 run: failed, 2 of 3 expectations")
        #expect(shown[1].hasPrefix("7 failed: verdict of all: expected pass, found fail"))
        #expect(shown[2] == "8 passed: rejections of all")
        #expect(shown[3] == "9 failed: metric pass: expected 1, found 0")
        try bench.replace("s.yaml", Self.failing + "# more\n")
        #expect(try bench.lenses("s.yaml") == ["0 run"])
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
            #expect(action["title"]?.text == "Update 2 expectations with the actual results")
            let after = try bench.edited(try #require(action["edit"]))["s.yaml"]
            #expect(
                after == text.replacing("verdict: pass", with: "verdict: fail").replacing("pass: 1", with: "pass: 0"))
            try bench.replace("s.yaml", try #require(after), version: 7)
            try run(&bench)
            #expect(try bench.lenses("s.yaml").first == "0 run: passed, 3 expectations held")
        }
    }

    @Test func anAccountThatIsNotSavedCounts() throws {
        var bench = try EditorBench(Samples.files)
        try bench.open("s.yaml", Samples.scenario)
        try run(&bench)
        #expect(try bench.lenses("s.yaml").first == "0 run: passed, 4 expectations held")
        try bench.open("prod.yaml", Samples.account.replacing(", reject: true", with: ""))
        #expect(try bench.lenses("s.yaml") == ["0 run"], "its account has changed")
        try run(&bench)
        #expect(try bench.lenses("s.yaml").first?.hasPrefix("0 run: failed, 2 of 4") == true)
    }
}
