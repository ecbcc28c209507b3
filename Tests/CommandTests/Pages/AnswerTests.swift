import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `--format json` of commands that answer questions, and `--max-unjudged`.
@Suite struct AnswerTests {
    private static func objects(_ value: Any?) -> [[String: Any]] { value as? [[String: Any]] ?? [] }

    @Test func anExplanationIsReadByPrograms() throws {
        let run = try ToolRun(
            ["explain", "@day.jsonl", "--device", Sample.bob, "--format", "json"], files: Sample.files)
        #expect(run.status == .success)
        let report = try JSONText(run.output)
        let explanations = Self.objects(report["explanations"])
        #expect(report.integer("version") == 1 && explanations.count == 2)
        #expect(explanations.map { $0["time"] as? String } == ["2020-07-23T10:00:00Z", "2020-07-23T11:00:00Z"])
        let first = try #require(explanations.first)
        #expect(first["verdict"] as? String == "fail" && first["device"] as? String == Sample.bob)
        #expect(first["policy"] as? String == "default,default,default")
        // The same steps and changes as in the text, each on a line of its own there.
        let text = try ToolRun(["explain", "@day.jsonl", "--device", Sample.bob], files: Sample.files).output
        let lines = Self.objects(first["steps"]).flatMap { $0["lines"] as? [String] ?? [] }
        #expect(lines.count >= 5)
        for line in lines { #expect(text.contains(line), "\(line)") }
        let flips = try #require(first["flips"] as? [[String]])
        #expect(!flips.isEmpty)
        for flip in flips { #expect(text.contains(flip.joined(separator: "  and  "))) }
    }

    @Test("R4.2 the presets are those of the table") func presets() throws {
        let report = try JSONText(ToolRun(["policy", "--format=json"]).output)
        let presets = Self.objects(report["presets"])
        #expect(presets.count == 10)
        for name in PresetFacts.names {
            let preset = try #require(presets.first { $0["name"] as? String == name })
            let flags = try #require(preset["flags"] as? [String: String])
            // One has no column in the table.
            let isEverything = name == "blacklist"
            #expect(isEverything || Set(flags.filter { $0.value == "rejects" }.keys) == PresetFacts.rejecting(name))
            #expect(
                isEverything
                    || Set(flags.filter { $0.value == "rejects unless xposed" }.keys)
                        == PresetFacts.rejectingUnlessXposed(name)
            )
            #expect(!isEverything || flags.values.allSatisfy { $0 == "rejects" })
        }
    }

    @Test func onePolicyAndADifference() throws {
        let one = try JSONText(ToolRun(["policy", "default,allow-root,all", "--format=json"]).output)
        #expect(one["policy"] as? String == "default,allow-root,all" && one["rejection"] as? String == "allow-root")
        #expect((one["flags"] as? [String: String])?["rooted"] == "accepts")
        #expect((one["flags"] as? [String: String])?["frida"] == "rejects")
        let two = try JSONText(ToolRun(["policy", "diff", "default", "allow-root", "--format=json"]).output)
        let flags = Self.objects(two["flags"])
        let rooted = try #require(flags.first { $0["flag"] as? String == "rooted" })
        #expect(rooted["before"] as? String == "rejects" && rooted["after"] as? String == "accepts")
        #expect(two["before"] as? String == "default,default,default")
    }

    // The effect of this filter depends on whether a device is new, and nobody knows that.
    private static let files = DiffSample.files.merging([
        "new.yaml": "filters: [{name: f, key: flags-all, regex: rooted, new-did-only: true, reject: true}]\n"
    ]) { $1 }

    struct Row: LabelledRow {
        let limit: String
        let status: scenario.ExitStatus
    }

    // Of three devices two are rooted.
    static let rows = [
        Row(limit: "0", status: .limitExceeded), Row(limit: "1", status: .limitExceeded),
        Row(limit: "2", status: .success), Row(limit: "66%", status: .limitExceeded),
        Row(limit: "67%", status: .success),
    ]

    @Test(arguments: rows) func whatIsNotKnownHasALimit(_ row: Row) throws {
        let folder = try TemporaryFolder(Self.files)
        let option = "--max-unjudged=\(row.limit)"
        let account = ["--account=@new.yaml", "--policy=default,allow-root,default"]
        let replay = ToolRun(["replay", "@three.jsonl", option] + account, in: folder)
        #expect(replay.status == row.status)
        #expect(replay.output.hasPrefix("2 of 3 devices (66.7 %) are not judged"))
        let diff = ToolRun(
            [
                "diff", "@three.jsonl", option, "--account=@new.yaml", "--policy=default,allow-root,default",
            ], in: folder)
        #expect(diff.status == row.status, "\(diff.error)\(diff.output)")
        let words = "scenario: limit exceeded: 2 of 3 devices are more than `--max-unjudged` allows\n"
        #expect(diff.error == (row.status == .success ? "" : words))
        #expect(replay.error == diff.error)
    }
}
