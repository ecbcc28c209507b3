import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `--confidence`, as a user types it. The figures are worked out by Wilson's formula, by 1 - 0.025^(1/n) for
/// intervals and by 1 - 0.05^(1/n) for limits.
@Suite struct ConfidenceTests {
    private static let files = DiffSample.files.merging([
        "day.jsonl": DiffSample.capture(devices: 2000, rooted: 104),
        "none.jsonl": DiffSample.capture(devices: 2000, rooted: 0),
        "enough.jsonl": DiffSample.capture(devices: 2995, rooted: 0),
        "nearly.jsonl": DiffSample.capture(devices: 2994, rooted: 0),
        "three.jsonl": DiffSample.capture(devices: 3, rooted: 1),
    ]) { $1 }

    private static func diff(_ capture: String, _ options: String...) throws -> ToolRun {
        try ToolRun(
            ["diff", capture, "--account=@root.yaml", "--candidate=@plain.yaml"] + options, files: files)
    }

    // The member `intervals`, whose entries have no objects themselves.
    static func intervals(_ run: ToolRun) throws -> String {
        let start = try #require(run.output.range(of: #","intervals":"#), "\(run.error)")
        let end = try #require(run.output[start.upperBound...].firstRange(of: "}}"))
        return String(run.output[start.lowerBound..<end.upperBound])
    }

    @Test func theHeadlineHasTheIntervals() throws {
        let run = try Self.diff("@day.jsonl", "--confidence=95%").ending(.success)
        #expect(
            run.output.hasPrefix(
                "104 of 2,000 devices (5.2 %, 95 %: 4.3–6.3 %) would stop getting valid tokens; at most 0.18 % would "
                    + "start; token fetches stay as they are\n"), "\(run.output)")
        let rows = run.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(rows.contains("devices that would stop getting valid tokens 5.20 % 4.31–6.26 %"), "\(run.output)")
        #expect(rows.contains("devices that would start getting valid tokens 0.0 % at most 0.184 %"))
        #expect(
            rows.contains(
                "provided that the devices of the capture are a random sample of all; each interval holds by itself"))
        #expect(rows.contains("figures of attestations and of fetches are those of this capture"))
        #expect(!run.output.contains("`--confidence` adds"))
    }

    @Test func jsonHasSixDigits() throws {
        let intervals = try Self.intervals(try Self.diff("@day.jsonl", "--confidence=95%", "--format=json"))
        #expect(
            intervals.hasPrefix(
                #","intervals":{"level":"95%","assumption":"provided that the devices of the capture are a random sample of all; "#
                    + #"each interval holds by itself","locked-out":{"estimate":0.052,"lower":0.0430997,"upper":0.062618},"#
                    + #""let-in":{"estimate":0,"lower":0,"upper":0.00184274},"#), "\(intervals)")
        // 104 and none that change: 0.052 less √((0.052 - 0.0426824)² + 0.00184274²), by the exact ends of both shares.
        #expect(
            intervals.contains(
                #""failing-devices-difference":{"estimate":0.052,"lower":0.042502,"upper":0.0626568}"#), "\(intervals)")
        #expect(intervals.components(separatedBy: "estimate").count == 6, "\(intervals)")
    }

    @Test("only shares of devices have intervals") func attestationsAndFetchesHaveNone() throws {
        let files = Self.files.merging(["each.txt": "\(DiffSample.device(0)) 2020-07-23 11:00:00 UTC\n"]) { $1 }
        let replay = try ToolRun(
            "replay @day.jsonl --account=@plain.yaml --fetches=@each.txt --confidence=95% --format=json", files: files)
        #expect(
            try Self.intervals(replay).hasSuffix(
                #"itself","failing-devices":{"estimate":0.052,"lower":0.0430997,"upper":0.062618}}"#),
            "\(replay.output)")
    }

    @Test func csvHasTheEnds() throws {
        let lines = try Self.diff("@day.jsonl", "--confidence=95%", "--format=csv").output.split(separator: "\r\n")
        #expect(lines[0] == "change,by,name,devices,attestations,fetches,example,lower,upper")
        #expect(lines[1] == "newly-rejected,all,,104,104,,,0.0430997,0.062618")
        #expect(lines.allSatisfy { $0.count { $0 == "," } == 8 })
    }

    @Test func pagesAndMarkdownHaveThem() throws {
        let page = try Self.diff("@day.jsonl", "--confidence=95%", "--format=html").output
        #expect(page.contains("of 2,000 devices (5.2 %, 95 %: 4.3–6.3 %) newly rejected"))
        #expect(page.contains("4.31–6.26 % <svg class=\"interval\""))
        #expect(page.contains("<circle "))
        let markdown = try Self.diff("@day.jsonl", "--confidence=95%", "--format=markdown").output
        #expect(markdown.contains("| devices newly rejected | 5.20 % | 4.31–6.26 % |"), "\(markdown)")
        for form in [page, markdown] { #expect(form.contains("are a random sample of all")) }
    }

    @Test func withoutTheOptionTheFiguresAreThoseOfTheCapture() throws {
        for command in [
            ["diff", "--account=@root.yaml", "--candidate=@plain.yaml"], ["replay"], ["whatif", "--account=new"],
        ] {
            for form in ["text", "json", "csv", "html"] {
                let run = try ToolRun(command + ["@three.jsonl", "--format=\(form)"], files: Self.files)
                #expect(run.status == .success, "\(run.error)")
                #expect(
                    !run.output.contains("intervals\"") && !run.output.contains("class=\"interval"),
                    "\(command) \(form)")
                if form == "text" {
                    #expect(run.output.contains("figures are those of this capture"), "\(command) \(form)")
                }
            }
        }
    }

    // MARK: Limits

    @Test(
        "a limit holds if the sample proves it: 2,995 devices without one exclude 0.1 %",
        arguments: [("@none.jsonl", false), ("@nearly.jsonl", false), ("@enough.jsonl", true)])
    func limitsTestTheBound(_ capture: String, holds: Bool) throws {
        try Self.diff(capture, "--max-newly-rejected=0.1%").ending(.success)
        let run = try Self.diff(capture, "--max-newly-rejected=0.1%", "--confidence=95%")
        #expect(run.status == (holds ? .success : .limitExceeded))
        #expect(run.error.contains("a new sample of 2,995 devices without one would") != holds, "\(run.error)")
    }

    @Test func theMessageSaysHowManyAreEnough() throws {
        let run = try Self.diff("@none.jsonl", "--max-newly-accepted=0.01%", "--confidence=95%")
        #expect(
            run.error
                == "scenario: limit exceeded: `--max-newly-accepted 0.01%` is not proved: 0 of 2,000 devices (0.0 %), at most "
                + "0.15 % of all at 95 %, one-sided; a new sample of 29,956 devices without one would prove it\n")
        // 128 of 2,461 are 5.201 %, and no smaller count excludes 6 % in a sample of which it is 5.2 %.
        let enough = try Self.diff("@day.jsonl", "--max-newly-rejected=6.0%", "--confidence=95%").ending(.limitExceeded)
        #expect(
            enough.error.hasSuffix(
                "; a new sample of 2,461 devices, of which at most 128 count, would prove it, and if the share of all is that of "
                    + "this sample, about half of such samples do\n"), "\(enough.error)")
        // The exact bound of 104 of 2,000 is 6.10 %.
        #expect(try Self.diff("@day.jsonl", "--max-newly-rejected=6.0%", "--confidence=95%").status == .limitExceeded)
        #expect(try Self.diff("@day.jsonl", "--max-newly-rejected=6.2%", "--confidence=95%").status == .success)
        #expect(try Self.diff("@none.jsonl", "--max-newly-rejected=0%", "--confidence=95%").status == .limitExceeded)
        #expect(try Self.diff("@none.jsonl", "--max-newly-rejected=100%", "--confidence=95%").status == .success)
        #expect(
            try Self.diff("@none.jsonl", "--max-annotations-changed=0.1%", "--confidence=95%").status == .limitExceeded)
        #expect(try Self.diff("@enough.jsonl", "--max-annotations-changed=0.1%", "--confidence=95%").status == .success)
    }

    @Test("a figure above its limit exceeds it, whatever the sample") func exceededIsNotUnproved() throws {
        let run = try Self.diff("@day.jsonl", "--max-newly-rejected=5%", "--confidence=95%").ending(.limitExceeded)
        #expect(
            run.error
                == "scenario: limit exceeded: 104 of 2,000 devices (5.2 %), more than `--max-newly-rejected` allows\n")
        let same = try Self.diff("@day.jsonl", "--max-newly-rejected=5.2%", "--confidence=95%").ending(.limitExceeded)
        #expect(same.error.hasSuffix("; no sample with this share would prove it\n"), "\(same.error)")
    }

    @Test("annotations are counted by device") func annotationsAreOfDevices() throws {
        // Each of 10 devices has 300 tokens, which are no 3,000 units: 10 devices prove nothing of 1 %.
        let records = (0..<3000).map { number in
            #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(DiffSample.device(number % 10))","#
                + #""public-flags":""}"# + "\n"
        }.joined()
        let run = try ToolRun(
            "diff @day.jsonl --account=@plain.yaml --change='policy -addRejectFlag automated' --max-annotations-changed=1% "
                + "--confidence=95%",
            files: Self.files.merging(["day.jsonl": records]) { $1 })
        #expect(run.status == .limitExceeded)
        #expect(run.error.contains("0 of 10 devices (0.0 %), at most 25.9 % of all at 95 %, one-sided"), "\(run.error)")
    }

    // MARK: Changes that turn nothing

    @Test(
        "a change that can turn no verdict has no intervals, and its limits need no sample",
        arguments: ["--policy=default,default,default", #"--change=filter -add idle -key ip -matchValue 1.2.3.4"#])
    func idleChangesHaveNoIntervals(_ change: String) throws {
        func run(_ options: String...) throws -> ToolRun {
            try ToolRun(
                ["diff", "@three.jsonl", "--account=@plain.yaml", change, "--confidence=95%"] + options,
                files: Self.files)
        }
        let text = try run("--max-newly-rejected=0.1%").ending(.success)
        #expect(
            text.output.contains("no device of 3 would stop getting valid tokens; none would start;"), "\(text.output)"
        )
        #expect(text.output.contains("the change can turn no verdict, whatever the devices are"), "\(text.output)")
        let json = try run("--format=json").output
        #expect(json.contains(#""intervals":{"level":"95%","assumption":"#) && !json.contains("estimate"), "\(json)")
    }

    @Test func numbersOfDevicesAreNoLimits() throws {
        let run = try Self.diff("@none.jsonl", "--max-newly-accepted=3", "--confidence=95%").ending(.usage)
        #expect(
            run.error
                == "scenario: error: `--max-newly-accepted 3` cannot be combined with `--confidence`: a number of "
                + "devices of a sample is no number of all devices; a share is one of both, such as "
                + "`--max-newly-accepted 0.1%`\n")
        // The number of devices that are not evaluated is about the capture itself.
        #expect(try Self.diff("@none.jsonl", "--max-unevaluated=0", "--confidence=95%").status == .success)
    }

    @Test(arguments: ["0%", "49.999%", "100%", "95", "x"]) func refusesOtherLevels(_ level: String) throws {
        for command in ["diff --policy=default,default,risk", "replay", "whatif"] {
            let words = command.split(separator: " ").map(String.init)
            let run = try ToolRun(
                words + ["@three.jsonl", "--account=new", "--confidence=\(level)"], files: Self.files)
            #expect(run.status == .usage, "\(command)")
            #expect(run.error.contains("`--confidence` takes a"), "\(run.error)")
        }
    }

    @Test func formsOfMetricsHaveNoPlaceForIntervals() throws {
        let run = try ToolRun("replay @three.jsonl --confidence=95% --format=openmetrics", files: Self.files)
        #expect(run.status == .usage)
        #expect(
            run.error.contains(
                "`--confidence` cannot be combined with `--format openmetrics`, which has metrics alone"))
    }

    @Test func theDevicesOfAScenarioAreNoSample() throws {
        let run = try ToolRun(
            ["diff", "@good.yaml", "--policy=default,strict,default", "--confidence=95%"], files: Self.files)
        #expect(run.status == .usage)
        #expect(run.error.contains("`--confidence` needs a capture"))
    }

    // MARK: Devices that could not be evaluated

    // No record has `new-did`. Bob's attestation fails only if he was new; Amy's fails in any case; Device 1's passes.
    @Test func unevaluatedDevicesWidenByTheirWholeShare() throws {
        func record(_ number: Int, _ device: String, _ flags: String) -> String {
            #"{"time":"2020-07-23T10:00:0\#(number)Z","device-id":"\#(device)","flags":"\#(flags)"}"# + "\n"
        }
        let files = [
            "day.jsonl": record(0, Sample.bob, "") + record(1, Sample.amy, "rooted")
                + record(2, DiffSample.device(1), ""),
            "before.yaml": "policy: default,allow-root,default\n",
            "after.yaml": """
            policy: default,default,risk
            reject-flags: {add: [new-did]}
            devices: [{id: \(DiffSample.device(1)), policy: "default,whitelist,default"}]

            """,
        ]
        let run = try ToolRun(
            "diff @day.jsonl --account=@before.yaml --candidate=@after.yaml --confidence=95% --format=json",
            files: files)
        let intervals = try Self.intervals(run)
        // The lower end of 1 of 3, and the upper end of 2 of 3: 1 - 0.975^(1/3), and 0.975^(1/3).
        let share = #"{"estimate":0.333333,"lower":0.00840376,"upper":0.991596}"#
        #expect(intervals.contains(#""newly-rejected":\#(share)"#), "\(intervals)")
        // Bob's verdict alone is open: of a replay 1 of 3 fails at least, and 2 at most.
        let replay = try ToolRun(
            "replay @day.jsonl --account=@after.yaml --confidence=95% --format=json", files: files)
        #expect(try Self.intervals(replay).contains(#""failing-devices":\#(share)"#), "\(replay.output)")
    }
}
