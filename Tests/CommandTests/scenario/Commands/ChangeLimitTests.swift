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
                expect(run.status, equals: (row.expected[index] ? .success : .limitExceeded), "\(capture) \(option)")
                expect(run.output, equals: plain.output)
                expect(run.error.isEmpty, equals: row.expected[index])
            }
        }
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
            expect(run.status, equals: .usage)
            expect(
                run.error,
                equals: "scenario: error: `\(option)` takes a number or a share, not `\(text)`; "
                    + "such as `12` or `0.1%`\n")
            expect(run.output, equals: "")
        }
    }
}
