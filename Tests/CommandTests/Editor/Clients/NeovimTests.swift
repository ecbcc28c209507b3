import Foundation
import Testing

@testable import TestSupport

/// Debian's Neovim with the configuration of the guide: it is started once, and has an answer for each feature.
@Suite struct NeovimTests {
    // The answers by feature, as JSON: Neovim has one session for all tests.
    private static let session = Result { () throws -> Data in
        let settings = ["scenario.toml": "captures = [\"day.jsonl\"]\n", "day.jsonl": Samples.capture]
        let folder = try TemporaryFolder(Samples.files.merging(settings) { $1 })
        let ended = try Client.run(
            URL(filePath: "/usr/bin/nvim"), ["--headless", "-n", "-i", "NONE", "-u", Client.program("neovim.lua")],
            in: folder,
            environment: ["SCENARIO": Client.command, "XDG_STATE_HOME": folder.path, "XDG_CACHE_HOME": folder.path])
        expect(ended.status, equals: 0)
        return Data(try #require(folder.bytes(of: "answers.json")))
    }

    private func answer<Answer>(to feature: String, as type: Answer.Type = Answer.self) throws -> Answer {
        let answer = try Client.object(Self.session.get())[feature]
        return try #require(answer as? Answer, "\(feature): \(String(describing: answer))")
    }

    /// `  - {at: 2h, set: {group: bob, flags: [rooted` without its `t`: the flag begins behind 39 characters.
    @Test func diagnosticsComeWhileTyping() throws {
        let typed = try #require(try answer(to: "typed", as: [[Any]].self).first)
        #expect(typed[0] as? Int == 8 && typed[1] as? Int == 39 && typed[2] as? Int == 44)
        expect(typed[3] as? String, equals: "unknown flag `rooed`\ndid you mean `rooted`?")
    }

    @Test func theGuideHasTheConfigurationThatIsTested() throws {
        let path = Repository.root.appending(path: "docs/guides/use-an-editor.md")
        let guide = try String(contentsOf: path, encoding: .utf8)
        let snippet = try #require(guide.split(separator: "```lua\n").last?.split(separator: "```").first)
        let tested = try String(contentsOfFile: Client.program("neovim.lua"), encoding: .utf8)
        let command = "cmd = { 'scenario', 'lsp' }"
        #expect(snippet.contains(command))
        #expect(tested.contains(snippet.replacing(command, with: "cmd = { vim.env.SCENARIO, 'lsp' }")))
    }

    @Test func theConfigurationShowsLensesAndCompletes() throws {
        try expect(answer(to: "shown"), equals: ["0 run", "v:lua.vim.lsp.omnifunc", "K"])
    }

    @Test func aQuickFixMendsTheText() throws {
        let fix = try answer(to: "fix", as: [String].self)
        expect(fix, equals: ["Write `rooted` instead of `rooed`", String(Samples.scenario.dropLast())])
    }

    @Test func hoverSaysTheMeaning() throws {
        #expect(try answer(to: "hover", as: String.self).hasPrefix("**flag `rooted`** (R2.1): Device is rooted"))
    }

    @Test func definitionLeadsToTheAccount() throws {
        try expect(answer(to: "definition"), equals: ["line": 5, "character": 11])
    }

    /// In the account the declaration and an input of a conjunction; in the scenario a rejection and two metrics.
    @Test func referencesAreInBothFiles() throws {
        try expect(answer(to: "references"), equals: 5)
    }

    @Test func renameChangesBothFiles() throws {
        let renamed = try answer(to: "renamed", as: [String: String].self)
        expect(renamed["prod.yaml"]?.contains("{name: tunnel, key: ip"), equals: true)
        expect(renamed["s.yaml"]?.contains("[\"filter:tunnel\"]"), equals: true)
        expect(renamed["s.yaml"]?.contains("{rejection-filter-tunnel: 1, filter-tunnel: 1}"), equals: true)
    }

    @Test func completionKnowsTheGroups() throws {
        try expect(answer(to: "completions"), equals: ["bob", "amy", "all"])
    }

    @Test func aCodeLensRunsTheScenario() throws {
        let run = try answer(to: "run", as: [[String]].self)
        expect(run.first, equals: ["0 run"])
        let lenses = try #require(run.last)
        expect(lenses.first, equals: "0 run: passed, 4 expectations held")
        #expect(lenses.dropFirst().allSatisfy { $0.contains(" passed: ") })
    }

    @Test func codeLensesCountDevicesOfTheCapture() throws {
        try expect(
            answer(to: "counts"),
            equals: [
                "0 1 device in day.jsonl", "5 matches 1 device (100.0 %)", "6 matches 0 devices (0.0 %)",
                "7 matches 0 devices (0.0 %)",
            ])
    }

    @Test func hoverOfARegexCountsItsMatches() throws {
        #expect(try answer(to: "matches", as: String.self).hasSuffix("(100.0 %) in day.jsonl, such as `10.1.2.3`."))
    }
}
