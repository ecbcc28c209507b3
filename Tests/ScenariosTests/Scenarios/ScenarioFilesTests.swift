import Foundation
import PolicyEngine
import Testing

@testable import Documents
@testable import Replay
@testable import Scenarios
@testable import TestSupport

@Suite struct ScenarioFilesTests {
    private static func found(_ folder: TemporaryFolder, at path: String) -> (files: [String], problems: [String]) {
        var diagnostics = Diagnostics()
        let files = ScenarioFiles.find(at: path, diagnostics: &diagnostics)
        return (files.map(folder.relative), diagnostics.all.map { folder.relative($0.rendered) })
    }

    @Test func aFolderIsSearchedButForAccountsAndWhatIsHidden() throws {
        let folder = try TemporaryFolder()
        for name in [
            "b.yaml", "a.yml", "B.yaml", "c.YAML", "d.YML", "e.Yaml", "deep/er/c.yaml", "ä.yaml", "notes.md",
            "accounts/x.yaml",
            "deep/accounts/y.yaml",
            ".hidden.yaml", ".git/z.yaml", "a/accounts.yaml",
        ] { try folder.write("", to: name) }
        let expected: Set = [
            "c.YAML", "d.YML", "e.Yaml", "B.yaml", "a/accounts.yaml", "a.yml", "b.yaml", "deep/er/c.yaml", "ä.yaml",
        ]
        #expect(Set(Self.found(folder, at: folder.path).files) == expected)
        #expect(Self.found(folder, at: folder.path + "/").files == Self.found(folder, at: folder.path).files)
    }

    @Test func pathsAreSortedByTheirBytes() throws {
        let folder = try TemporaryFolder()
        for name in ["b.yaml", "ä.yaml", "a/x.yaml", "a.yaml", "B.yaml", "a-b/y.yaml"] {
            try folder.write("", to: name)
        }
        // `-` is 2D, `.` is 2E, `/` is 2F.
        let expected = ["B.yaml", "a-b/y.yaml", "a.yaml", "a/x.yaml", "b.yaml", "ä.yaml"]
        #expect(Self.found(folder, at: folder.path).files == expected)
    }

    @Test func aFileIsTakenWhateverItsName() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("", to: "accounts/scenario")
        #expect(Self.found(folder, at: path).files == ["accounts/scenario"])
    }

    @Test(arguments: ["day.jsonl", "day.txt", "day.txt.gz", "day.zst"])
    func aCaptureIsNoScenario(name: String) throws {
        let folder = try TemporaryFolder()
        let (files, problems) = Self.found(folder, at: try folder.write("", to: name))
        #expect(files.isEmpty)
        #expect(problems == ["\(name): error: a capture, not a scenario\n  hint: `scenario replay` reads captures"])
    }

    @Test func anAccountsFolderThatIsNamedIsSearched() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "accounts/x.yaml")
        #expect(Self.found(folder, at: folder.path("accounts")).files == ["accounts/x.yaml"])
    }

    // The command makes an error of it.
    @Test func aFolderWithoutScenariosGivesNone() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "empty/notes.md")
        let (files, problems) = Self.found(folder, at: folder.path("empty"))
        #expect(files.isEmpty)
        #expect(problems.isEmpty)
    }

    @Test func aPathThatDoesNotExistIsAnError() throws {
        let folder = try TemporaryFolder()
        let (files, problems) = Self.found(folder, at: folder.path("missing"))
        #expect(files.isEmpty)
        #expect(problems == ["missing: error: no such file or directory"])
    }

    struct Link: Sendable, CustomTestStringConvertible {
        let name: String
        let target: String
        let files: [String]
        let problems: [String]
        var testDescription: String { "\(name) to \(target)" }
    }

    static let links = [
        Link(name: "b.yaml", target: "a.yaml", files: ["a.yaml", "b.yaml"], problems: []),
        Link(name: "b", target: ".", files: ["a.yaml"], problems: []),
        Link(
            name: "b.yaml", target: "gone.yaml", files: ["a.yaml"],
            problems: ["b.yaml: error: no such file or directory"]),
        Link(
            name: "b.yml", target: "b.yml", files: ["a.yaml"],
            problems: ["b.yml: error: too many levels of symbolic links"]),
        Link(
            name: "b", target: "b", files: ["a.yaml"], problems: ["b: error: too many levels of symbolic links"]),
        Link(name: "b.md", target: "gone", files: ["a.yaml"], problems: []),
        Link(name: ".b.yaml", target: "gone", files: ["a.yaml"], problems: []),
    ]

    @Test(arguments: links) func aLinkThatLeadsNowhereIsNotPassedOver(_ link: Link) throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "a.yaml")
        #expect(unsafe symlink(link.target, folder.path(link.name)) == 0)
        let (files, problems) = Self.found(folder, at: folder.path)
        #expect(files == link.files)
        #expect(problems == link.problems)
    }

    @Test(arguments: [([UInt8(ascii: "b"), 0xFF] + Array(".yaml".utf8)), [0xE4]])
    func aNameThatIsNotUTF8IsShownAsFarAsItIsLegible(name: [UInt8]) throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "a.yaml")
        let path = (Array((folder.path + "/").utf8) + name + [0]).map { CChar(bitPattern: $0) }
        #expect(unsafe mkdir(path, 0o755) == 0)
        let (files, problems) = Self.found(folder, at: folder.path)
        #expect(files == ["a.yaml"])
        #expect(problems == ["\(String(decoding: name, as: UTF8.self)): error: the name is not UTF-8"])
    }

    // Root may read everything.
    @Test(.enabled(if: geteuid() != 0)) func aFolderThatCannotBeReadIsAnError() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "a.yaml")
        try folder.write("", to: "deep/b.yaml")
        #expect(unsafe chmod(folder.path("deep"), 0o300) == 0)
        defer { _ = unsafe chmod(folder.path("deep"), 0o700) }
        let (files, problems) = Self.found(folder, at: folder.path)
        #expect(files == ["a.yaml"])
        #expect(problems == ["deep: error: permission denied"])
    }
}

/// Which scenarios are run, and which files they may name.
@Suite struct ScenarioSelectionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let pattern: String?
        let tags: [String]
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

    /// Three scenarios: one with warnings, one without, one that cannot be read.
    private static func select(
        _ selection: ScenarioSelection, among files: [String] = ["even.yaml", "odd.yaml"]
    ) throws -> (names: [String], refusals: [String], problems: [String]) {
        let folder = try TemporaryFolder([
            "even.yaml": "scenario: two\ntags: [even]\nexpect: {metrics: {pass: 0}}\n",
            "odd.yaml": "scenario: one\ntags: [odd]\n", "bad.yaml": "scenario: [\n",
        ])
        var diagnostics = Diagnostics()
        let selected = SelectedScenarios(
            selection, among: files.map { folder.path($0) }, within: .anywhere, zone: .utc, jobs: 2,
            diagnostics: &diagnostics)
        let problems = diagnostics.all.map { "\(folder.relative($0.file)): \($0.severity)" }
        return (selected.scenarios.map(\.name), selected.refusals, problems)
    }

    @Test("scenarios are taken in the order of files, with the warnings of those that are taken") func takes() throws {
        let all = try Self.select(ScenarioSelection())
        #expect(all.names == ["two", "one"] && all.refusals == [] && all.problems == ["odd.yaml: warning"])
        let even = try Self.select(ScenarioSelection(tags: ["even"]))
        #expect(even.names == ["two"] && even.refusals == [] && even.problems == [])
    }

    @Test("an error counts, whatever is selected") func errors() throws {
        let even = try Self.select(ScenarioSelection(tags: ["even"]), among: ["bad.yaml", "even.yaml"])
        #expect(even.names == ["two"] && even.problems == ["bad.yaml: error"])
    }

    @Test("a tag that no scenario has is refused, even beside one that some has") func refusals() throws {
        let found = try Self.select(ScenarioSelection(tags: ["odd", "eve", "other"]))
        #expect(found.names == ["one"])
        #expect(
            found.refusals == [
                "no scenario has the tag `eve`; did you mean `even`?", "no scenario has the tag `other`",
            ])
        let none = try Self.select(ScenarioSelection(name: try Pattern("three")))
        #expect(none.names == [] && none.refusals == ["no scenario was selected; 2 were found"])
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
                "① filter `f` looks at `colour`, which no device is known to have"),
            .head(
                "of a command", "steps: [{at: 0s, approov: ①filter -add f -key colour -matchValue x}]",
                "① filter `f` looks at `colour`, which no device is known to have"),
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
            "given", "flags: [①new-did]", "① `new-did` is derived; it need not be given")
        #expect(group.outcome.found == group.outcome.expected)
    }
}

/// The coverage of scenarios, and expectations that hold without what they name.
@Suite struct CoverageTests {
    private static let text = """
        scenario: s
        account:
          account: shop
          propagation: 0s
          rules: [special]
          policy: default,default,risk
          reject-flags: {remove: [cydia]}
          filters:
            - {name: always, key: device, regex: A}
            - {name: never, key: ip, match: 1.2.3.4}
            - {name: some, key: flags-all, match: rooted}
          devices:
            - {id: h4gubfCFzJu81j/U2BJsdg==, policy: "default,whitelist,all"}
            - {id: qZka0yfv+ExvOq3PRh6pGw==, label: nobody}
        devices:
          bob: {id: h4gubfCFzJu81j/U2BJsdg==, attributes: {device: "A"}}
          eve: {flags: [rooted], attributes: {device: "A"}}
        steps:
          - {at: 0s, fetch: all, expect: EXPECT}

        """

    private static func run(_ expectation: String) throws -> ScenarioResult {
        let scenario = try ScenarioText.load(text.replacing("EXPECT", with: expectation))
        var decisions = try LineFile(path: nil)
        var diagnostics = Diagnostics()
        var run = ScenarioRun(scenario, coversRules: true)
        let result = try run.run(decisions: &decisions, progress: { _, _ in }, diagnostics: &diagnostics)
        #expect(diagnostics.isEmpty)
        return result
    }

    // Worked out: whitelist and custom are applied, so of eleven names two; custom rejects on the 22 flags of default
    // less `cydia`, of which `rooted` caused a rejection, and whitelist's three are among those; `risk` annotates one flag;
    // one of two entries attested; of `default` and `special` one was used; one filter matched each, one none.
    @Test func tellsWhatWasExercised() throws {
        let coverage = try #require(try Self.run("{pass: 1, fail: 1}").coverage)
        let shares = coverage.shares.map { "\($0.kind.rawValue) \($0.covered)/\($0.total)" }
        #expect(
            shares == [
                "presets 2/11", "reject-flags 1/21", "filters-matched 2/3", "filters-not-matched 2/3",
                "annotations 1/1", "device-overrides 1/2", "rules 1/2",
            ])
        let missing = Dictionary(uniqueKeysWithValues: coverage.shares.map { ($0.kind, $0.missing) })
        #expect(missing[.filtersMatched] == ["shop: never"])
        #expect(missing[.filtersNotMatched] == ["shop: always"])
        #expect(missing[.deviceOverrides] == ["shop: qZka0yfv+ExvOq3PRh6pGw=="])
        #expect(missing[.rules] == ["shop: special"])
        #expect((coverage.covered, coverage.total) == (10, 43))
    }

    @Test func whatOneScenarioExercisedIsExercised() throws {
        var first = Coverage()
        first.note(.rules, "a: default", true)
        var other = Coverage()
        other.note(.rules, "a: default", false)
        other.note(.rules, "a: special", false)
        let both = try #require(Coverage(merging: [first, other]))
        #expect(Coverage(merging: []) == nil)
        #expect((both.covered, both.total) == (1, 2))
    }

    static let rows: [Case<String, Bool>] = [
        Case("{filters: {never: {at-most: 5}}}", gives: true),
        Case("{rejections: {'filter:never': {at-most: 1}}}", gives: true),
        Case("{filters: {never: 0}}", gives: false),
        Case("{filters: {some: {at-most: 5}}}", gives: false),
        Case("{filters: {always: {at-most: 5}}}", gives: false),
        Case("{rejections: {cloned: {at-most: 5}}}", gives: false),
        Case("{group: bob, filters: [always]}", gives: false),
    ]

    @Test(arguments: rows) func whatHoldsWithoutWhatItNamesIsVacuous(_ row: Case<String, Bool>) throws {
        let result = try Self.run(row.input)
        #expect(result.expectations.map(\.passed) == [!row.expected])
        #expect(result.expectations.allSatisfy { $0.actual.contains("vacuous") == row.expected })
    }

    @Test(arguments: [("policy-strict", true), ("policy-custom", false), ("filter-never", true), ("pass", false)])
    func metricsMayBeVacuousToo(_ name: String, isVacuous: Bool) throws {
        let result = try Self.run("{pass: 1}}\nexpect: {metrics: {\(name): {at-most: 9}}")
        #expect(result.expectations.map(\.passed) == [true, !isVacuous])
    }
}
