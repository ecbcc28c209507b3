import Testing

@testable import TestSupport
@testable import scenario

/// Outputs of reports and decisions: files and standard output.
@Suite struct OutputFileTests {
    struct Row: LabelledRow {
        let name: String
        let arguments: [String]
        let status: scenario.ExitStatus
        /// The lines of decisions; `nil` where none may be written.
        let decisions: Int?
    }

    static let rows = [
        Row(name: "a scenario", arguments: ["run", "@good.yaml"], status: .success, decisions: 1),
        Row(name: "a failing one", arguments: ["run", "@fails.yaml"], status: .expectationFailed, decisions: 1),
        Row(
            name: "two scenarios", arguments: ["run", "@fails.yaml", "@good.yaml"], status: .expectationFailed,
            decisions: 2),
        Row(
            name: "an unchecked expectation", arguments: ["run", "@unchecked.yaml"], status: .invalidInput,
            decisions: nil),
        Row(name: "an invalid one", arguments: ["run", "@bad.yaml"], status: .invalidInput, decisions: nil),
        Row(name: "none selected", arguments: ["run", "@good.yaml", "--tag=x"], status: .nothingRan, decisions: nil),
        Row(name: "a capture", arguments: ["replay", "@day.jsonl"], status: .success, decisions: 3),
        Row(
            name: "a sorted one", arguments: ["replay", "@disordered.jsonl", "--sort"], status: .success, decisions: 2),
        Row(name: "a malformed one", arguments: ["replay", "@malformed.jsonl"], status: .invalidInput, decisions: nil),
        Row(
            name: "one out of order", arguments: ["replay", "@disordered.jsonl"], status: .invalidInput, decisions: nil),
        Row(name: "an empty one", arguments: ["replay", "@empty.jsonl"], status: .invalidInput, decisions: nil),
        Row(
            name: "one with the malformed left out", arguments: ["replay", "@malformed.jsonl", "--skip-malformed"],
            status: .success, decisions: 2),
    ]

    @Test(arguments: rows) func decisionsAreWrittenWholeOrNotAtAll(_ row: Row) throws {
        let folder = try TemporaryFolder(Sample.files)
        let before = folder.names
        let run = ToolRun(row.arguments + ["--decisions", "@decisions"], in: folder)
        #expect(run.status == row.status)
        #expect(folder.names == (before + (row.decisions == nil ? [] : ["decisions"])).sorted())
        #expect(folder["decisions"]?.split(separator: "\n").count == row.decisions)
    }

    @Test(arguments: rows) func earlierDecisionsStayUnlessOthersReplaceThem(_ row: Row) throws {
        let folder = try TemporaryFolder(Sample.files)
        try folder.write("earlier\n", to: "decisions")
        _ = ToolRun(row.arguments + ["--decisions", "@decisions"], in: folder)
        #expect((folder["decisions"] == "earlier\n") == (row.decisions == nil))
        #expect(!folder.names.contains { $0.hasSuffix(".partial") })
    }

    @Test func decisionsSayWhatWasDecided() throws {
        let folder = try TemporaryFolder(Sample.files)
        let arguments = [
            "replay", "@disordered.jsonl", "--sort", "--decisions", "@d", "--policy", "default,default,risk",
        ]
        #expect(ToolRun(arguments, in: folder).status == .success)
        let amy =
            #"{"index":0,"time":"2020-07-23T11:00:00Z","device":"\#(Sample.amy)","verdict":"pass","#
            + #""policy":"default,default,risk","rejections":[],"flags":["new-did"],"annotations":[],"filters":[],"#
            + #""lifetime":300,"expires":"2020-07-23T11:05:10Z","arc":"NOLOY2TX2C"}"#
        let bob =
            #"{"index":1,"time":"2020-07-23T10:00:00Z","device":"\#(Sample.bob)","verdict":"fail","#
            + #""policy":"default,default,risk","rejections":["rooted"],"flags":["rooted","new-did","risky-device"],"#
            + #""annotations":["risky-device"],"filters":[],"lifetime":120,"expires":"2020-07-23T10:02:10Z","arc":"AJMJD6QOEP"}"#
        #expect(folder["d"] == "\(amy)\n\(bob)\n")
    }

    @Test func decisionsOfScenariosAreNumberedThrough() throws {
        let folder = try TemporaryFolder(Sample.files)
        _ = ToolRun(["run", "@good.yaml", "@fails.yaml", "@good.yaml", "--decisions=@d"], in: folder)
        let lines = (folder["d"] ?? "").split(separator: "\n")
        #expect(lines.map { $0.prefix(11) } == ["{\"index\":0,", "{\"index\":1,", "{\"index\":2,"])
    }

    @Test(arguments: ["text", "json"]) func aReportInAFileIsTheReport(form: String) throws {
        for arguments in [["run", "@fails.yaml"], ["replay", "@day.jsonl"]] {
            let folder = try TemporaryFolder(Sample.files)
            let printed = ToolRun(arguments + ["--format", form], in: folder)
            let written = ToolRun(arguments + ["--format", form, "--output", "@report"], in: folder)
            #expect(written.status == printed.status)
            #expect(written.output == "")
            #expect(folder["report"]?.replacing(folder.path + "/", with: "") == printed.output)
            #expect(!folder.names.contains { $0.hasSuffix(".partial") })
            #expect(ToolRun(arguments + ["--format", form, "--output", "-"], in: folder).output == printed.output)
        }
    }

    @Test func anEarlierReportStaysWhenThereIsNone() throws {
        let folder = try TemporaryFolder(Sample.files)
        try folder.write("earlier", to: "report")
        #expect(ToolRun(["run", "@bad.yaml", "--output", "@report"], in: folder).status == .invalidInput)
        #expect(folder["report"] == "earlier")
    }
}
