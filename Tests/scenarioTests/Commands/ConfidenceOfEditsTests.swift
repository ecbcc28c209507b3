import Foundation
import Testing

@testable import TestSupport
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
        let count = try #require(intervals["count"] as? Int)
        #expect(count == 2 * evaluated)
        let command = "policy -set default,default,default"
        let edits = try #require(report["edits"] as? [[String: Any]])
        let edit = try #require(edits.first { $0["command"] as? String == command })
        let found = try #require((edit["intervals"] as? [String: [String: Double]])?["newly-rejected"])
        // 5 % divided by the number of intervals, in billionths of a percent.
        let level = 100_000_000_000 - 5_000_000_000 / count
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

    // The filter has no action, so that removing it turns no verdict of any device; switching on an action of it might.
    @Test("edits that can turn no verdict have no intervals, and are not counted") func idleEditsAreLeftOut() throws {
        func whatIf(_ form: String) throws -> String {
            try ToolRun(
                "whatif @day.jsonl --account=@idle.yaml --confidence=95% --format=\(form)",
                files: Self.files.merging(["idle.yaml": "filters: [{name: idle, key: ip, match: 1.2.3.4}]\n"]) { $1 }
            ).output
        }
        let json = try whatIf("json")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let edits = try #require(report["edits"] as? [[String: Any]])
        let known = edits.count { $0["intervals"] != nil }
        #expect(edits.first { $0["command"] as? String == "filter -remove idle" }?["intervals"] == nil)
        #expect(known < edits.count)
        let intervals = try #require(report["intervals"] as? [String: Any])
        #expect(intervals["count"] as? Int == 2 * known)
        let assumption = try #require(intervals["assumption"] as? String)
        #expect(
            assumption.hasPrefix(
                "the \(2 * known) intervals of \(known) edits hold together at 95 %, provided that the devices of the capture are a "
                    + "random sample of all; \(edits.count - known) other edit"))
        #expect(try whatIf("csv").contains("\"filter -remove idle\",0,0,0,0,"))
        #expect(try whatIf("csv").split(separator: "\r\n").allSatisfy { $0.filter { $0 == "," }.count >= 11 })
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
        let run = try Self.search("--holdout=2020-07-23T10:30:00Z", "--format=json").ending(.success)
        #expect(
            run.output.hasPrefix(
                #"{"version":1,"maximum-edits":1,"rejecting":1,"keeping":1,"answers":["#
                    + #"{"commands":["policy -set default,default,default"],"newly-rejected":2,"besides":1,"newly-accepted":0,"#
                    + #""unjudged-devices":0,"passing-asked-to-fail":1,"failing-asked-to-pass":1}"#), "\(run.output)")
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
        let run = try Self.search("--confidence=95%", "--max-newly-rejected=1%").ending(.usage)
        #expect(run.error.contains("`--max-newly-rejected` with `--confidence` needs `--holdout`"))
        let unproved = try Self.search(
            "--holdout=2020-07-23T10:30:00Z", "--confidence=95%", "--max-newly-rejected=1%")
        #expect(unproved.status == .limitExceeded)
        #expect(
            unproved.output.hasPrefix(
                "no answer: the held-out part proves of none of 5 answers that it is within the limit\n"))
    }

    // Before 10:30 nobody is newly rejected whom nobody asked for; from then on device 3 is.
    @Test("limits hold on the held-out part, too") func limitsAreTestedOnTheHeldOutPart() throws {
        let run = try Self.search("--holdout=2020-07-23T10:30:00Z", "--max-newly-rejected=0").ending(.limitExceeded)
        #expect(run.output.hasPrefix("no answer: none of 5 answers is within the limits on the held-out part\n"))
        try Self.search("--holdout=2020-07-23T10:30:00Z", "--max-newly-rejected=1").ending(.success)
    }

    // Of the held-out part 100 devices are bad and rooted, and 100 are good. Of five answers one has to be proved at 1 %:
    // 0.9^100 is 3e-5 and 0.95^100 is 0.6 %, but 0.99^100 is 37 %.
    static let labelLimits: [(limits: [String], status: scenario.ExitStatus)] = [
        (["--catch=90%"], .success), (["--catch=99%"], .limitExceeded), (["--max-good-blocked=5%"], .success),
        (["--max-good-blocked=1%"], .limitExceeded), (["--catch=90%", "--max-good-blocked=5%"], .success),
        (["--catch=90%", "--max-good-blocked=1%"], .limitExceeded), (["--max-good-blocked=0"], .usage),
    ]

    @Test("limits of labelled devices are proved by exact one-sided bounds", arguments: labelLimits)
    func limitsOfLabelsAreProved(_ row: (limits: [String], status: scenario.ExitStatus)) throws {
        let numbers = 0..<202
        let records = numbers.map { number in
            Self.record(
                number < 2 ? "10:00:00" : "11:00:00", DiffSample.device(number), number % 2 == 0 ? "rooted" : "")
        }
        let labels = numbers.map { "\(DiffSample.device($0)),\($0 % 2 == 0 ? "bad" : "good")\n" }
        let folder = try TemporaryFolder(
            DiffSample.files.merging([
                "parts.jsonl": records.joined(), "labels.csv": "device-id,label\n" + labels.joined(),
            ]) { $1 })
        let arguments =
            [
                "search", "@parts.jsonl", "--account=@root.yaml", "--labels=@labels.csv",
                "--reject=did:\(DiffSample.device(0))",
                "--max-edits=1", "--timeout=5m", "--confidence=95%",
            ] + row.limits
        let run = ToolRun(arguments + ["--holdout=2020-07-23T10:30:00Z"], in: folder)
        #expect(run.status == row.status, "\(run.output)\(run.error)")
        // Answers are chosen by the attestations that would prove the limit.
        ToolRun(arguments, in: folder).ending(.usage)
    }

    @Test(arguments: ["2020-07-23T10:00:00Z", "2021-01-01T00:00:00Z"]) func bothPartsNeedRecords(_ start: String) throws
    {
        let run = try Self.search("--holdout=\(start)").ending(.nothingRan)
        #expect(run.error.contains("there are no attestations before the instant of `--holdout`, or none after it"))
    }

    @Test func refusesWhatIsNoInstant() throws {
        let run = try Self.search("--holdout=10:30").ending(.usage)
        #expect(run.error.contains("`--holdout` takes an instant, not `10:30`; such as `2020-07-23T10:00:00Z`"))
    }
}

/// Intervals are the same for any number of threads and parts, and for both forms of input.
@Suite struct ConfidencePartsTests {
    // 400 attestations of 60 devices, some far more active than others.
    private static let records: [(time: String, device: String, flags: String)] = {
        var state: UInt64 = 7
        return (0..<400).map { number in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let (first, second) = (Int(state >> 40 % 60), Int(state >> 20 % 60))
            let time = "10:\(10 + number / 60):\(10 + number % 50)"
            let device = DiffSample.device(min(first, second))
            return (time, device, state >> 33 % 5 == 0 ? "rooted" : "")
        }.sorted { $0.time < $1.time }
    }()

    private static let files = DiffSample.files.merging([
        "json.jsonl": records.map {
            #"{"time":"2020-07-23T\#($0.time)Z","device-id":"\#($0.device)","public-flags":"\#($0.flags)"}"# + "\n"
        }.joined(),
        "text.txt": records.map {
            "--- \($0.device) 2020-07-23 \($0.time) UTC ---\npublic-flags: \($0.flags)\nrejection-flags: \n"
        }.joined(separator: "\n"),
    ]) { $1 }

    private static let commands = [
        ["replay", "--account=@plain.yaml"], ["diff", "--account=@root.yaml", "--candidate=@plain.yaml"],
    ]

    @Test(arguments: commands) func jobsPartsAndFormsAgree(_ command: [String]) throws {
        let folder = try TemporaryFolder(Self.files)
        let options = ["--confidence=99%", "--format=json"]
        let whole = ToolRun(command + ["@json.jsonl"] + options, in: folder)
        let expected = try ConfidenceTests.intervals(whole)
        #expect(expected.hasPrefix(#","intervals":{"level":"99%","#))
        for jobs in [1, 2, 7] {
            for capture in ["@json.jsonl", "@text.txt"] {
                let run = ToolRun(command + [capture, "--jobs=\(jobs)"] + options, in: folder)
                #expect(try ConfidenceTests.intervals(run) == expected)
            }
        }
        for count in [1, 3, 64] {
            let parts = (1...count).map { "@part-\($0)" }
            for (index, part) in parts.enumerated() {
                ToolRun(
                    command + [
                        "@json.jsonl", "--confidence=99%", "--shard=\(index + 1)/\(count)", "--partial=\(part)",
                    ], in: folder
                ).ending(.success)
            }
            #expect(ToolRun(["merge", "--format=json"] + parts, in: folder).output == whole.output)
            let other = ToolRun(["merge", "--format=json", "--confidence=90%"] + parts, in: folder)
            let direct = ToolRun(command + ["@json.jsonl", "--confidence=90%", "--format=json"], in: folder)
            #expect(other.output == direct.output)
        }
    }

    @Test("parts say what devices do, so that intervals need no option of theirs", arguments: commands)
    func partsNeedNoLevel(_ command: [String]) throws {
        let folder = try TemporaryFolder(Self.files)
        _ = ToolRun(command + ["@json.jsonl", "--partial=@part"], in: folder)
        let merged = ToolRun("merge @part --confidence=95% --format=json", in: folder)
        let whole = ToolRun(command + ["@json.jsonl", "--confidence=95%", "--format=json"], in: folder)
        #expect(try ConfidenceTests.intervals(merged) == ConfidenceTests.intervals(whole))
        // Parts that do not agree are refused as for any other option.
        _ = ToolRun(command + ["@json.jsonl", "--shard=1/2", "--partial=@one"], in: folder)
        _ = ToolRun(command + ["@json.jsonl", "--shard=2/2", "--confidence=95%", "--partial=@two"], in: folder)
        #expect(ToolRun("merge @one @two", in: folder).error.contains("--confidence is given here and not in `one`"))
    }

    @Test func mergeChecksLimitsOfParts() throws {
        let folder = try TemporaryFolder(Self.files)
        _ = ToolRun(
            "diff @json.jsonl --account=@plain.yaml --policy=default,strict,risk --confidence=95% --partial=@part",
            in: folder)
        #expect(ToolRun("merge @part --max-newly-rejected=1%", in: folder).status == .limitExceeded)
        #expect(ToolRun("merge @part --max-newly-rejected=10%", in: folder).status == .success)
        #expect(ToolRun("merge @part --max-newly-rejected=1", in: folder).status == .usage)
    }
}
