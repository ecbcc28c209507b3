import Testing

@testable import Reports
@testable import TestSupport
@testable import scenario

/// `--quiet`: results and errors, and nothing else.
@Suite struct QuietTests {
    // A filter on an attribute that no record has is warned of.
    private static let files = DiffSample.files.merging([
        "odd.yaml": "filters: [{name: f, key: nothing-has-it, match: x, reject: true}]\n"
    ]) { $1 }

    struct Row: LabelledRow {
        let name: String
        let arguments: Words
        var status = scenario.ExitStatus.success
        /// Part of standard error with and without the option.
        let warning: String
        var error = ""
    }

    static let rows = [
        Row(name: "a warning", arguments: ["replay", "@day.jsonl", "-a", "@odd.yaml"], warning: "nothing-has-it"),
        Row(
            name: "a former name", arguments: ["replay", "@day.jsonl", "--max-unjudged=0"],
            warning: "scenario: warning: `--max-unjudged` is called `--max-unevaluated` now\n"),
        Row(
            name: "a limit that is exceeded",
            arguments: ["diff", "@three.jsonl", "-a=@root.yaml", "--candidate=@plain.yaml", "--max-newly-rejected=1"],
            status: .limitExceeded, warning: "",
            error: "scenario: limit exceeded: 2 of 3 devices (66.7 %), more than `--max-newly-rejected` allows\n"),
        Row(
            name: "a limit that may be exceeded",
            arguments:
                "diff @three.jsonl -a=@root.yaml --candidate=@plain.yaml --max-newly-rejected=1 --allow=agreed",
            warning: "scenario: warning: 2 of 3 devices (66.7 %), more than"),
    ]

    @Test(arguments: rows) func showsErrorsAlone(_ row: Row) throws {
        let folder = try TemporaryFolder(Self.files)
        let plain = ToolRun(row.arguments.list, in: folder)
        #expect(plain.status == row.status && plain.error.contains(row.warning), "\(plain.error)")
        for option in ["-q", "--quiet"] {
            let run = ToolRun(row.arguments.list + [option], in: folder)
            #expect(run.status == row.status && run.output == plain.output && run.error == row.error, "\(run.error)")
        }
    }

    @Test func showsNoProgress() {
        var console = Console(output: { _ in }, error: { _ in }, style: .plain, showsProgress: true)
        #expect(console.showsProgress)
        console.isQuiet = true
        #expect(!console.showsProgress)
    }

    @Test func lettersStandForNames() throws {
        let folder = try TemporaryFolder(Self.files)
        let long = ToolRun(
            ["replay", "@day.jsonl", "--account=@root.yaml", "--format=json", "--output=@long.json"], in: folder)
        let short = ToolRun(
            ["replay", "@day.jsonl", "-a", "@root.yaml", "-f", "json", "-o", "@short.json"], in: folder)
        #expect(long.status == .success && short.status == .success && short.output == "")
        #expect(folder["short.json"] == folder["long.json"] && folder["short.json"] != nil)
    }
}
