import Testing

@testable import TestSupport
@testable import scenario

/// The gates of `diff`: at the limit they hold, past it the exit status is 4 and the report is there all the same.
@Suite struct DiffGateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let gate: String
        /// Whether it holds for 1 device of 1000, for 0 of 3, and for 2 of 3.
        let holds: [Bool]
        var testDescription: String { gate }
    }

    static let rows = [
        Row(gate: "0", holds: [false, true, false]), Row(gate: "1", holds: [true, true, false]),
        Row(gate: "2", holds: [true, true, true]), Row(gate: "999999999999", holds: [true, true, true]),
        Row(gate: "0%", holds: [false, true, false]), Row(gate: "0.1%", holds: [true, true, false]),
        Row(gate: "0.099999999%", holds: [false, true, false]), Row(gate: "0.100000001%", holds: [true, true, false]),
        // Two thirds are 66.66…6 %, with no end.
        Row(gate: "66.666666666%", holds: [true, true, false]), Row(gate: "66.666666667%", holds: [true, true, true]),
        Row(gate: "100%", holds: [true, true, true]), Row(gate: "00", holds: [false, true, false]),
    ]

    // The change, so that devices are rejected or accepted, by option.
    private static let directions = [
        ("--max-newly-rejected", ["--account=@root.yaml", "--candidate=@plain.yaml"]),
        ("--max-newly-accepted", ["--account=@plain.yaml", "--candidate=@root.yaml"]),
    ]

    @Test(arguments: rows) func holdsUpToItsLimit(_ row: Row) throws {
        let folder = try TemporaryFolder(DiffSample.files)
        for (place, capture) in ["@thousand.jsonl", "@day.jsonl", "@three.jsonl"].enumerated() {
            for (option, change) in Self.directions {
                let change = place == 1 ? ["--policy=default,default,risk"] : change
                let plain = ToolRun(["diff", capture] + change, in: folder)
                let run = ToolRun(["diff", capture, "\(option)=\(row.gate)"] + change, in: folder)
                #expect(run.status == (row.holds[place] ? .success : .gatePassed), "\(capture) \(option)")
                #expect(run.output == plain.output)
                #expect(run.error.isEmpty == row.holds[place])
            }
        }
    }

    @Test func saysWhichGateWasPassed() throws {
        let folder = try TemporaryFolder(DiffSample.files)
        let run = ToolRun(
            [
                "diff", "@three.jsonl", "--account=@root.yaml", "--candidate=@plain.yaml", "--max-newly-rejected=1",
                "--max-newly-accepted=0", "--output=@report",
            ], in: folder)
        #expect(run.status == .gatePassed)
        #expect(run.output == "")
        #expect(
            run.error == "scenario: gate passed: 2 of 3 devices are more than `--max-newly-rejected` allows\n")
        #expect(folder["report"]?.hasPrefix("2 of 3 devices (66.7 %) would stop getting valid tokens; ") == true)
    }

    @Test func bothGatesMayBePassedAtOnce() throws {
        // Amy is banned, Bob may be rooted.
        let run = try ToolRun(
            [
                "diff", "@day.jsonl", "--change=policy -set default,allow-root,default",
                "--change=device -add \(Sample.amy) -banMode ban", "--max-newly-rejected=0%", "--max-newly-accepted=0",
            ], files: DiffSample.files)
        #expect(run.status == .gatePassed)
        #expect(
            run.error
                == "scenario: gate passed: 1 of 2 devices are more than `--max-newly-rejected` allows\n"
                + "scenario: gate passed: 1 of 2 devices are more than `--max-newly-accepted` allows\n")
    }

    @Test(arguments: [
        "x", "-1", "+1", "1.5", "0.1", "%", "-1%", "101%", "100.000000001%", "1e3", " 1", "1 %", "1%%", "٣", "0x1",
        "0.0000000001%", "1,000", "99999999999999999999",
    ])
    func refusesNonsense(text: String) throws {
        for option in ["--max-newly-rejected", "--max-newly-accepted"] {
            let run = try ToolRun(
                ["diff", "@day.jsonl", "--candidate=@root.yaml", "\(option)=\(text)"], files: DiffSample.files)
            #expect(run.status == .usage)
            #expect(
                run.error == "scenario: error: `\(option)` takes a number of devices or a share, not `\(text)`; "
                    + "such as `12` or `0.1%`\n")
            #expect(run.output == "")
        }
    }
}
