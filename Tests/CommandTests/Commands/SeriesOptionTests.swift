import Testing

@testable import scenario

/// `--series` of `run` and `replay` (R13.2a).
@Suite struct SeriesOptionTests {
    private static let captured =
        #""series":["#
        + #"{"fail":1,"fail-flag-new-did":1,"fail-flag-risky-device":1,"fail-flag-rooted":1,"#
        + #""minute":"2020-07-23T10:00:00Z","pass":1,"pass-flag-new-did":1,"policy-default":2,"#
        + #""rejection-flag-rooted":1},"#
        + #"{"fail":1,"fail-flag-risky-device":1,"fail-flag-rooted":1,"minute":"2020-07-23T11:00:00Z","pass":0,"#
        + #""policy-default":1,"rejection-flag-rooted":1}]}"# + "\n"
    private static let simulated =
        #""series":[{"fail":0,"minute":"2020-01-01T00:00:00Z","pass":1,"#
        + #""pass-flag-new-did":1,"policy-default":1,"sdk-calls-fetch-config":1,"sdk-calls-fetch-sync":1,"#
        + #""sdk-result-success":1}]}"# + "\n"

    struct Row: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let series: String
        var testDescription: String { arguments[0] }
    }

    static let rows = [
        Row(arguments: ["replay", "@day.jsonl"], series: captured),
        Row(arguments: ["run", "@good.yaml"], series: simulated),
    ]

    @Test("R13.2a the series is the report's last key", arguments: rows) func isWritten(_ row: Row) throws {
        let plain = try ToolRun(row.arguments + ["--format", "json"], files: Sample.files)
        #expect(!plain.output.contains("series"))
        for jobs in ["1", "2", "5"] {
            let run = try ToolRun(
                row.arguments + ["--series", "--jobs", jobs, "--format=json"], files: Sample.files)
            #expect(run.status == .success)
            #expect(run.output == plain.output.dropLast(2) + "," + row.series)
        }
    }

    static let refused = [
        ToolRow(
            name: "replay as text", arguments: ["replay", "--series", "@day.jsonl"], status: .usage,
            error: "scenario: error: `--series` needs `--format json`\n"),
        ToolRow(
            name: "run as JUnit", arguments: ["run", "--series", "--format=junit", "@good.yaml"], status: .usage,
            error: "scenario: error: `--series` needs `--format json`\n"),
    ]

    @Test(arguments: refused) func isRefusedWhereThereIsNoPlaceForIt(_ row: ToolRow) throws {
        let run = try ToolRun(row.arguments, files: Sample.files)
        #expect((run.status, run.error, run.output) == (row.status, row.error, ""))
    }

    @Test func fetchesAloneHaveNone() throws {
        let run = try ToolRun(["replay", "--series", "--format=json", "@fetches.txt"], files: Sample.files)
        #expect(run.status == .invalidInput)
        #expect(run.error.contains("--series"))
    }
}
