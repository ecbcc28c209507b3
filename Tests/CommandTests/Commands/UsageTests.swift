import Testing

@testable import scenario

/// Command lines that cannot be understood: one line, and exit status 3.
@Suite struct UsageTests {
    static let rows = [
        ToolRow(
            name: "unknown command", arguments: ["rnu"], status: .usage,
            error: "scenario: error: unknown command `rnu`; did you mean `run`?\n"),
        ToolRow(
            name: "unknown command that is near none", arguments: ["simulate"], status: .usage,
            error: "scenario: error: unknown command `simulate`; `scenario --help` lists the commands\n"),
        ToolRow(
            name: "unknown option of the tool", arguments: ["--verson"], status: .usage,
            error: "scenario: error: unknown option `--verson`; did you mean `--version`?\n"),
        ToolRow(
            name: "unknown option", arguments: ["run", "--nmae", "x"], status: .usage,
            error: "scenario: error: unknown option `--nmae`; did you mean `--name`?\n"),
        ToolRow(
            name: "option of another command", arguments: ["run", "--sort"], status: .usage,
            error: "scenario: error: unknown option `--sort`; `--help` lists the options\n"),
        ToolRow(
            name: "missing operand", arguments: ["replay"], status: .usage,
            error: "scenario: error: `CAPTURE…` is missing; `--help` shows how it is used\n"),
        ToolRow(
            name: "missing value", arguments: ["run", "--tag"], status: .usage,
            error: "scenario: error: option `--tag T` lacks its value\n"),
        ToolRow(
            name: "empty operand", arguments: ["run", ""], status: .usage, error: "scenario: error: a PATH is empty\n"),
        ToolRow(
            name: "seed", arguments: ["run", "--seed", "x"], status: .usage,
            error: "scenario: error: option `--seed` takes a whole number, 0 through 18446744073709551615, not `x`\n"),
        ToolRow(
            name: "form", arguments: ["run", "--format", "xml"], status: .usage,
            error:
                "scenario: error: option `--format` does not know `xml`; it knows `text`, `json`, `html`, "
                + "`openmetrics`, `junit`, `tap`, `github`, `summary-mail`\n"
        ),
        ToolRow(
            name: "near form", arguments: ["replay", "--input-format", "json", "@day.jsonl"], status: .usage,
            error: "scenario: error: option `--input-format` does not know `json`; did you mean `jsonl`?\n"),
        ToolRow(
            name: "option twice", arguments: ["run", "--seed", "1", "--seed=2"], status: .usage,
            error: "scenario: error: option `--seed` is given more than once\n"),
        ToolRow(
            name: "regex", arguments: ["run", "--name", "(", "@good.yaml"], status: .usage,
            error: "scenario: error: `--name`: bad regex `(`: missing closing parenthesis at offset 1\n"),
        ToolRow(
            name: "time zone", arguments: ["replay", "--timezone", "5", "@day.jsonl"], status: .usage,
            error: "scenario: error: `--timezone` takes `±hh:mm`, not `5`\n"),
        ToolRow(
            name: "standard input twice", arguments: ["replay", "-", "-"], status: .usage,
            error: "scenario: error: standard input can be read once only\n"),
    ]

    @Test(arguments: rows) func endsBeforeAnythingIsRead(_ row: ToolRow) throws {
        try row.expectNoOutput(files: Sample.files)
    }

    @Test func nothingTypedShowsTheHelpAsAnError() throws {
        let run = try ToolRun([])
        #expect(run.status == .usage)
        #expect(run.error == HelpText.text(for: ScenarioTool.definition))
        #expect(run.output == "")
    }
}
