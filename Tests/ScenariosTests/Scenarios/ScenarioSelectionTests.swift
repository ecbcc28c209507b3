import PolicyEngine
import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

/// Which scenarios are run, and which files they may name.
@Suite struct ScenarioSelectionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let pattern: String?
        let tags: Set<String>
        let isTaken: Bool
        var testDescription: String { "\(pattern ?? "any name"), \(tags.sorted())" }
    }

    // The scenario is called `A ban`, with the tags `bans` and `ios`.
    static let rows = [
        Row(pattern: nil, tags: [], isTaken: true), Row(pattern: "ban$", tags: [], isTaken: true),
        Row(pattern: "^ban", tags: [], isTaken: false), Row(pattern: nil, tags: ["ios"], isTaken: true),
        Row(pattern: nil, tags: ["android", "bans"], isTaken: true),
        Row(pattern: nil, tags: ["android"], isTaken: false),
        Row(pattern: "^ban", tags: ["ios"], isTaken: false), Row(pattern: "^A", tags: ["android"], isTaken: false),
        Row(pattern: "^A", tags: ["ios"], isTaken: true),
    ]

    @Test("a scenario is run by its name and one of its tags", arguments: rows) func selection(_ row: Row) throws {
        let scenario = try ScenarioText.load("scenario: A ban\ntags: [bans, ios]\nexpect: {metrics: {pass: 0}}\n")
        let selection = ScenarioSelection(name: try row.pattern.map { try Pattern($0) }, tags: row.tags)
        #expect(selection.includes(scenario) == row.isTaken)
    }

    @Test("a scenario may name an account of its own folder, and one elsewhere where that is allowed") func files()
        throws
    {
        let folder = try TemporaryFolder([
            "own/a.yaml": "account: a\n", "other/b.yaml": "account: b\n",
            "own/near.yaml": "scenario: s\naccount: a.yaml\nexpect: {metrics: {pass: 0}}\n",
            "own/far.yaml": "scenario: s\naccount: ../other/b.yaml\nexpect: {metrics: {pass: 0}}\n",
        ])
        let names = { (file: String, boundary: FileBoundary) -> [String]? in
            var diagnostics = Diagnostics()
            let scenario = ScenarioLoader.load(path: folder.path(file), within: boundary, diagnostics: &diagnostics)
            #expect((scenario == nil) == diagnostics.hasErrors)
            return scenario?.accounts.map(\.account.name)
        }
        #expect(names("own/near.yaml", FileBoundary()) == ["a"])
        #expect(names("own/far.yaml", FileBoundary()) == nil)
        #expect(names("own/far.yaml", FileBoundary(namedBy: [folder.path("other")])) == ["b"])
        #expect(names("own/far.yaml", .anywhere) == ["b"])
    }

    @Test("R7.2 a filter that looks at what no device has is warned about, wherever it comes from") func filters() {
        let rows: [LoaderRow] = [
            .head(
                "of the account", "account: {filters: [{name: ①f, key: colour, match: x}]}",
                Problem("①", "filter `f` looks at `colour`, which no device is known to have")),
            .head(
                "of a command", "steps: [{at: 0s, approov: ①filter -add f -key colour -matchValue x}]",
                Problem("①", "filter `f` looks at `colour`, which no device is known to have")),
        ]
        for row in rows {
            let (found, expected, isLoaded) = row.outcome
            #expect(found == expected && isLoaded, "\(row.name): \(found)")
        }
    }

    @Test("R2.4 a flag that the engine sets may be expected of a device's state") func derivedFlags() {
        let row = LoaderRow.final("derived", "{device-state: {bob: [new-did, did-ban]}}")
        #expect(row.outcome.found == [])
        let group = LoaderRow.group(
            "given", "flags: [①new-did]", Problem("①", "`new-did` is derived; it need not be given"))
        #expect(group.outcome.found == group.outcome.expected)
    }
}
