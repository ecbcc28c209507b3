import PolicyEngine
import Testing

@testable import Accounts
@testable import Documents
@testable import Editor
@testable import Scenarios
@testable import TestSupport

/// The words on names and keys, and the places of names.
@Suite struct LanguageFeatureTests {
    private func bench() throws -> EditorBench { try EditorBench(Samples.files) }

    // MARK: Hover

    private func hover(_ marked: String, _ name: String = "s.yaml") throws -> String? {
        var bench = try bench()
        return try bench.ask("hover", name, at: marked)["contents"]?["value"]?.text
    }

    private static let head = "scenario: x\naccount: prod.yaml\ndevices: {bob: {count: 3, os: ios}}\n"

    @Test func aFlagIsExplainedByTheCatalogueAndThePresets() throws {
        let words = try #require(try hover(Self.head + "steps: [{at: 0s, set: {group: bob, flags: [ro‸oted]}}]\n"))
        // R2.1, and the rows of R4.2, with the exception of R4.3.
        #expect(words.contains("**flag `rooted`** (R2.1): Device is rooted, Magisk included."))
        #expect(words.contains("It makes the device risky"))
        #expect(
            words.hasSuffix(
                "Presets that reject on it: `default`, `strict`, `allow-cloned`, `allow-xposed` (unless `xposed` is set, too)."
            ))
    }

    @Test func aDeclaredFlagIsExplainedByItsAccount() throws {
        let words = try hover(Self.head + "steps: [{at: 0s, set: {group: bob, flags: [o‸dd]}}]\n")
        expect(words, equals: "**flag `odd`** (R2.1): Something odd.")
    }

    @Test func aFilterIsExplainedWhereverItIsNamed() throws {
        let vpn =
            "**filter `vpn`** (R7) matches where the regex `^10\\.` is found in `ip`.\n\nThen it has the effect of `reject`."
        try expect(
            hover(Self.head + "steps: [{at: 0s, fetch: bob, expect: {rejections: ['filter:v‸pn']}}]\n"), equals: vpn)
        try expect(hover(Self.head + "steps: [{at: 0s, approov: filter -remove vp‸n}]\n"), equals: vpn)
        try expect(hover(Self.head + "expect: {metrics: {rejection-filter-v‸pn: 1}}\n"), equals: vpn)
        try expect(
            hover("filters: [{name: a, conjunction: [b‸]}, {name: b, key: ip, match: '1'}]\n", "a.yaml"),
            equals: "**filter `b`** (R7) matches where `ip` is `1`.")
    }

    @Test func durationsAreSaidInFull() throws {
        try expect(hover("scenario: x\nsteps: [{at: 1h‸30m}]\n"), equals: "1 hour 30 minutes, 5,400 seconds in all")
        try expect(hover("scenario: x\nsteps: [{at: ‸45s}]\n"), equals: "45 seconds")
        expect(Hover.duration("1y2d"), equals: "1 year 2 days, 31,708,800 seconds in all")
        expect(Hover.duration("0s"), equals: "0 seconds")
        #expect(Hover.duration("5") == nil)
    }

    /// Completion offers the keys of a mapping with these sentences, and a pointer on a key shows them.
    @Test func everyKeyHasASentence() {
        var (used, missing): (Set<String>, [String]) = ([], [])
        let all = [AccountSchema.sentences, ScenarioSchema.sentences]
        // The forms of a key are walked once, however deep it is.
        var seen: Set<Int> = []
        func walk(_ forms: [Int], _ schema: DocumentSchema, _ path: String) {
            let new = forms.filter { seen.insert($0).inserted }
            guard !new.isEmpty else { return }
            for (key, summary) in schema.keys(of: new) {
                if summary?.hasSuffix(".") != true { missing.append("\(path).\(key)") }
                used.formUnion(all.flatMap(\.names).filter { $0 == key || $0.hasSuffix(".\(key)") })
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
        expect(Set(all.flatMap(\.names)).subtracting(used), equals: [])
    }

    @Test func aKeyIsExplainedByItsSentence() throws {
        try expect(
            hover("filters: [{na‸me: a, key: ip, match: '1'}]\n", "a.yaml"),
            equals: "**name**: The name of the filter, which commands, reports and conjunctions use.")
        try expect(
            hover(Self.head + "steps: [{a‸t: 0s, fetch: bob}]\n"),
            equals: "**at**: The time of the step from the start, such as 1h30m.")
    }

    @Test func keysPresetsGroupsAndCommandsHaveWords() throws {
        try expect(
            hover("acc‸ount: a\n", "a.yaml")?.hasPrefix("**account**: The name; it takes part in sampling"),
            equals: true)
        try expect(
            hover("account: a\npolicy: default,allow-‸root,risk\n", "a.yaml"),
            equals: "**rejection policy `allow-root`** (R4.2): \(RejectionPreset.allowRoot.summary).")
        try expect(
            hover(Self.head + "steps: [{at: 0s, fetch: b‸ob}]\n"), equals: "**group `bob`** has 3 devices on ios.")
        try expect(
            hover(Self.head + "steps: [{at: 0s, approov: ‸policy -get}]\n")?.contains("`policy`**: it takes `-get`"),
            equals: true)
        #expect(try hover("account: a # not‸hing\n", "a.yaml") == nil)
    }

    // MARK: Completion

    private func offers(_ marked: String, _ name: String = "s.yaml") throws -> [String] {
        var bench = try bench()
        let result = try bench.ask("completion", name, at: marked)
        return EditorBench.items(result).compactMap { $0["label"]?.text }
    }

    @Test(arguments: [
        "steps: [{at: 0s, fetch: ‸}]\n", "steps: [{at: 0s, fetch: b‸}]\n", "steps:\n  - at: 0s\n    fetch: ‸\n",
        "steps:\n  - {at: 0s, fetch: ‸", "steps: [{at: 0s, fetch: [bob, ‸]}]\n",
    ]) func groupsAreOfferedAlsoWhereTheTextCannotBeRead(rest: String) throws {
        try expect(offers(Self.head + rest), equals: ["bob", "all"])
    }

    @Test func keysAreThoseOfThePlace() throws {
        let keys = try offers(Self.head + "steps:\n  - at: 0s\n    ‸\n")
        #expect(keys.contains("fetch") && keys.contains("approov") && keys.contains("every"))
        #expect(!keys.contains("at"), "it is there")
        #expect(try offers("account: a\nre‸\n", "a.yaml").contains("reject-flags"))
        try expect(
            offers("account: a\nfilters: [{name: x, ‸}]\n", "a.yaml").prefix(3), equals: ["key", "match", "regex"])
    }

    @Test func namesComeFromTheAccountAndTheCommands() throws {
        try expect(
            offers(Self.head + "steps: [{at: 0s, approov: filter -remove ‸}]\n"), equals: ["vpn", "lab", "both"])
        let rejections =
            Self.head + "steps: [{at: 0s, approov: filter -add new -key ip -matchValue x}, "
            + "{at: 1s, fetch: bob, expect: {rejections: ['filter:‸']}}]\n"
        try expect(offers(rejections), equals: ["vpn", "lab", "both", "new"])
        let flags = try offers(Self.head + "steps: [{at: 0s, set: {group: bob, flags: [‸]}}]\n")
        #expect(flags.contains("rooted") && flags.contains("odd"))
        try expect(offers(Self.head + "steps: [{at: 0s, fetch: bob, domain: ‸}]\n"), equals: ["api.example.com"])
        #expect(try offers("account: a\nfilters: [{name: x, key: app‸}]\n", "a.yaml").contains("appid"))
    }

    @Test func partsOfPoliciesAndCommands() throws {
        try expect(
            offers("account: a\npolicy: default,‸\n", "a.yaml"), equals: RejectionPreset.allCases.map(\.rawValue))
        #expect(try offers("account: a\npolicy: default,strict,rooted+‸\n", "a.yaml").contains("frida"))
        try expect(offers("account: a\narc: ‸\n", "a.yaml").prefix(2), equals: ["on", "off"])
        #expect(try offers(Self.head + "steps: [{at: 0s, approov: pol‸}]\n").contains("policy"))
        try expect(offers(Self.head + "steps: [{at: 0s, approov: policy -setARC ‸}]\n"), equals: ["on", "off"])
        #expect(try offers(Self.head + "steps: [{at: 0s, approov: filter ‸}]\n").contains("-setSamplingPercentage"))
    }

    @Test func whatIsChosenReplacesWhatIsTyped() throws {
        var bench = try bench()
        let result = try bench.ask("completion", at: Self.head + "steps: [{at: 0s, fetch: b‸}]\n")
        let edit = try #require(EditorBench.items(result).first?["textEdit"])
        expect(edit["newText"]?.text, equals: "bob")
        // `steps: [{at: 0s, fetch: ` has 24 characters.
        expect(edit["range"]?["start"]?["character"]?.integer, equals: 24)
        expect(edit["range"]?["end"]?["character"]?.integer, equals: 25)
    }

    // MARK: Definition and references

    private func places(_ result: JSONContent, in bench: EditorBench) -> [String] {
        EditorBench.items(result).map { place in
            let start = place["range"]?["start"]
            return "\(bench.folder.relative(FileURI.path(of: place["uri"]?.text ?? ""))):"
                + "\(start?["line"]?.integer ?? -1):\(start?["character"]?.integer ?? -1)"
        }
    }

    @Test(arguments: [
        ("steps: [{at: 0s, fetch: bob, expect: {rejections: ['filter:v‸pn']}}]\n", "prod.yaml:5:11"),
        ("steps: [{at: 0s, set: {group: bob, flags: [o‸dd]}}]\n", "prod.yaml:3:11"),
        ("steps: [{at: 0s, fetch: bob, domain: api‸.example.com}]\n", "prod.yaml:9:13"),
        ("steps: [{at: 0s, fetch: b‸ob}]\n", "s.yaml:2:10"),
    ]) func theDefinitionIsWhereTheNameIsDeclared(rest: String, place: String) throws {
        var bench = try bench()
        let result = try bench.ask("definition", at: Self.head + rest)
        expect(places(result, in: bench), equals: [place])
    }

    @Test func theDefinitionOfAnAccountIsItsFile() throws {
        var bench = try bench()
        let result = try bench.ask("definition", at: "scenario: x\naccount: pro‸d.yaml\n")
        expect(places(.array([result]), in: bench), equals: ["prod.yaml:0:0"])
        let missing = try bench.ask("definition", at: "scenario: x\naccount: go‸ne.yaml\n")
        expect(missing, equals: .null)
    }

    @Test func aGroupIsReferredToInItsScenario() throws {
        var bench = try bench()
        let result = try bench.ask(
            "references", at: Samples.scenario.replacing("[bob, amy]", with: "[bo‸b, amy]"),
            #","context":{"includeDeclaration":true}"#)
        expect(places(result, in: bench), equals: ["s.yaml:3:2", "s.yaml:6:21", "s.yaml:6:49", "s.yaml:8:26"])
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
            places(result, in: bench),
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
