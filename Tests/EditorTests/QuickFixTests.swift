import PolicyEngine
import Testing

@testable import TestSupport

/// A hint that proposes a text is an edit, and after it the problem is gone.
@Suite struct QuickFixTests {
    /// Each action with the text after it.
    private func fixes(
        _ text: String, _ name: String = "s.yaml", _ bench: inout EditorBench
    ) throws -> [(title: String, text: String?)] {
        try bench.open(name, text)
        let actions = try bench.request(
            "textDocument/codeAction",
            #"{"textDocument":{"uri":"\#(bench.uri(name))"},"range":{"start":{"line":0,"character":0},"#
                + #""end":{"line":99999,"character":0}},"context":{"diagnostics":[]}}"#)
        return try EditorBench.items(actions).map { action in
            (action["title"]?.text ?? "", try bench.edited(try #require(action["edit"]))[name])
        }
    }

    @Test(
        arguments: [
            ("scenario: x\ndevics: {}\n", "Write `devices` instead of `devics`", "scenario: x\ndevices: {}\n"),
            (
                "policy: defualt,default,risk\naccount: a\n", "Write `default` instead of `defualt`",
                "policy: default,default,risk\naccount: a\n"
            ),
            (
                "scenario: x\naccount: {filters: [{name: vpn, key: ip, match: a}]}\nexpect: {metrics: {filter-vpm: 1}}\n",
                "Write `vpn` instead of `vpm`",
                "scenario: x\naccount: {filters: [{name: vpn, key: ip, match: a}]}\nexpect: {metrics: {filter-vpn: 1}}\n"
            ),
            ("scenario: x\ncompletely: {}\n", nil, nil),
            (
                "account: a\nreject-flags: {add: [😀, \"roted\"]}\n", "Write `rooted` instead of `roted`",
                "account: a\nreject-flags: {add: [😀, \"rooted\"]}\n"
            ),
            (
                "scenario: x\r\nsteps: [{at: 0s, approov: polcy -get}]\r\n", "Write `policy` instead of `polcy`",
                "scenario: x\r\nsteps: [{at: 0s, approov: policy -get}]\r\n"
            ),
        ] as [(String, String?, String?)]) func misspeltNames(text: String, title: String?, fixed: String?) throws
    {
        var bench = try EditorBench()
        let fixes = try fixes(text, "s.yaml", &bench)
        #expect(fixes.first { $0.title == title }?.text == fixed)
        if title == nil { #expect(fixes.isEmpty) }
    }

    @Test(arguments: ["\n", "\r\n"]) func aFindingIsAllowedByAComment(lineBreak: String) throws {
        let text = "account: a\npolicy: default,default,all\n".replacing("\n", with: lineBreak)
        var bench = try EditorBench()
        let fix = try #require(try fixes(text, "a.yaml", &bench).first)
        #expect(fix.title == "Allow `annotates-everything` here, because it is meant")
        let comment = "# scenario: allow annotates-everything because it is meant\(lineBreak)"
        #expect(fix.text == text.replacing("policy", with: "\(comment)policy"))
        try bench.replace("a.yaml", try #require(fix.text), version: 3)
        #expect(bench.shown("a.yaml") == [])
    }

    @Test func aCommentThatAllowsNothingGoes() throws {
        let text =
            "account: a\n# scenario: allow annotates-everything because it was\npolicy: default,default,risk # scenario: allow annotates-everything because so\n"
        var bench = try EditorBench()
        let fixes = try fixes(text, "a.yaml", &bench)
        #expect(fixes.map(\.title) == ["Take the comment out", "Take the comment out"])
        #expect(
            fixes.map(\.text) == [
                "account: a\npolicy: default,default,risk # scenario: allow annotates-everything because so\n",
                "account: a\n# scenario: allow annotates-everything because it was\npolicy: default,default,risk\n",
            ])
    }

    /// Flags, keys and groups with a letter too few in random places: the fix brings the file back, byte by byte.
    @Test func randomMisspellingsAreMended() throws {
        var chance = Chance(seed: 5)
        let words = ["rooted", "devices", "account", "verdict", "filter:vpn", "metrics", "steps", "frida"]
        var mended = 0
        for _ in 0..<200 {
            let sound = Samples.scenario.replacing("odd", with: "frida")
            let lineBreak = chance.pick(["\n", "\r\n"])
            let text = ("# 😀\t" + chance.pick(["", "é"]) + "\n" + sound).replacing("\n", with: lineBreak)
            let word = chance.pick(words)
            var letters = Array(word)
            letters.remove(at: max(chance.below(letters.count), word.hasPrefix("filter:") ? 7 : 1))
            var bench = try EditorBench(Samples.files)
            let fixes = try fixes(text.replacing(word, with: String(letters)), "s.yaml", &bench)
            if fixes.contains(where: { $0.text == text }) { mended += 1 }
        }
        // Of a filter's name with two letters left there is often nothing near enough, and a file without `account` or `steps`
        // has other problems.
        #expect(mended >= 100, "\(mended)")
    }
}
