import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// Limits that may be exceeded, and devices that do not count: neither is silent.
@Suite struct AllowanceTests {
    private static let change = ["diff", "@three.jsonl", "--account=@root.yaml", "--candidate=@plain.yaml"]

    @Test func anAllowedLimitExitsWithSuccessAndIsVisible() throws {
        let folder = try TemporaryFolder(DiffSample.files)
        let arguments = Self.change + ["--max-newly-rejected=1", "--allow=agreed with *risk*"]
        let text = ToolRun(arguments, in: folder)
        #expect(text.status == .success)
        #expect(
            text.error == """
                scenario: warning: 2 of 3 devices are more than `--max-newly-rejected` allows; allowed: agreed with *risk*

                """)
        #expect(text.output.contains("--max-newly-rejected 1  2 of 3 devices  exceeded, allowed: agreed with *risk*"))
        let markdown = ToolRun(arguments + ["--format=markdown"], in: folder).output
        #expect(
            markdown.contains(
                #"| --max-newly-rejected 1 | 2 of 3 devices | **exceeded, allowed: agreed with \*risk\*** |"#))
        let units = ToolRun(arguments + ["--format=junit"], in: folder).output
        #expect(units.contains(#"tests="1" failures="0" errors="0" skipped="1""#))
        #expect(units.contains("allowed: agreed with *risk*"))
        let sarif = ToolRun(arguments + ["--format=sarif"], in: folder).output
        #expect(sarif.contains("allowed: agreed with *risk*") && !sarif.contains(#""level":"error""#))
    }

    @Test func aLimitThatHoldsNeedsNoAllowance() throws {
        let run = try ToolRun(Self.change + ["--max-newly-rejected=2", "--allow=agreed"], files: DiffSample.files)
        #expect(run.status == .success && run.error == "" && !run.output.contains("agreed"))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// Rooted devices of the earlier comparison, of five; three are rooted now.
        let rooted: Int
        /// The limit, and how the comparison ends.
        let limit: String
        let status: scenario.ExitStatus
        let found: String
        var testDescription: String { name }
    }

    static let rows = [
        Row(name: "all known", rooted: 3, limit: "0", status: .success, found: "0 of 5 devices"),
        Row(name: "one new", rooted: 2, limit: "0", status: .limitExceeded, found: "1 of 5 devices"),
        Row(name: "one new, which may be", rooted: 2, limit: "1", status: .success, found: "1 of 5 devices"),
        Row(name: "fewer than were known", rooted: 5, limit: "0", status: .success, found: "0 of 5 devices"),
        Row(name: "none known", rooted: 0, limit: "0", status: .limitExceeded, found: "3 of 5 devices"),
    ]

    @Test(arguments: rows) func onlyWhatIsNewCounts(_ row: Row) throws {
        let folder = try TemporaryFolder(DiffSample.files)
        try folder.write(DiffSample.capture(devices: 5, rooted: row.rooted), to: "old.jsonl")
        try folder.write(DiffSample.capture(devices: 5, rooted: 3), to: "new.jsonl")
        let change = ["--account=@root.yaml", "--candidate=@plain.yaml"]
        _ = ToolRun(["diff", "@old.jsonl", "--format=json", "--output=@base.json"] + change, in: folder)
        let run = ToolRun(
            ["diff", "@new.jsonl", "--baseline=@base.json", "--max-newly-rejected=\(row.limit)", "--format=junit"]
                + change, in: folder)
        #expect(run.status == row.status)
        #expect(run.error.contains("\(row.found) are more than") == (row.status == .limitExceeded))
        let known = min(row.rooted, 3)
        let skipped = "\(known) devices are in the baseline and do not count"
        #expect(run.output.contains(skipped) == (known > 0))
        #expect(run.error.contains("does not count \(known) devices, which the baseline has") == (known > 0))
    }

    // As many devices as before, for another reason: they are new.
    @Test func anotherReasonIsNew() throws {
        let folder = try TemporaryFolder(DiffSample.files)
        let old = DiffSample.capture(devices: 3, rooted: 2)
        try folder.write(old, to: "old.jsonl")
        try folder.write(old.replacing("rooted", with: "jailbroken"), to: "new.jsonl")
        try folder.write("policy: default,whitelist,default\n", to: "open.yaml")
        let change = ["--account=@open.yaml", "--candidate=@plain.yaml"]
        _ = ToolRun(["diff", "@old.jsonl", "--format=json", "--output=@base.json"] + change, in: folder)
        let run = ToolRun(
            ["diff", "@new.jsonl", "--baseline=@base.json", "--max-newly-rejected=0"] + change, in: folder)
        #expect(run.status == .limitExceeded)
        #expect(run.error.contains("2 of 3 devices are more than `--max-newly-rejected` allows"))
    }
}
