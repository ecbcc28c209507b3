import Accounts
import Documents
import PolicyEngine
import Scenarios
import Testing

@testable import Editor
@testable import TestSupport

/// A name is changed wherever it is named, or nowhere.
@Suite struct RenameTests {
    private func renamed(
        _ name: String, at marked: String, to newName: String, _ files: [String: String] = Samples.files
    ) throws -> [String: String] {
        var bench = try EditorBench(files)
        let result = try bench.ask("rename", name, at: marked, #","newName":\#(EditorBench.quoted(newName))"#)
        return try bench.edited(result)
    }

    @Test func aFilterInItsAccountAndEveryScenario() throws {
        let texts = try renamed(
            "prod.yaml", at: Samples.account.replacing("name: vpn", with: "name: vp‸n"), to: "tunnel",
            Samples.files.merging(["t.yaml": Samples.scenario]) { $1 })
        let account = Samples.account.replacing("name: vpn", with: "name: tunnel").replacing("[vpn", with: "[tunnel")
        let scenario = Samples.scenario.replacing("filter:vpn", with: "filter:tunnel")
            .replacing("filter-vpn", with: "filter-tunnel")
        expect(texts, equals: ["prod.yaml": account, "s.yaml": scenario, "t.yaml": scenario])
    }

    /// Random scenarios, in which a random filter or group gets another name: the files load, and a run has the same results.
    @Test func randomRenamesMeanTheSame() throws {
        var chance = Chance(seed: 7)
        for number in 0..<200 {
            let (account, scenario, names) = Self.draw(&chance)
            let name = chance.pick(names)
            let newName =
                name.kind == .filter ? "new-\(number)" : chance.pick(["new", "a b", "😀", "x: y", "it's", "#1"])
            var bench = try EditorBench(["prod.yaml": account, "s.yaml": scenario])
            try bench.open("s.yaml", scenario)
            try #require(bench.shown("s.yaml") == [], "\(number)")
            let file = AnalysedFile(path: bench.folder.path("s.yaml"), positions: TextPositions(Array(scenario.utf8)))
            let places = file.names.filter { $0.kind == name.kind && $0.name == name.name }.compactMap(\.range)
            let place = file.positions.position(
                ofByte: file.positions.byte(ofScalar: chance.pick(places).lowerBound), .utf16)
            let before = try Self.results(in: bench.folder)
            let texts: [String: String]
            do {
                texts = try bench.edited(
                    try bench.request(
                        "textDocument/rename",
                        #"{"textDocument":{"uri":"\#(bench.uri("s.yaml"))"},"newName":\#(EditorBench.quoted(newName)),"#
                            + #""position":{"line":\#(place.line),"character":\#(place.character)}}"#))
            } catch let error as TestFailure {
                // In quotes it cannot be written everywhere; then nothing is.
                #expect(
                    name.kind == .group && error.description.contains("cannot be changed here"), "\(number): \(error)")
                continue
            }
            for (file, text) in texts { try bench.folder.write(text, to: file) }
            try expect(Self.results(in: bench.folder), equals: before, "\(number)")
            expect(texts["s.yaml"].map { !$0.contains("filter:\(name.name)\"") }, equals: true, "\(number)")
        }
    }

    private static func results(in folder: TemporaryFolder) throws -> [String] {
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.load(path: folder.path("s.yaml"), diagnostics: &diagnostics)
        let results = ScenarioRunner(seed: nil).run(
            [try #require(scenario, "\(diagnostics.all)")], diagnostics: &diagnostics)
        #expect(!diagnostics.hasErrors, "\(diagnostics.all)")
        return results.flatMap(\.expectations).map { "\($0.passed) \($0.position.line)" }
            + results.map { "\($0.fetches)" }
    }

    // Nothing is left to chance in them: the devices of a group are drawn by its name.
    private static func draw(
        _ chance: inout Chance
    ) -> (account: String, scenario: String, names: [(kind: NameKind, name: String)]) {
        let filters = (0...chance.below(4)).map { "f\($0)" }
        var account = "account: prod\nfilters:\n"
        for filter in filters {
            account +=
                "  - {name: \(filter), key: ip, match: \"\(chance.below(3)).1\"\(chance.pick(["", ", reject: true", ", risky: true"]))}\n"
        }
        if chance.happens(50) { account += "  - {name: all-of, conjunction: [\(filters.joined(separator: ", "))]}\n" }
        let groups = ["bob", "amy", "Café"].prefix(1 + chance.below(3))
        var scenario = "scenario: drawn\naccount: prod.yaml\ndevices:\n"
        for group in groups { scenario += "  \(group): {attributes: {ip: \"\(chance.below(3)).1\"}}\n" }
        scenario += "steps:\n"
        for (time, group) in groups.enumerated() {
            let filter = chance.pick(filters)
            scenario +=
                "  - {at: \(time)m, fetch: \(chance.pick([group, "[\(group)]", "'\(group)'"])), "
                + "expect: {filters: {\(filter): \(chance.below(2))}, verdict: \(chance.pick(["pass", "fail"]))}}\n"
            if chance.happens(30) {
                scenario += "  - {at: \(time)m, approov: \"filter -add \(filter) -key ip -matchValue 9\"}\n"
            }
        }
        scenario += "expect: {metrics: {\(chance.pick(filters).metric(&chance)): \"0..9\"}}\n".replacing(
            "\"0..9\"", with: "{at-least: 0}")
        return (
            account, scenario,
            filters.filter { scenario.contains($0) }.map { (NameKind.filter, $0) } + groups.map { (NameKind.group, $0) }
        )
    }
}

extension String {
    fileprivate func metric(_ chance: inout Chance) -> String { chance.pick(["filter-", "rejection-filter-"]) + self }
}

/// A hint that proposes a text is an edit, and after it the problem is gone.
@Suite struct QuickFixTests {
    @Test(arguments: ["\n", "\r\n"]) func aFindingIsAllowedByAComment(lineBreak: String) throws {
        let text = "account: a\npolicy: default,default,all\n".replacing("\n", with: lineBreak)
        var bench = try EditorBench()
        let fix = try #require(try bench.fixes(text, "a.yaml").first)
        expect(fix.title, equals: "Allow `annotates-everything` here, because it is meant")
        let comment = "# scenario: allow annotates-everything because it is meant\(lineBreak)"
        expect(fix.texts["a.yaml"], equals: text.replacing("policy", with: "\(comment)policy"))
        try bench.replace("a.yaml", try #require(fix.texts["a.yaml"]), version: 3)
        expect(bench.shown("a.yaml"), equals: [])
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
            let fixes = try bench.fixes(text.replacing(word, with: String(letters)), "s.yaml")
            if fixes.contains(where: { $0.texts["s.yaml"] == text }) { mended += 1 }
        }
        // Of a filter's name with two letters left there is often nothing near enough, and a file without `account` or `steps`
        // has other problems.
        #expect(mended >= 100, "\(mended)")
    }
}
