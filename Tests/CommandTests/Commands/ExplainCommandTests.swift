import Testing

@testable import TestSupport
@testable import scenario

/// `explain`: one device of a capture.
@Suite struct ExplainCommandTests {
    static let refused = [
        ToolRow(
            name: "no device", arguments: ["explain", "@day.jsonl"], status: .usage,
            error: "scenario: error: option `--device ID` is missing; it names whose decisions are explained\n"),
        ToolRow(
            name: "an ID that is none", arguments: ["explain", "@day.jsonl", "--device", "bob"], status: .usage,
            error: "scenario: error: `--device` takes a device ID, not `bob`; "
                + "22 characters of A–Z a–z 0–9 + / and then `==`\n"),
        ToolRow(
            name: "the filtered policy is no device",
            arguments: ["explain", "@day.jsonl", "--device", "++FilteredSecPolicy++w=="], status: .usage,
            error: "scenario: error: `--device` takes a device ID, not `++FilteredSecPolicy++w==`; "
                + "22 characters of A–Z a–z 0–9 + / and then `==`\n"),
        ToolRow(
            name: "a device that is not there",
            arguments: ["explain", "@day.jsonl", "--device", "ExampleApproovTokenDID=="], status: .nothingRan,
            error: "scenario: error: the captures hold no attestation of device ExampleApproovTokenDID==\n"),
        ToolRow(
            name: "a missing account",
            arguments: ["explain", "@day.jsonl", "--device", Sample.bob, "--account", "@missing"],
            status: .invalidInput, error: "missing: error: no such file or directory\n"),
        ToolRow(
            name: "an empty capture", arguments: ["explain", "@empty.jsonl", "--device", Sample.bob],
            status: .invalidInput, error: "empty.jsonl: error: the capture is empty\n"),
        ToolRow(
            name: "records out of order", arguments: ["explain", "@disordered.jsonl", "--device", Sample.bob],
            status: .invalidInput,
            error: "disordered.jsonl:2: error: record of 2020-07-23T10:00:00Z after one of 2020-07-23T11:00:00Z\n"
                + "  hint: --sort puts records into the order of time\n"),
        ToolRow(
            name: "a change that is wrong",
            arguments: ["explain", "@day.jsonl", "--device", Sample.bob, "--change", "polcy"], status: .invalidInput,
            error: "--change: error: unknown command `polcy`\n  hint: did you mean `policy`?\n"),
    ]

    @Test(arguments: refused) func explainsNothing(_ row: ToolRow) throws {
        try row.expectNoOutput(files: Sample.files)
    }

    private static func heads(_ output: String) -> [String] {
        output.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map(String.init)
    }

    @Test func severalAttestationsStandInTheOrderOfTime() throws {
        let run = try ToolRun(["explain", "@day.jsonl", "--device", Sample.bob], files: Sample.files)
        #expect(run.status == .success)
        #expect(run.error == "")
        #expect(
            Self.heads(run.output) == [
                "\(Sample.bob) 2020-07-23T10:00:00Z  fail under default,default,default",
                "\(Sample.bob) 2020-07-23T11:00:00Z  fail under default,default,default",
            ])
        // A blank line parts them.
        #expect(run.output.split(separator: "\n", omittingEmptySubsequences: false).count { $0.isEmpty } == 2)
        #expect(
            run.output.contains("\n   2  device       not seen before, so `new-did`\n                   observed: "))
        #expect(run.output.contains("\n   2  device       seen before\n                   observed: rooted\n"))
    }

    @Test func sortedAttestationsStandInTheOrderOfTimeToo() throws {
        let capture = Sample.disordered.replacing(Sample.amy, with: Sample.bob)
        let run = try ToolRun(
            ["explain", "@c.jsonl", "--sort", "--device", Sample.bob], files: ["c.jsonl": capture])
        #expect(
            Self.heads(run.output) == [
                "\(Sample.bob) 2020-07-23T10:00:00Z  fail under default,default,default",
                "\(Sample.bob) 2020-07-23T11:00:00Z  pass under default,default,default",
            ])
    }

    @Test func theChangesOfTheAccountCount() throws {
        let run = try ToolRun(
            [
                "explain", "@day.jsonl", "--device", Sample.bob, "--account=@account.yaml",
                "--change=policy -addRejectFlag rooted",
            ], files: Sample.files)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "\(Sample.bob) 2020-07-23T10:00:00Z  fail under default,custom,risk")
        #expect(lines.contains("   1  account      prod, policy default,custom,risk"))
        #expect(lines.contains("  10  verdict      fail: rooted"))
        #expect(lines.contains("      to pass, any of:"))
        #expect(lines.contains("        policy -removeRejectFlag rooted"))
    }

    @Test func whatNothingTurnsIsSaid() throws {
        let capture = #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(Sample.bob)","flags":"bad-hmac"}"# + "\n"
        let account = "devices: [{id: \(Sample.bob), policy: 'default,strict,default'}]\n"
        let run = try ToolRun(
            ["explain", "@c.jsonl", "--account=@a.yaml", "--device", Sample.bob],
            files: ["c.jsonl": capture, "a.yaml": account])
        #expect(
            run.output.hasSuffix(
                """

                      no single change would make it pass
                      together, any of:
                        device -remove \(Sample.bob)  and  policy -removeRejectFlag bad-hmac

                """))
    }

    @Test func malformedRecordsRefuseTheInputUnlessSkipped() throws {
        let arguments = ["explain", "@malformed.jsonl", "--device", Sample.bob]
        #expect(try ToolRun(arguments, files: Sample.files).status == .invalidInput)
        let run = try ToolRun(arguments + ["--skip-malformed"], files: Sample.files)
        #expect(run.status == .success)
        #expect(run.error.contains("malformed.jsonl:2: warning: "))
    }

    @Test func theTextGoesToAFile() throws {
        let folder = try TemporaryFolder(Sample.files)
        let arguments = ["explain", "@day.jsonl", "--device", Sample.bob]
        let printed = ToolRun(arguments, in: folder)
        let written = ToolRun(arguments + ["--output=@report"], in: folder)
        #expect(written.output == "")
        #expect(folder["report"] == printed.output)
    }

    @Test func hostileValuesMoveNothingOnATerminal() throws {
        let capture =
            #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(Sample.bob)","flags":"","ip":"a\u001b[2J\nb\u202e"}"#
            + "\n"
        let account = "filters: [{name: f, key: ip, match: x}]\n"
        let run = try ToolRun(
            ["explain", "@c.jsonl", "--account=@a.yaml", "--device", Sample.bob],
            files: ["c.jsonl": capture, "a.yaml": account])
        #expect(run.output.contains("\n   7  filters      f: ip is a␛[2J␊b<U+202E>, which does not match\n"))
    }
}
