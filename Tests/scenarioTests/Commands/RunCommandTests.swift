import Foundation
import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport
@testable import scenario

@Suite struct RunCommandTests {
    private static let missing = "missing.yaml: error: no such file or directory\n"
    private static let warning = """
        warns.yaml:1:1: warning: the scenario expects nothing, so it cannot fail
          scenario: Warns
          ^
          hint: add `expect` to a step or at the end

        """
    private static let bad = """
        bad.yaml:2:1: error: unknown key `seeds` in the scenario
          seeds: 1
          ^
          hint: did you mean `seed`?
        bad.yaml:3:25: error: unknown flag `roted`
          devices: {bob: {flags: [roted]}}
                                  ^
          hint: did you mean `rooted`?

        """
    private static let worse = """
        worse.yaml:1:11: error: `scenario` must be text, not a list
          scenario: [Worse]
                    ^

        """
    private static let unchecked = "unchecked.yaml:3:38: error: no fetch of this step is by device \(Sample.amy)\n"

    static let checked = [
        ToolRow(name: "all holds", arguments: "run @good.yaml", status: .success),
        ToolRow(name: "an expectation fails", arguments: "run @fails.yaml", status: .expectationFailed),
        ToolRow(name: "one of two fails", arguments: "run @fails.yaml @good.yaml", status: .expectationFailed),
        ToolRow(
            name: "nothing is asserted", arguments: "run @warns.yaml", status: .nothingRan,
            error: warning
                + "scenario: error: nothing was asserted: no scenario expects anything; `--allow-empty` is for those "
                + "who mean it\n"),
        ToolRow(
            name: "nothing is asserted, and nothing was meant to be", arguments: "run --allow-empty @warns.yaml",
            status: .success, error: warning),
        ToolRow(
            name: "others assert something", arguments: "run @warns.yaml @good.yaml", status: .success, error: warning),
        ToolRow(
            name: "others fail", arguments: "run --allow-empty @warns.yaml @fails.yaml",
            status: .expectationFailed, error: warning),
        ToolRow(name: "by name", arguments: "run --name ^Go+d$ @good.yaml @fails.yaml", status: .success),
        ToolRow(name: "by tag", arguments: "run --tag=even @good.yaml @fails.yaml", status: .success),
        ToolRow(
            name: "by one of two tags", arguments: "run --tag one --tag odd --name Good @good.yaml @fails.yaml",
            status: .success),
        ToolRow(
            name: "by tag and name", arguments: "run --tag=odd --name=i @good.yaml @fails.yaml",
            status: .expectationFailed),
    ]

    static let refused: [ToolRow] = [
        ToolRow(name: "missing path", arguments: "run @missing.yaml", status: .invalidInput, error: missing),
        ToolRow(
            name: "missing path beside a good one", arguments: "run @good.yaml @missing.yaml",
            status: .invalidInput, error: missing),
        ToolRow(name: "mistakes", arguments: "run @bad.yaml", status: .invalidInput, error: bad),
        ToolRow(
            name: "mistakes in several files", arguments: "run @bad.yaml @good.yaml @warns.yaml @worse.yaml",
            status: .invalidInput, error: bad + warning + worse),
        ToolRow(
            name: "mistakes in files that are not selected", arguments: "run --name Good @good.yaml @bad.yaml",
            status: .invalidInput, error: bad),
        ToolRow(
            name: "expectation that is never checked", arguments: "run @unchecked.yaml", status: .invalidInput,
            error: unchecked),
        .invalid(
            "output that cannot be written", "run @good.yaml --output @no/report",
            "no/report: error: no such file or directory"),
        .invalid(
            "decisions that cannot be written", "run @good.yaml --decisions @no/decisions",
            "no/decisions: error: no such file or directory"),
    ]

    static let selectionsOfNothing = [
        ToolRow(
            name: "no such name", arguments: "run --name nothing @good.yaml @fails.yaml",
            status: .nothingRan, error: "scenario: error: no scenario was selected; 2 were found\n"),
        ToolRow(
            name: "no such tag", arguments: "run --tag eve @good.yaml", status: .nothingRan,
            error: "scenario: error: no scenario has the tag `eve`; did you mean `even`?\n"),
        ToolRow(
            name: "no such tag beside one that there is", arguments: "run --tag even --tag unheard-of @good.yaml",
            status: .nothingRan, error: "scenario: error: no scenario has the tag `unheard-of`\n"),
        ToolRow(
            name: "tag of another scenario than the name",
            arguments: "run --tag even --name Fails @good.yaml @fails.yaml", status: .nothingRan,
            error: "scenario: error: no scenario was selected; 2 were found\n"),
        ToolRow(
            name: "empty folder", arguments: "run @folder", status: .nothingRan,
            error: "folder: error: no scenario in this folder\n  hint: scenarios are .yaml files\n"),
    ]

    @Test(arguments: checked) func reports(_ row: ToolRow) throws {
        let run = try ToolRun(row.arguments.list, files: Sample.files)
        #expect(run.status == row.status)
        #expect(run.error == row.error)
        #expect(run.output.hasPrefix("Scenarios\n"))
    }

    @Test(arguments: refused + selectionsOfNothing) func runsNothing(_ row: ToolRow) throws {
        try row.expectNoOutput(files: Sample.files)
    }

    /// A form, and what it says of a file with two errors, of one that is not there, and of a scenario that was not run.
    static let forms: [Case<String, [String]>] = [
        Case(
            "junit",
            gives: [
                #"<testsuites tests="4" failures="3" errors="0" skipped="1">"#,
                #"<testcase name="validity (line 2)" classname="bad.yaml" file="bad.yaml" line="2">"#,
                #"<failure message="expected a valid scenario, actual unknown flag `roted`; did you mean `rooted`?""#,
                #"<skipped message="another scenario is invalid"/>"#, "no such file or directory",
            ]),
        Case(
            "tap",
            gives: [
                "1..4\n", "not ok 1 - missing.yaml: validity (line 1)\n", "not ok 3 - bad.yaml: validity (line 3)\n",
                "  actual: \"unknown flag `roted`; did you mean `rooted`?\"\n",
                "ok 4 - Good # SKIP another scenario is invalid\n",
            ]),
        Case(
            "json",
            gives: [
                #""scenarios":2,"scenarios-failed":2,"scenarios-passed":0"#,
                #""file":"bad.yaml","name":"bad.yaml","passed":false"#,
                #""actual":"unknown flag `roted`; did you mean `rooted`?""#,
            ]),
        Case("github", gives: ["::error file=bad.yaml,line=3,col=25,title=bad.yaml::validity: "]),
    ]

    @Test("a scenario that does not load is a failed case, in the place of an older report", arguments: forms)
    func invalidScenariosFail(_ form: Case<String, [String]>) throws {
        let folder = try TemporaryFolder(Sample.files.merging(["report": "old"]) { $1 })
        let run = ToolRun("run @bad.yaml @good.yaml @missing.yaml --format \(form.input) --output @report", in: folder)
            .ending(.invalidInput)
        #expect(run.output == "")
        let report = try #require(folder["report"]).replacing("\(folder.path)/", with: "")
        for content in form.expected { #expect(report.contains(content), "\(content)\n\(report)") }
    }

    @Test func aFolderIsSearched() throws {
        let files = [
            "a/good.yaml": Sample.good, "b.yml": Sample.fails, "accounts/bad.yaml": Sample.bad, "notes.md": "",
            "C.YAML": Sample.good, "d.Yml": Sample.good,
        ]
        let run = try ToolRun("run @.", files: files).ending(.expectationFailed)
        #expect(run.output.contains("3 of 4 scenarios passed"))
    }

    @Test func failuresNameTheirPlace() throws {
        let run = try ToolRun("run @fails.yaml", files: Sample.files)
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            lines.prefix(8) == [
                "Scenarios", "  FAIL  Fails  1/2 expectations, 1 fetch, 1 attested",
                "        fails.yaml:4:39: verdict of all", "          expected: fail",
                "          actual:   pass (device \(Sample.bob))",
                "          explain:  scenario explain fails.yaml --device bob", "", "  0 of 1 scenario passed",
            ])
    }

    @Test func controlCharactersOfANameAreShown() throws {
        let text = Sample.fails.replacing("scenario: Fails", with: #"scenario: "Red\e[31m\nline""#)
        let output = try ToolRun("run @s.yaml", files: ["s.yaml": text]).output
        #expect(output.contains("  FAIL  Red␛[31m␊line  1/2 expectations"))
        #expect(!output.contains("\u{1B}"))
    }

    @Test func verboseShowsEveryStep() throws {
        let text = """
            scenario: Steps
            start: 2020-07-23T00:00:00Z
            devices: {bob: {os: ios}, stock: {count: 3}}
            steps:
              - {at: 0s, fetch: all}
              - {at: 1m, approov: policy -setARC off}
              - {at: 2m, fetch: [bob, stock], every: 1m, until: 3m}
              - {at: 4m, launch: all}
              - {at: 5m, reinstall: bob}
              - {at: 6m, factory-reset: stock}
              - {at: 7m, bind: {group: bob, data: x}}
              - {at: 8m, set: {group: stock, flags: []}}
            expect: {metrics: {pass: 4}}

            """
        let plain = try ToolRun("run @s.yaml", files: ["s.yaml": text])
        let verbose = try ToolRun("run @s.yaml --verbose", files: ["s.yaml": text])
        let added = verbose.output.split(separator: "\n").filter { !plain.output.contains($0) }
        #expect(
            added == [
                "          2020-07-23T00:00:00Z  fetch bob, stock: 4 attested, 0 cached, 0 without a token",
                "          2020-07-23T00:01:00Z  approov policy -setARC off",
                "          2020-07-23T00:02:00Z  fetch bob, stock: 0 attested, 4 cached, 0 without a token",
                "          2020-07-23T00:03:00Z  fetch bob, stock: 0 attested, 4 cached, 0 without a token",
                "          2020-07-23T00:04:00Z  launch bob, stock", "          2020-07-23T00:05:00Z  reinstall bob",
                "          2020-07-23T00:06:00Z  factory-reset stock", "          2020-07-23T00:07:00Z  bind bob",
                "          2020-07-23T00:08:00Z  set stock",
            ])
    }

    @Test func theSeedDrawsThePopulation() throws {
        let text = """
            scenario: Chance
            seed: 7
            devices: {stock: {count: 200, flag-rates: {rooted: 50%}}}
            steps: [{at: 0s, fetch: all}]
            expect: {metrics: {pass: {about: {value: 100, within: 50}}}}

            """
        let folder = try TemporaryFolder(["s.yaml": text])
        let decisions = ["run", "@s.yaml", "--decisions", "@d"]
        var written: [String?] = []
        for seed in [[], ["--seed", "7"], ["--seed", "8"], ["--seed=18446744073709551615"]] {
            #expect(ToolRun(decisions + seed, in: folder).status == .success)
            written.append(folder["d"])
        }
        #expect(written[0] == written[1])
        #expect(Set(written).count == 3)
    }
}

/// `run --min-mutants`: the share of changes of accounts that is noticed.
@Suite struct RunMutantsTests {
    struct Row: LabelledRow {
        let name: String
        let text: String
        var arguments = ["--min-mutants=100%"]
        let status: scenario.ExitStatus
        /// The end of standard error; empty for nothing at all.
        let error: String
    }

    private static let strings = """
        scenario: s
        account: {account: shop, features: [secure-strings], secure-strings: {k: v}}
        devices: {bob: {os: android, flags: [rooted]}, amy: {os: android}}
        steps:

        """

    private static func expecting(_ expectation: String) -> String {
        "  - {at: 0s, secure-string: {group: all, key: k}, expect: \(expectation)}\n"
    }

    // Without network no account affects anything.
    private static let offline = """
        scenario: s
        account: {account: shop}
        devices: {bob: {os: android, flags: [rooted]}}
        steps:
          - {at: 0s, network: {group: bob, state: none}}
          - {at: 1s, fetch: bob, expect: {result: NO_NETWORK}}

        """

    private static let nothing =
        "scenario: error: nothing was exercised: no change of an account affects a client, so "
        + "`--min-mutants` has nothing to check\n"

    static let rows: [Row] = [
        Row(
            name: "R21.2 a rejected call that nobody expects",
            text: strings + expecting("{group: amy, value: v}"),
            status: .limitExceeded, error: "1 of 3 changes are noticed (33.3 %), less than `--min-mutants` asks for\n"),
        Row(
            name: "R21.2 every call is expected",
            text: strings + expecting("[{group: amy, value: v}, {group: bob, result: REJECTED}]"),
            arguments: ["--min-mutants=50%"], status: .success, error: ""),
        Row(name: "nothing that a change could alter", text: offline, status: .nothingRan, error: nothing),
        Row(
            name: "no share of nothing", text: offline, arguments: ["--min-mutants=0%"], status: .nothingRan,
            error: nothing),
        Row(
            name: "nothing, for those who mean it", text: offline,
            arguments: ["--min-mutants=100%", "--allow-empty"], status: .success, error: ""),
        Row(
            name: "nothing, without a limit", text: offline, arguments: ["--mutants"], status: .success, error: ""),
    ]

    @Test(arguments: rows) func endsAsTheShareSays(_ row: Row) throws {
        let run = try ToolRun(["run", "@s.yaml", "--no-progress"] + row.arguments, files: ["s.yaml": row.text])
        #expect(run.status == row.status, "\(run.output)")
        #expect(row.error.isEmpty ? run.error.isEmpty : run.error.hasSuffix(row.error), "\(run.error)")
    }
}

/// The scenarios that the package brings.
@Suite struct PackageScenarioTests {
    @Test(arguments: PackageScenario.all) func holds(_ file: PackageScenario) throws {
        let run = try ToolRun(["run", file.path, "--allow-outside"])
        #expect(run.status == .success, "\(run.error)\(run.output)")
    }
}

/// A scenario of the package's folder `Scenarios`.
struct PackageScenario: Sendable, CustomTestStringConvertible {
    let path: String
    /// The path below the folder.
    var testDescription: String { path.replacing(Self.folder + "/", with: "") }

    private static let folder =
        Repository.root.appending(path: "Scenarios")
        .path(percentEncoded: false)

    /// The scenarios, as the command finds them. A quick run leaves one out that takes longer than all others together;
    /// `make run` has it.
    static let all: [PackageScenario] = {
        var diagnostics = Diagnostics()
        return ScenarioFiles.find(at: folder, diagnostics: &diagnostics)
            .filter { Exhaustive.choice(!$0.hasSuffix("/an-ordinary-week.yaml"), whole: true) }
            .map(PackageScenario.init).rows(atLeast: 15)
    }()
}
