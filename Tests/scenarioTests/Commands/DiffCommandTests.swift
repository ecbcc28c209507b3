import Testing

@testable import TestSupport
@testable import scenario

/// `diff`: how a change is given, and what is refused.
@Suite struct DiffCommandTests {
    struct Row: LabelledRow {
        let name: String
        let arguments: Words
        /// Devices newly rejected and newly accepted; `Sample.day` has Bob, rooted, and Amy, who is not.
        let rejected, accepted: Int
    }

    static let changes = [
        Row(
            name: "a change", arguments: ["--change", "policy -set default,allow-root,default"], rejected: 0,
            accepted: 1),
        Row(
            name: "changes in their order",
            arguments:
                "--change 'policy -set default,blacklist,default' --change 'policy -set default,allow-root,risk'",
            rejected: 0, accepted: 1),
        Row(
            name: "changes that undo each other",
            arguments:
                "--change='policy -set default,allow-root,risk' --change='policy -set default,default,default'",
            rejected: 0, accepted: 0),
        Row(name: "a file of changes", arguments: "--changes @allow.txt", rejected: 0, accepted: 1),
        Row(name: "a policy", arguments: "--policy default,blacklist,default", rejected: 1, accepted: 0),
        Row(name: "a candidate", arguments: "--candidate @root.yaml", rejected: 0, accepted: 1),
        Row(
            name: "an account before", arguments: "--account @root.yaml --policy=default,default,default",
            rejected: 1, accepted: 0),
        Row(
            name: "an account before and a candidate",
            arguments: "--account @root.yaml --candidate @plain.yaml", rejected: 1, accepted: 0),
        Row(
            name: "a ban", arguments: ["--change", "device -add \(Sample.amy) -banMode ban"], rejected: 1, accepted: 0),
        Row(
            name: "a filter", arguments: ["--change", "filter -add all -key device-id -matchValue . -regex -reject"],
            rejected: 1, accepted: 0),
    ]

    @Test(arguments: changes) func takesAChange(_ row: Row) throws {
        let run = try ToolRun(
            DiffSample.named(["diff", "@day.jsonl", "--format=json"] + row.arguments.list), files: DiffSample.files)
        #expect(run.status == .success)
        let report = try JSONText(run.output)
        #expect(report.integer("changes", "newly-rejected", "devices") == row.rejected)
        #expect(report.integer("changes", "newly-accepted", "devices") == row.accepted)
    }

    private static let oneOf = "; give one of `--change`, `--changes`, `--policy`, `--candidate`, `--base`\n"

    static let refused: [ToolRow] = [
        ToolRow(
            name: "no change", arguments: "diff @day.jsonl", status: .usage,
            error: "scenario: error: there is no change" + oneOf),
        ToolRow(
            name: "a change and a policy",
            arguments: ["diff", "@day.jsonl", "--change", "policy -get", "--policy", "default,default,default"],
            status: .usage, error: "scenario: error: `--policy` cannot be combined with `--change`" + oneOf),
        ToolRow(
            name: "a file of changes and a candidate",
            arguments: "diff @day.jsonl --candidate=@root.yaml --changes=@allow.txt", status: .usage,
            error: "scenario: error: `--candidate` cannot be combined with `--changes`" + oneOf),
        .usage(
            "no capture", "diff --policy default,strict,default", "`PATH…` is missing; `--help` shows how it is used"),
        .usage(
            "a scenario among captures", "diff @good.yaml @day.jsonl --policy=default,strict,default",
            "a scenario is compared alone; captures may be many"),
        .usage(
            "a form that there is not", "diff @day.jsonl --format xml",
            "option `--format` does not know `xml`; it knows `text`, `json`, `markdown`, `html`, "
                + "`csv`, `junit`, `sarif`, `github`"),
        .invalid(
            "an empty capture", "diff @empty.jsonl --account=new --candidate=@root.yaml",
            "empty.jsonl: error: the capture is empty"),
        .invalid(
            "blank lines alone", "diff @blank.jsonl --account=new --candidate=@root.yaml",
            "blank.jsonl: error: the capture is empty"),
        .invalid(
            "a missing candidate", "diff @day.jsonl --account=new --candidate=@no.yaml",
            "no.yaml: error: no such file or directory"),
        .invalid(
            "a missing file of changes", "diff @day.jsonl --account=new --changes=@no.txt",
            "no.txt: error: no such file or directory"),
        ToolRow(
            name: "an account and a change that are both wrong",
            arguments: ["diff", "@day.jsonl", "--account", "@account-bad.yaml", "--change", "polcy -get"],
            status: .invalidInput,
            error: "account-bad.yaml:1:1: error: unknown key `polcy` in the account\n  polcy: x\n  ^\n"
                + "  hint: did you mean `policy`?\n"
                + "--change: error: unknown command `polcy`\n  hint: did you mean `policy`?\n"),
        .invalid(
            "an account and a candidate that are both wrong",
            "diff @day.jsonl --account @account-bad.yaml --candidate @broken.yaml",
            "account-bad.yaml:1:1: error: unknown key `polcy` in the account\n  polcy: x\n  ^\n"
                + "  hint: did you mean `policy`?\nbroken.yaml:2:1: error: unknown key `polcy` in the account\n"
                + "  polcy: x\n  ^\n  hint: did you mean `policy`?"),
        .invalid(
            "a policy that is none", "diff @day.jsonl --account=new --policy default,default",
            "--policy: error: `default,default` is not a security policy; write `rules,rejection,annotation` "
                + "without spaces\n  hint: did you mean `default,default,default`?"),
        .invalid(
            "records out of order", "diff @disordered.jsonl --account=new --candidate=@root.yaml",
            "disordered.jsonl:2: error: record of 2020-07-23T10:00:00Z after one of 2020-07-23T11:00:00Z\n"
                + "  hint: --sort puts records into the order of time"),
        .invalid(
            "a report that cannot be written",
            "diff @day.jsonl --account=new --candidate=@root.yaml --output @no/report",
            "no/report: error: no such file or directory"),
    ]

    @Test(arguments: refused) func reportsNothing(_ row: ToolRow) throws {
        try row.expectNoOutput(files: DiffSample.files)
    }

    @Test func nothingSoundIsNothingCompared() throws {
        let run = try ToolRun(
            "diff @c.jsonl --account=new --skip-malformed --policy=default,strict,risk", files: ["c.jsonl": "{}\n"])
        #expect(run.status == .nothingRan)
        #expect(run.error.hasSuffix("scenario: error: nothing to compare: there is no attestation\n"))
        #expect(run.output == "")
    }

    @Test func malformedRecordsRefuseTheInputUnlessSkipped() throws {
        let arguments = ["diff", "@malformed.jsonl", "--account=new", "--candidate=@root.yaml", "--format=json"]
        let refused = try ToolRun(arguments, files: DiffSample.files).ending(.invalidInput)
        #expect(refused.output == "")
        #expect(refused.error.contains("malformed.jsonl:2: error: "))
        #expect(refused.error.contains("malformed.jsonl:3: error: "))
        let folder = try TemporaryFolder(DiffSample.files)
        let skipped = ToolRun(arguments + ["--skip-malformed", "--malformed=@kept"], in: folder).ending(.success)
        let report = try JSONText(skipped.output)
        #expect(report.integer("changes", "attestations") == 2)
        #expect(report.integer("changes", "newly-accepted", "attestations") == 1)
        for side in ["before", "after"] { #expect(report.integer(side, "summary", "malformed") == 2) }
        #expect(folder["kept"] == "{\"time\":1}\nnothing\n")
    }

    // Whoever reads Markdown in a change request does not see the exit status.
    @Test func markdownSaysWhichLimitsAreExceeded() throws {
        let run = try ToolRun(
            "diff @three.jsonl --account=new --candidate=@root.yaml --max-newly-rejected=0 --max-newly-accepted=1 "
                + "--format=markdown", files: DiffSample.files)
        #expect(run.status == .limitExceeded)
        #expect(
            run.output.contains(
                """
                ### Limits

                | limit | found | result |
                | --- | --- | --- |
                | --max-newly-rejected 0 | 0 of 3 devices (0.0 %) | **holds** |
                | --max-newly-accepted 1 | 2 of 3 devices (66.7 %) | **exceeded** |

                """))
        let unlimited = try ToolRun(
            "diff @three.jsonl --account=new --candidate=@root.yaml --format=markdown", files: DiffSample.files)
        #expect(!unlimited.output.contains("Limits"))
    }

    @Test func sortedRecordsAreCompared() throws {
        let run = try ToolRun(
            "diff @disordered.jsonl --account=new --sort --candidate=@root.yaml --format=json", files: DiffSample.files)
        #expect(try JSONText(run.output).integer("changes", "newly-accepted", "attestations") == 1)
    }

    @Test func fetchesWeighDevicesOnBothSides() throws {
        let arguments = ["diff", "@day.jsonl", "--account=new", "--candidate=@root.yaml", "--fetches=@fetches.txt"]
        let report = try JSONText(try ToolRun(arguments + ["--format=json"], files: DiffSample.files).output)
        #expect(report.integer("changes", "newly-accepted", "fetches") == 2)
        #expect(report.integer("changes", "newly-rejected", "fetches") == 0)
        let weights = ["before", "after"].map { report[$0, "fetches", "weights"] as? [String: Int] }
        #expect(weights == [["pass": 1, "fail": 2, "unknown": 1], ["pass": 3, "fail": 0, "unknown": 1]])
        let text = try ToolRun(arguments, files: DiffSample.files).output
        #expect(text.contains("\n  those devices make 2 of 4 fetches (50.0 %)\n"))
    }

    @Test func eachSideIsTheReportOfItsReplay() throws {
        let options = ["@day.jsonl", "--fetches=@fetches.txt", "--format=json"]
        let folder = try TemporaryFolder(DiffSample.files)
        // The command that explains a device is about the whole report.
        func side(_ account: String) throws -> String {
            let report = ToolRun(["replay", account] + options, in: folder).output
            let explain = try #require(report.firstRange(of: ",\"explain\":\""))
            return String(report[..<explain.lowerBound]) + "}"
        }
        let (before, after) = (try side("--account=new"), try side("--account=@root.yaml"))
        let output = ToolRun(["diff", "--account=new", "--candidate=@root.yaml"] + options, in: folder).output
        #expect(output.hasPrefix("{\"version\":1,\"before\":\(before),\"after\":\(after),\"changes\":{"))
    }

    struct GivenUp: LabelledRow {
        let label: String
        let arguments: Words
        let status: scenario.ExitStatus
        /// The end of standard error.
        let end: String
    }

    static let givenUp = [
        GivenUp(
            label: "it may reject", arguments: "--max-newly-rejected=0", status: .limitExceeded,
            end:
                "up to 1 of 2 devices (50.0 %), with 1 that could not be evaluated (`filter:slow`), more than `--max-newly-rejected` "
                + "allows\n"),
        GivenUp(
            label: "it may accept", arguments: "--max-newly-accepted=0", status: .limitExceeded,
            end:
                "up to 1 of 2 devices (50.0 %), with 1 that could not be evaluated (`filter:slow`), more than `--max-newly-accepted` "
                + "allows\n"),
        GivenUp(label: "as much is allowed", arguments: "--max-newly-rejected=1", status: .success, end: "does not\n"),
        GivenUp(
            label: "all are to be evaluated", arguments: "--max-unevaluated=0", status: .limitExceeded,
            end: "1 of 2 devices (50.0 %), more than `--max-unevaluated` allows\n"),
    ]

    @Test("R7.2 a search that was given up counts as a change where changes are limited", arguments: givenUp)
    func failsClosed(_ row: GivenUp) throws {
        let value = String(repeating: "a", count: 40) + "!"
        func line(_ id: String, _ value: String) -> String {
            #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(id)","flags":"new-did","ip":"\#(value)"}"# + "\n"
        }
        let files = [
            "slow.yaml": "filters: [{name: slow, key: ip, regex: '(a+)+$', reject: true}]\n",
            "c.jsonl": line(Sample.bob, value) + line(Sample.amy, "1.2.3.4"),
        ]
        let run = try ToolRun(
            ["diff", "@c.jsonl", "--account=new", "--candidate=@slow.yaml", "--format=json"] + row.arguments.list,
            files: files)
        #expect(run.status == row.status)
        #expect(run.error.hasSuffix(row.end), "\(run.error)")
        let report = try JSONText(run.output)
        #expect(report.integer("changes", "judged", "unjudged", "reasons", "filter:slow") == 1)
        #expect(report.integer("changes", "certainty", "locked-out", "at-most") == 1)
    }

    @Test func aLimitHitIsWarnedAboutOnEitherSide() throws {
        let account = "filters: [{name: slow, key: ip, regex: '(a+)+$'}]\n"
        let value = String(repeating: "a", count: 40) + "!"
        let capture =
            #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(Sample.bob)","flags":"","ip":"\#(value)"}"# + "\n"
        let files = ["slow.yaml": account, "plain.yaml": "account: plain\n", "c.jsonl": capture]
        for (before, after) in [("slow", "plain"), ("plain", "slow"), ("slow", "slow")] {
            let run = try ToolRun(
                ["diff", "@c.jsonl", "--account=@\(before).yaml", "--candidate=@\(after).yaml"], files: files)
            #expect(run.status == .success)
            #expect(
                run.error
                    == "filter slow: warning: the regex of filter `slow` hit its match limit 1 times; that counts as "
                    + "no match\n  hint: a pattern without nested repetition does not\n", "\(before) → \(after)")
        }
    }
}
