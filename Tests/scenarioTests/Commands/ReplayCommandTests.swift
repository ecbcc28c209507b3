import Testing

@testable import TestSupport
@testable import scenario

@Suite struct ReplayCommandTests {
    private static let malformed = [
        "malformed.jsonl:2: error: record without `device-id`", "malformed.jsonl:3: error: not a JSON object:",
    ]

    static let refused: [ToolRow] = [
        .invalid("missing capture", "replay @missing", "missing: error: no such file or directory"),
        .invalid(
            "missing account", "replay --account @missing @day.jsonl", "missing: error: no such file or directory"),
        .invalid(
            "mistake in the account", "replay --account=@account-bad.yaml @day.jsonl",
            "account-bad.yaml:1:1: error: unknown key `polcy` in the account\n  polcy: x\n  ^\n"
                + "  hint: did you mean `policy`?"),
        .invalid(
            "mistake in the policy", "replay --policy default,default @day.jsonl",
            "--policy: error: `default,default` is not a security policy; write `rules,rejection,annotation` "
                + "without spaces\n  hint: did you mean `default,default,default`?"),
        ToolRow(
            name: "mistakes in changes",
            arguments: [
                "replay", "--change", "polcy", "--change", "policy -addRejectFlag roted", "--change",
                "device -add latest", "@day.jsonl",
            ], status: .invalidInput,
            error: "--change: error: unknown command `polcy`\n  hint: did you mean `policy`?\n"
                + "--change: error: unknown flag `roted`\n  hint: did you mean `rooted`?\n"
                + "--change: error: no device attested in the last two minutes, so there is no `latest`\n"),
        .invalid(
            "out of order", "replay @disordered.jsonl",
            "disordered.jsonl:2: error: record of 2020-07-23T10:00:00Z after one of 2020-07-23T11:00:00Z\n"
                + "  hint: --sort puts records into the order of time"),
        .invalid(
            "captures out of order", "replay @day.jsonl @day.txt",
            "day.txt:1: error: record of 2020-07-23T10:00:00Z after one of 2020-07-23T11:00:00Z\n"
                + "  hint: --sort puts records into the order of time\n"
                + "day.txt:6: error: record of 2020-07-23T10:00:01Z after one of 2020-07-23T11:00:00Z"),
        .invalid("empty capture", "replay @empty.jsonl", "empty.jsonl: error: the capture is empty"),
        .invalid("blank capture", "replay @blank.jsonl", "blank.jsonl: error: the capture is empty"),
        .usage(
            "a scenario", "replay good.yaml",
            "`good.yaml` is YAML, not a capture; "
                + "`--account` takes an account, and `scenario run` or `generate` a scenario"),
        .invalid(
            "a capture as the account", "replay @day.jsonl --account @day.jsonl",
            "day.jsonl: error: this is a capture, not an account\n"
                + "  hint: captures are for replay, diff and explain"),
        .invalid(
            "a capture that is called as a scenario is", "replay missing.yaml --input-format jsonl",
            "missing.yaml: error: no such file or directory"),
        .invalid(
            "something else", "replay @other.txt",
            "other.txt: error: neither device information, nor fetches, nor JSON Lines, nor columns of Arrow\n"
                + "  hint: --input-format names the form if the content does not show it"),
        .invalid(
            "fetches among attestations", "replay @day.jsonl @fetches.txt",
            "fetches.txt: error: a capture of fetches among captures of attestations\n"
                + "  hint: --fetches takes it, to weigh the others"),
        .invalid(
            "attestations for fetches", "replay @day.jsonl --fetches @day.txt",
            "day.txt: error: not a capture of fetches"),
        .invalid(
            "unknown time zone", "replay @odd.txt",
            "odd.txt:1: error: unknown time zone `NZST`\n"
                + "  hint: give its offset from UTC with --timezone ±hh:mm"),
        .invalid(
            "output that cannot be written", "replay @day.jsonl --output @no/report",
            "no/report: error: no such file or directory"),
        .invalid(
            "decisions that cannot be written", "replay @day.jsonl --decisions @no/d",
            "no/d: error: no such file or directory"),
    ]

    @Test(arguments: refused) func reportsNothing(_ row: ToolRow) throws {
        try row.expectNoOutput(files: Sample.files)
    }

    // Fetches are counted, and nothing is evaluated.
    static let fetchOptions = [
        ["--fetches", "@fetches.txt"], ["--decisions", "@decisions"], ["--policy", "default,strict,risk"],
        ["--change", "policy -addRejectFlag debug"],
    ]

    @Test(arguments: fetchOptions) func optionsWithoutEffectOnFetchesAreRefused(_ option: [String]) throws {
        let run = try ToolRun(["replay", "@fetches.txt"] + option, files: Sample.files).ending(.invalidInput)
        #expect(run.output == "")
        #expect(
            run.error
                == "fetches.txt: error: a capture of fetches has no attestations, so `\(option[0])` would have no effect\n"
                + "  hint: `--fetches` takes it, to weigh a capture of attestations\n")
    }

    @Test func malformedFetchesAreCounted() throws {
        let files = ["odd.txt": Sample.fetches + "x\n"]
        let arguments = ["replay", "@odd.txt", "--skip-malformed"]
        let report = try JSONText(ToolRun(arguments + ["--format", "json"], files: files).output)
        #expect(report.integer("summary", "malformed") == 1)
        #expect(report.integer("metrics", "fail-bad-request") == 1)
        #expect(report.integer("fetches", "malformed") == 1)
        let text = try ToolRun(arguments, files: files).output
        #expect(text.contains("malformed lines left out"))
        #expect(!text.contains("Attestations"))
    }

    struct Row: LabelledRow {
        let name: String
        let arguments: Words
        let passed, failed: Int
    }

    static let replayed = [
        Row(name: "a new account", arguments: "@day.jsonl", passed: 1, failed: 2),
        Row(name: "an account", arguments: "--account @account.yaml @day.jsonl", passed: 3, failed: 0),
        Row(name: "a policy", arguments: "--policy default,whitelist,all @day.jsonl", passed: 3, failed: 0),
        Row(
            name: "a policy instead of the account's",
            arguments: "--account @account.yaml --policy default,strict,risk @day.jsonl", passed: 1, failed: 2),
        Row(
            name: "a change", arguments: ["@day.jsonl", "--change", "policy -removeRejectFlag rooted"], passed: 3,
            failed: 0),
        Row(
            name: "changes in their order",
            arguments: [
                "@day.jsonl", "--change", "policy -removeRejectFlag rooted", "--change",
                "policy -set default,default,default",
            ], passed: 1, failed: 2),
        Row(
            name: "changes after the policy",
            arguments: ["@day.jsonl", "--change=policy -addRejectFlag rooted", "--policy=default,allow-root,risk"],
            passed: 1, failed: 2),
        Row(
            name: "a change of a device",
            arguments: ["@day.jsonl", "--change", "device -add \(Sample.bob) -policy default,allow-root,default"],
            passed: 3, failed: 0),
        Row(name: "device information", arguments: "@day.txt", passed: 1, failed: 1),
        Row(name: "two captures", arguments: "@day.txt @day.jsonl --sort", passed: 2, failed: 3),
        Row(name: "sorted", arguments: "@disordered.jsonl --sort", passed: 1, failed: 1),
        Row(name: "a time zone", arguments: "@odd.txt --timezone +12:00", passed: 1, failed: 0),
        Row(name: "the form given", arguments: "@day.jsonl --input-format jsonl", passed: 1, failed: 2),
        Row(name: "the others", arguments: "@malformed.jsonl --skip-malformed", passed: 1, failed: 1),
        Row(name: "any number of threads", arguments: "@day.jsonl --jobs 3", passed: 1, failed: 2),
    ]

    @Test(arguments: replayed) func reports(_ row: Row) throws {
        let run = try ToolRun(["replay", "--format", "json"] + row.arguments.list, files: Sample.files).ending(.success)
        let report = try JSONText(run.output)
        #expect(report.integer("metrics", "pass") == row.passed)
        #expect(report.integer("metrics", "fail") == row.failed)
        #expect(report.integer("summary", "attestations") == row.passed + row.failed)
    }

    @Test func everyMalformedRecordIsNamed() throws {
        let run = try ToolRun("replay @malformed.jsonl", files: Sample.files).ending(.invalidInput)
        #expect(run.output == "")
        let lines = run.error.split(separator: "\n").filter { $0.contains(": error: ") }
        #expect(lines.count == 2)
        for (line, start) in zip(lines, Self.malformed) { #expect(line.hasPrefix(start)) }
    }

    @Test func skippedRecordsAreCountedAndWarnedAbout() throws {
        let run = try ToolRun("replay @malformed.jsonl --skip-malformed --format=json", files: Sample.files)
        let report = try JSONText(run.output)
        #expect(report.integer("summary", "malformed") == 2)
        #expect(report.integer("metrics", "fail-bad-request") == 2)
        #expect(run.error.contains("malformed.jsonl:2: warning: record without `device-id`\n"))
        #expect(!run.error.contains(": error: "))
    }

    @Test(arguments: [[], ["--skip-malformed"]]) func malformedRecordsAreKept(options: [String]) throws {
        let folder = try TemporaryFolder(Sample.files)
        _ = ToolRun(["replay", "@malformed.jsonl", "--malformed", "@kept"] + options, in: folder)
        #expect(folder["kept"] == "{\"time\":1}\nnothing\n")
    }

    @Test func moreThanTwentyMalformedRecordsAreCounted() throws {
        let capture = Sample.day + String(repeating: "{}\n", count: 23)
        let run = try ToolRun("replay @c.jsonl", files: ["c.jsonl": capture])
        let lines = run.error.split(separator: "\n")
        #expect(lines.count { $0.contains("record without `device-id`") } == 20)
        #expect(lines.contains("scenario: error: and 3 more malformed records"))
        #expect(run.status == .invalidInput)
    }

    @Test func nothingSoundIsNothingRun() throws {
        let run = try ToolRun("replay @c.jsonl --skip-malformed", files: ["c.jsonl": "{}\n"]).ending(.nothingRan)
        #expect(run.error.hasSuffix("scenario: error: nothing to evaluate: the captures contain no valid record\n"))
    }

    @Test func aCutCaptureIsWarnedAbout() throws {
        let run = try ToolRun("replay @c.txt", files: ["c.txt": String(Sample.text.dropLast())]).ending(.success)
        #expect(run.error == "c.txt: warning: the last line has no newline; the capture may have been cut\n")
    }

    @Test func aBadFormGivenIsRefused() throws {
        let run = try ToolRun("replay @day.jsonl --input-format info", files: Sample.files).ending(.invalidInput)
        #expect(run.output == "")
        #expect(run.error.contains("day.jsonl:1: error: line outside a record\n"))
    }

    @Test func fetchesWeighTheDevices() throws {
        let arguments = ["replay", "@day.jsonl", "--fetches", "@fetches.txt", "--format", "json"]
        let report = try JSONText(try ToolRun(arguments, files: Sample.files).output)
        #expect(report.integer("fetches", "total") == 4)
        #expect(report.integer("fetches", "devices") == 3)
        #expect(report.integer("fetches", "weights", "fail") == 2)
        #expect(report.integer("fetches", "weights", "pass") == 1)
        #expect(report.integer("fetches", "weights", "unknown") == 1)
    }

    @Test func fetchesAloneAreCounted() throws {
        let run = try ToolRun("replay @fetches.txt --format json", files: Sample.files).ending(.success)
        let report = try JSONText(run.output)
        #expect(report.integer("fetches", "total") == 4)
        #expect(report.integer("summary", "attestations") == 0)
    }

    @Test func theReportSaysWhatIsReproduced() throws {
        let run = try ToolRun("replay @day.txt --format json --policy default,allow-root,risk", files: Sample.files)
        let report = try JSONText(run.output)
        #expect(report.integer("reproduced", "compared") == 2)
        #expect(report.integer("reproduced", "agreed") == 1)
    }
}

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

    static let rows: [Case<[String], String>] = [
        Case(["replay", "@day.jsonl"], gives: captured),
        Case(["run", "@good.yaml"], gives: simulated),
    ]

    @Test("R13.2a the series is the report's last key", arguments: rows)
    func isWritten(_ row: Case<[String], String>) throws {
        let plain = try ToolRun(row.input + ["--format", "json"], files: Sample.files)
        #expect(!plain.output.contains("series"))
        for jobs in ["1", "2", "5"] {
            let run = try ToolRun(row.input + ["--series", "--jobs", jobs, "--format=json"], files: Sample.files)
            #expect(run.status == .success)
            #expect(run.output == plain.output.dropLast(2) + "," + row.expected)
        }
    }

    static let refused: [ToolRow] = [
        .usage("replay as text", "replay --series @day.jsonl", "`--series` needs `--format json`"),
        .usage("run as JUnit", "run --series --format=junit @good.yaml", "`--series` needs `--format json`"),
    ]

    @Test(arguments: refused) func isRefusedWhereThereIsNoPlaceForIt(_ row: ToolRow) throws {
        let run = try ToolRun(row.arguments.list, files: Sample.files)
        #expect((run.status, run.error, run.output) == (row.status, row.error, ""))
    }

    @Test func fetchesAloneHaveNone() throws {
        let run = try ToolRun("replay --series --format=json @fetches.txt", files: Sample.files).ending(.invalidInput)
        #expect(run.error.contains("--series"))
    }
}
