import Testing

@testable import TestSupport
@testable import scenario

/// The limits of `diff`: up to them it succeeds; past one the exit status is 4, and the report is there all the same.
@Suite struct ChangeLimitTests {
    struct Row: LabelledRow {
        let limit: String
        /// True if it allows 1 device of 1000, 0 of 3, and 2 of 3.
        let allows: [Bool]
    }

    static let rows = [
        Row(limit: "0", allows: [false, true, false]), Row(limit: "1", allows: [true, true, false]),
        Row(limit: "2", allows: [true, true, true]), Row(limit: "999999999999", allows: [true, true, true]),
        Row(limit: "0%", allows: [false, true, false]), Row(limit: "0.1%", allows: [true, true, false]),
        Row(limit: "0.099999999%", allows: [false, true, false]),
        Row(limit: "0.100000001%", allows: [true, true, false]),
        // Two thirds are 66.66…6 %, with no end.
        Row(limit: "66.666666666%", allows: [true, true, false]),
        Row(limit: "66.666666667%", allows: [true, true, true]),
        Row(limit: "100%", allows: [true, true, true]), Row(limit: "00", allows: [false, true, false]),
    ]

    // The change, so that devices are rejected or accepted, by option.
    private static let directions = [
        ("--max-newly-rejected", ["--account=@root.yaml", "--candidate=@plain.yaml"]),
        ("--max-newly-accepted", ["--account=@plain.yaml", "--candidate=@root.yaml"]),
    ]

    @Test(arguments: rows) func succeedsUpToTheLimit(_ row: Row) throws {
        let folder = try TemporaryFolder(DiffSample.files)
        for (index, capture) in ["@thousand.jsonl", "@day.jsonl", "@three.jsonl"].enumerated() {
            for (option, change) in Self.directions {
                let change = index == 1 ? ["--account=new", "--policy=default,default,risk"] : change
                let plain = ToolRun(["diff", capture] + change, in: folder)
                let run = ToolRun(["diff", capture, "\(option)=\(row.limit)"] + change, in: folder)
                #expect(run.status == (row.allows[index] ? .success : .limitExceeded), "\(capture) \(option)")
                #expect(run.output == plain.output)
                #expect(run.error.isEmpty == row.allows[index])
            }
        }
    }

    @Test func saysWhichLimitIsExceeded() throws {
        let folder = try TemporaryFolder(DiffSample.files)
        let run = ToolRun(
            [
                "diff", "@three.jsonl", "--account=@root.yaml", "--candidate=@plain.yaml", "--max-newly-rejected=1",
                "--max-newly-accepted=0", "--output=@report",
            ], in: folder)
        #expect(run.status == .limitExceeded)
        #expect(run.output == "")
        #expect(
            run.error == "scenario: limit exceeded: 2 of 3 devices are more than `--max-newly-rejected` allows\n")
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
                == "scenario: limit exceeded: 1 of 2 devices are more than `--max-newly-rejected` allows\n"
                + "scenario: limit exceeded: 1 of 2 devices are more than `--max-newly-accepted` allows\n")
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
