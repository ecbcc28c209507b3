import Testing

@testable import TestSupport
@testable import scenario

/// The limits of `diff`: up to them it succeeds; past one the exit status is 4, and the report is there all the same.
@Suite struct ChangeLimitTests {
    /// Limits; true where one allows 1 device of 1000, 0 of 3, and 2 of 3.
    static let rows: [Case<String, [Bool]>] = [
        Case("0", gives: [false, true, false]), Case("1", gives: [true, true, false]),
        Case("2", gives: [true, true, true]), Case("999999999999", gives: [true, true, true]),
        Case("0%", gives: [false, true, false]), Case("0.1%", gives: [true, true, false]),
        Case("0.099999999%", gives: [false, true, false]),
        Case("0.100000001%", gives: [true, true, false]),
        // Two thirds are 66.66…6 %, with no end.
        Case("66.666666666%", gives: [true, true, false]),
        Case("66.666666667%", gives: [true, true, true]),
        Case("100%", gives: [true, true, true]), Case("00", gives: [false, true, false]),
    ]

    // The change, so that devices are rejected or accepted, by option.
    private static let directions = [
        ("--max-newly-rejected", ["--account=@root.yaml", "--candidate=@plain.yaml"]),
        ("--max-newly-accepted", ["--account=@plain.yaml", "--candidate=@root.yaml"]),
    ]

    @Test(arguments: rows) func succeedsUpToTheLimit(_ row: Case<String, [Bool]>) throws {
        let folder = try TemporaryFolder(DiffSample.files)
        for (index, capture) in ["@thousand.jsonl", "@day.jsonl", "@three.jsonl"].enumerated() {
            for (option, change) in Self.directions {
                let change = index == 1 ? ["--account=new", "--policy=default,default,risk"] : change
                let plain = ToolRun(["diff", capture] + change, in: folder)
                let run = ToolRun(["diff", capture, "\(option)=\(row.input)"] + change, in: folder)
                #expect(run.status == (row.expected[index] ? .success : .limitExceeded), "\(capture) \(option)")
                #expect(run.output == plain.output)
                #expect(run.error.isEmpty == row.expected[index])
            }
        }
    }

    @Test func saysWhichLimitIsExceeded() throws {
        let folder = try TemporaryFolder(DiffSample.files)
        let run = ToolRun(
            "diff @three.jsonl --account=@root.yaml --candidate=@plain.yaml --max-newly-rejected=1 "
                + "--max-newly-accepted=0 --output=@report", in: folder
        ).ending(.limitExceeded)
        #expect(run.output == "")
        #expect(
            run.error == "scenario: limit exceeded: 2 of 3 devices (66.7 %), more than `--max-newly-rejected` allows\n")
        #expect(folder["report"]?.hasPrefix("2 of 3 devices (66.7 %) would stop getting valid tokens; ") == true)
    }

    @Test func bothLimitsMayBeExceededAtOnce() throws {
        // Amy is banned, Bob may be rooted.
        let run = try ToolRun(
            [
                "diff", "@day.jsonl", "--account=new", "--change=policy -set default,allow-root,default",
                "--change=device -add \(Sample.amy) -banMode ban", "--max-newly-rejected=0%", "--max-newly-accepted=0",
            ], files: DiffSample.files)
        #expect(run.status == .limitExceeded)
        #expect(
            run.error
                == "scenario: limit exceeded: 1 of 2 devices (50.0 %), more than `--max-newly-rejected` allows\n"
                + "scenario: limit exceeded: 1 of 2 devices (50.0 %), more than `--max-newly-accepted` allows\n")
    }

    @Test(arguments: [
        "x", "-1", "+1", "1.5", "0.1", "%", "-1%", "101%", "100.000000001%", "1e3", " 1", "1 %", "1%%", "٣", "0x1",
        "0.0000000001%", "1,000", "99999999999999999999",
    ])
    func refusesNonsense(text: String) throws {
        for option in ["--max-newly-rejected", "--max-newly-accepted"] {
            let run = try ToolRun(
                ["diff", "@day.jsonl", "--account=new", "--candidate=@root.yaml", "\(option)=\(text)"],
                files: DiffSample.files)
            #expect(run.status == .usage)
            #expect(
                run.error == "scenario: error: `\(option)` takes a number or a share, not `\(text)`; "
                    + "such as `12` or `0.1%`\n")
            #expect(run.output == "")
        }
    }
}

/// Limits of `diff` if the effect of the change on some devices is not known: an unknown effect counts as a change, and is
/// in no other figure.
@Suite struct UnevaluatedLimitTests {
    private static func record(_ number: Int, _ device: String, _ flags: String) -> String {
        #"{"time":"2020-07-23T10:00:0\#(number)Z","device-id":"\#(device)","flags":"\#(flags)"}"# + "\n"
    }

    // No record has `new-did`. Bob's first attestation fails only if he was new, and his second in any case; Amy's fails in
    // any case; Device 1 passes in any case, since its policy accepts everything.
    private static let files = [
        "day.jsonl": record(0, Sample.bob, "") + record(1, Sample.bob, "rooted") + record(2, Sample.amy, "rooted")
            + record(3, DiffSample.device(1), ""),
        "bob.jsonl": record(0, Sample.bob, ""),
        "may.jsonl": record(0, Sample.bob, "") + record(1, DiffSample.device(1), ""),
        "before.yaml": "policy: default,allow-root,default\n",
        "after.yaml": """
        policy: default,default,risk
        reject-flags: {add: [new-did]}
        devices: [{id: \(DiffSample.device(1)), policy: "default,whitelist,default"}]

        """,
    ]

    struct Row: LabelledRow {
        let name: String
        let capture: String
        let arguments: Words
        let status: scenario.ExitStatus
        /// A part of standard error.
        var error = ""
    }

    private static let two = "up to 2 of 3 devices (66.7 %), with 1 that could not be evaluated (`new-did`), more than "

    static let rows = [
        Row(
            name: "nothing is known", capture: "@bob.jsonl", arguments: "", status: .nothingRan,
            error: "nothing was evaluated"),
        Row(
            name: "a limit of which nothing is known is exceeded", capture: "@bob.jsonl",
            arguments: "--max-newly-rejected=0", status: .limitExceeded, error: "nothing was evaluated"),
        Row(
            name: "none is known, and one may be", capture: "@may.jsonl", arguments: "--max-newly-rejected=0",
            status: .limitExceeded,
            error: "up to 1 of 2 devices (50.0 %), with 1 that could not be evaluated (`new-did`), more than "
                + "`--max-newly-rejected` allows"),
        Row(
            name: "one is known, and one may be", capture: "@day.jsonl", arguments: "--max-newly-rejected=1",
            status: .limitExceeded, error: two + "`--max-newly-rejected` allows"),
        Row(name: "this number may be", capture: "@day.jsonl", arguments: "--max-newly-rejected=2", status: .success),
        Row(
            name: "a share", capture: "@day.jsonl", arguments: "--max-newly-rejected=66%", status: .limitExceeded,
            error: two + "`--max-newly-rejected` allows"),
        Row(
            name: "one may be accepted", capture: "@day.jsonl", arguments: "--max-newly-accepted=0",
            status: .limitExceeded,
            error: "up to 1 of 3 devices (33.3 %), with 1 that could not be evaluated (`new-did`), more than "
                + "`--max-newly-accepted` allows"),
        Row(
            name: "annotations of one token change, and of two they may", capture: "@day.jsonl",
            arguments: "--max-annotations-changed=2", status: .limitExceeded,
            error: "up to 3 of 4 tokens (75.0 %), with 2 that could not be evaluated (`new-did`), more than "
                + "`--max-annotations-changed` allows"),
    ]

    @Test("what is not known counts as changed where changes are limited", arguments: rows)
    func countsTheWorstCase(_ row: Row) throws {
        let run = try ToolRun(
            ["diff", row.capture, "--account=@before.yaml", "--candidate=@after.yaml"] + row.arguments.list,
            files: Self.files)
        #expect(run.status == row.status, "\(run.error)")
        #expect(run.error.contains(row.error) && run.error.isEmpty == row.error.isEmpty, "\(run.error)")
    }

    @Test("the former name sets the same limit", arguments: ["--max-unevaluated", "--max-unjudged"])
    func isUnderstoodByItsFormerName(_ option: String) throws {
        let arguments = ["diff", "@day.jsonl", "--account=@before.yaml", "--candidate=@after.yaml"]
        let limit = "scenario: limit exceeded: 1 of 3 devices (33.3 %), more than `--max-unevaluated` allows\n"
        let exceeded = try ToolRun(arguments + [option + "=0"], files: Self.files)
        #expect(exceeded.status == .limitExceeded && exceeded.error.hasSuffix(limit))
        #expect(try ToolRun(arguments + [option, "1"], files: Self.files).status == .success)
        #expect(try ToolRun(arguments + [option, "x"], files: Self.files).status == .usage)
        let twice = try ToolRun(arguments + ["--max-unevaluated=0", option + "=9"], files: Self.files)
        #expect(twice.error == "scenario: error: option `--max-unevaluated` is given more than once\n")
    }

    @Test("a device of which something is not known is in no other figure") func isInNoOtherFigure() throws {
        let arguments = ["diff", "@day.jsonl", "--account=@before.yaml", "--candidate=@after.yaml"]
        let text = try ToolRun(arguments, files: Self.files).output
        #expect(
            text.hasPrefix(
                "between 1 and 2 of 3 devices (33.3 % to 66.7 %) would stop getting valid tokens; between 0 and 1 would "
                    + "start; "), "\(text)")
        let changes = try JSONText(try ToolRun(arguments + ["--format=json"], files: Self.files).output)
        func count(_ kind: String, _ figure: String) -> Int? { changes.integer("changes", kind, figure) }
        #expect(count("newly-rejected", "devices") == 1 && count("newly-rejected", "attestations") == 1)
        #expect(count("annotations", "attestations") == 1 && count("annotations", "devices") == 1)
        #expect(changes.integer("changes", "judged", "unjudged", "devices") == 1)
        // The attestations of Amy and Device 1: 120 s and 300 s, before and after.
        let lifetimes = try #require(changes["changes", "lifetimes"] as? [[String: Any]])
        #expect(lifetimes.compactMap { $0["attestations"] as? Int }.reduce(0, +) == 2)
        let examples = try #require(changes["changes", "newly-rejected", "examples"] as? [[String: Any]])
        #expect(examples.map { $0["device"] as? String } == [Sample.amy])
    }
}
