import Foundation
import Testing

@testable import scenario

/// Intervals of many edits at once, and the held-out part of a search. The figures are worked out by hand.
@Suite struct ConfidenceOfEditsTests {
    // MARK: whatif

    private static let files = DiffSample.files.merging(["day.jsonl": DiffSample.capture(devices: 2000, rooted: 104)]) {
        $1
    }

    private static func whatIf(_ options: String...) throws -> ToolRun {
        try ToolRun(["whatif", "@day.jsonl", "--account=@root.yaml", "--confidence=95%"] + options, files: files)
    }

    @Test("the intervals of all edits hold together: each is that of a diff at the shared level")
    func intervalsOfEditsAreSimultaneous() throws {
        let run = try Self.whatIf("--format=json")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let evaluated = try #require(report["evaluated"] as? Int)
        let intervals = try #require(report["intervals"] as? [String: Any])
        #expect(intervals["level"] as? String == "95%")
        #expect(intervals["count"] as? Int == 2 * evaluated)
        let command = "policy -set default,default,default"
        let edits = try #require(report["edits"] as? [[String: Any]])
        let edit = try #require(edits.first { $0["command"] as? String == command })
        let found = try #require((edit["intervals"] as? [String: [String: Double]])?["newly-rejected"])
        // 5 % divided by the number of intervals, in billionths of a percent.
        let level = 100_000_000_000 - 5_000_000_000 / (2 * evaluated)
        let text = "\(level / 1_000_000_000).\(String(level % 1_000_000_000 + 1_000_000_000).dropFirst())%"
        let diff = try ToolRun(
            [
                "diff", "@day.jsonl", "--account=@root.yaml", "--change", command, "--confidence=\(text)",
                "--format=json",
            ],
            files: Self.files)
        let expected = try #require(
            (try JSONSerialization.jsonObject(with: Data(diff.output.utf8)) as? [String: Any])?["intervals"]
                as? [String: Any])
        let share = try #require(expected["newly-rejected"] as? [String: Double])
        for key in ["estimate", "lower", "upper"] {
            let (one, other) = (try #require(found[key]), try #require(share[key]))
            #expect(abs(one - other) <= 1e-6, "\(key)")
        }
        #expect(found["estimate"] == 0.052)
    }

    @Test func textAndCSVHaveThem() throws {
        let text = try Self.whatIf().output
        #expect(
            text.contains(" edits hold together at 95 %, provided that the devices of the capture are a random sample"))
        #expect(text.contains("rejected of all, at 95 %"))
        let lines = try Self.whatIf("--format=csv").output.split(separator: "\r\n")
        #expect(
            lines[0].hasSuffix(
                ",unjudged-devices,newly-rejected-lower,newly-rejected-upper,newly-accepted-lower,newly-accepted-upper")
        )
        #expect(lines.dropFirst().allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count >= 12 })
    }

    // With about a hundred edits, 2,000 devices without one exclude 1 %: 0.99^2000 is 2e-9. They do not exclude 0.2 %, which
    // they would for a single edit: 0.998^2000 is 0.018.
    @Test func limitsAreProvedForAllEditsTogether() throws {
        let some = try Self.whatIf("--max-newly-rejected=1%", "--format=csv").output
        #expect(
            some.contains("\r\npolicy -addRejectFlag automated,")
                || some.contains("\r\n\"policy -addRejectFlag automated\","))
        #expect(!some.contains("policy -addRejectFlag rooted"))
        let none = try Self.whatIf("--max-newly-rejected=0.2%", "--format=csv").output
        #expect(none.split(separator: "\r\n").count == 1, "\(none)")
        #expect(try Self.whatIf("--max-newly-rejected=3").status == .usage)
    }

    // MARK: search

    private static func record(_ time: String, _ device: String, _ flags: String) -> String {
        #"{"time":"2020-07-23T\#(time)Z","device-id":"\#(device)","public-flags":"\#(flags)"}"# + "\n"
    }

    private static let (second, third) = (DiffSample.device(2), DiffSample.device(3))

    private static func search(_ options: String...) throws -> ToolRun {
        try ToolRun(
            [
                "search", "@parts.jsonl", "--account=@root.yaml", "--reject=did:\(Sample.bob) or did:\(second)",
                "--keep=did:\(Sample.amy)", "--max-edits=1", "--timeout=5m",
            ] + options,
            files: DiffSample.files.merging([
                "parts.jsonl": record("10:00:00", Sample.bob, "rooted") + record("10:00:01", Sample.amy, "")
                    + record("11:00:00", Sample.amy, "rooted") + record("11:00:01", second, "")
                    + record("11:00:02", third, "rooted")
            ]) { $1 })
    }

    // Before 10:30 an edit that rejects rooted devices is an answer. From then on it rejects Amy, who has to pass, and device 3, which
    // nobody asked for, and device 2 passes, which has to fail. Amy was seen before.
    @Test func answersAreReportedOnTheHeldOutPart() throws {
        let run = try Self.search("--holdout=2020-07-23T10:30:00Z", "--format=json")
        #expect(run.status == .success, "\(run.error)")
        #expect(
            run.output.hasPrefix(
                #"{"version":1,"maximum-edits":1,"rejecting":1,"keeping":1,"answers":["#
                    + #"{"commands":["policy -set default,default,default"],"newly-rejected":2,"besides":1,"newly-accepted":0,"#
                    + #""passing-asked-to-fail":1,"failing-asked-to-pass":1}"#), "\(run.output)")
        #expect(
            run.output.contains(#""held-out":{"start":"2020-07-23T10:30:00Z","devices":3,"seen-before":1}"#))
        let text = try Self.search("--holdout=2020-07-23T10:30:00Z", "--confidence=95%").output
        #expect(
            text.contains(
                "the figures are those of 3 devices from 2020-07-23T10:30:00Z on, of which 1 was seen before, too; "))
        #expect(text.contains("intervals of 5 answers hold together at 95 %"), "\(text)")
        #expect(text.contains("passing, asked to fail"))
    }

    @Test func answersThatAreNotHeldOutSaySo() throws {
        let run = try ToolRun(
            "search @day.jsonl --account=@root.yaml --reject=flag:rooted --confidence=95% --max-edits=1 --timeout=5m",
            files: DiffSample.files)
        #expect(run.output.contains("the answers were chosen on the same attestations that they are reported on"))
        #expect(run.output.contains(" sets of edits that were tried hold together at 95 %"), "\(run.output)")
    }

    @Test func limitsNeedAHeldOutPart() throws {
        let run = try Self.search("--confidence=95%", "--max-newly-rejected=1%")
        #expect(run.status == .usage)
        #expect(run.error.contains("`--max-newly-rejected` with `--confidence` needs `--holdout`"))
        let unproved = try Self.search(
            "--holdout=2020-07-23T10:30:00Z", "--confidence=95%", "--max-newly-rejected=1%")
        #expect(unproved.status == .limitExceeded)
        #expect(
            unproved.output.hasPrefix(
                "no answer: the held-out part proves of none of 5 answers that it is within the limit\n"))
    }

    @Test(arguments: ["2020-07-23T10:00:00Z", "2021-01-01T00:00:00Z"]) func bothPartsNeedRecords(_ start: String) throws
    {
        let run = try Self.search("--holdout=\(start)")
        #expect(run.status == .nothingRan)
        #expect(run.error.contains("there are no attestations before the instant of `--holdout`, or none after it"))
    }

    @Test func refusesWhatIsNoInstant() throws {
        let run = try Self.search("--holdout=10:30")
        #expect(run.status == .usage)
        #expect(run.error.contains("`--holdout` takes an instant, not `10:30`; such as `2020-07-23T10:00:00Z`"))
    }
}
