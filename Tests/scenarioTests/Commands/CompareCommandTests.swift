import Foundation
import Testing

@testable import scenario

/// `compare`: the differences between two captures. The figures are worked out by hand.
@Suite struct CompareCommandTests {
    // Of 200 devices some are rooted, and some have the newer version.
    private static func capture(_ start: Int, rooted: Int, newer: Int) -> String {
        (0..<200).map { number in
            DiffGroupTests.record(
                number, flags: number < rooted ? "rooted" : "", version: number < newer ? "5.2" : "5.1", ip: "10.0.0.1"
            ).replacing(DiffSample.device(number), with: DiffSample.device(start + number))
        }.joined()
    }

    private static let files = [
        "monday.jsonl": capture(0, rooted: 10, newer: 100), "friday.jsonl": capture(150, rooted: 50, newer: 104),
        "empty.jsonl": "", "odd.jsonl": "nothing\n",
    ]

    private static func compare(_ arguments: [String]) throws -> ToolRun {
        try ToolRun(["compare", "@monday.jsonl", "@friday.jsonl", "--account=new"] + arguments, files: files)
    }

    private static func report(_ arguments: [String]) throws -> [String: Any] {
        let run = try compare(arguments + ["--format=json"]).ending(.success)
        return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }

    @Test func whatDiffersComesFirst() throws {
        let report = try Self.report([])
        #expect(report["common-devices"] as? Int == 50 && report["level"] as? String == "95%")
        let values = try #require(report["values"] as? [[String: Any]])
        // Rooted devices are risky and fail: 10 and 50 of 200, so that those that pass are 190 and 150. The version differs by 2 points.
        #expect(
            values.map { "\($0["key"] ?? "") \($0["value"] ?? "")" } == [
                "verdict fail", "verdict pass", "flags risky-device", "flags rooted", "app-version 5.1",
                "app-version 5.2", "flags new-did",
            ])
        #expect(values.map { $0["before"] as? Int } == [10, 190, 10, 10, 100, 100, 200])
        #expect(values.map { $0["after"] as? Int } == [50, 150, 50, 50, 96, 104, 200])
        #expect(values.map { $0["difference"] as? Double } == [0.2, -0.2, 0.2, 0.2, -0.02, 0.02, 0])
        #expect(values.map { $0["drifts"] as? Bool } == [true, true, true, true, false, false, false])
        // Newcombe's interval of 50 of 200 against 10 of 200, by Python, at 1 - 4 · 0.05 / 7: four of seven were found.
        let lower = try #require(values[0]["lower"] as? Double)
        let upper = try #require(values[0]["upper"] as? Double)
        #expect(abs(lower - Self.newcombe.lower) < 1e-4 && abs(upper - Self.newcombe.upper) < 1e-4)
    }

    private static let newcombe = (lower: 0.124179, upper: 0.276369)

    @Test func textSaysItInASentence() throws {
        let run = try Self.compare([])
        #expect(
            run.output.hasPrefix(
                """
                4 of 7 shares of devices differ by more than chance explains, the largest by 20.00 points: verdict:fail, 5.0 % \
                before and 25.0 % after
                  50 devices are in both captures; intervals (95 %) are those of independent random samples, which are too wide \
                rather than too narrow for common devices
                  differences are tested together (Benjamini–Yekutieli, 5 %), and the intervals of those that are found allow \
                for their selection

                """))
        #expect(run.output.contains("\nShares that differ\n"))
    }

    @Test func otherFormsHaveTheSameFigures() throws {
        let csv = try Self.compare(["--format=csv"]).output.split(separator: "\r\n")
        #expect(csv.count == 8 && csv[1].hasPrefix("verdict,fail,10,50,0.2,0.124179,0.276369,"))
        let page = try Self.compare(["--format=html"]).output
        #expect(page.contains("<svg class=\"interval\"") && page.contains("verdict:fail"))
        #expect(try Self.compare(["--format=markdown"]).output.contains("| flag:rooted | 5.0 % | 25.0 % | +20.00 |"))
    }

    @Test func otherKeysCanBeCompared() throws {
        let report = try Self.report(["--keys=ip/16,time/hour"])
        let values = try #require(report["values"] as? [[String: Any]])
        #expect(values.map { $0["value"] as? String } == ["10.0.0.0/16", "2020-07-23T10Z"])
        #expect(values.allSatisfy { $0["drifts"] as? Bool == false })
    }

    @Test func theSameCaptureDoesNotDiffer() throws {
        let run = try ToolRun("compare @monday.jsonl @monday.jsonl --account=new --max-drift=0%", files: Self.files)
        #expect(run.status == .success && run.output.hasPrefix("none of 7 shares of devices differs by more"))
        #expect(run.output.contains("\n  200 devices are in both captures"))
    }

    static let limits: [(limit: String, options: [String], status: scenario.ExitStatus, error: String)] = [
        ("20%", [], .success, ""),
        (
            "19.99%", [], .limitExceeded,
            "scenario: limit exceeded: 20.00 percentage points of difference in verdict:fail, more than "
                + "--max-drift 19.99% allows\n"
        ),
        // Clopper and Pearson, by Python: at most 31.59 % after and at least 2.42 % before, at 2.5 % each.
        ("29.18%", ["--confidence=95%"], .success, ""),
        (
            "29.17%", ["--confidence=95%"], .limitExceeded,
            "scenario: limit exceeded: up to 29.17 percentage points of difference, which the captures do not exclude at 95 %, "
                + "one-sided, more than --max-drift 29.17% allows\n"
        ),
    ]

    @Test(arguments: limits.indices) func aLimitHoldsTheLargestDifference(_ index: Int) throws {
        let row = Self.limits[index]
        let run = try Self.compare(["--max-drift=\(row.limit)"] + row.options)
        #expect(run.status == row.status && run.error == row.error)
        #expect(run.output.hasPrefix("4 of 7 shares"))
    }

    // MARK: What is not compared

    private static func small(_ ids: Range<Int>, _ flags: String, version: (Int) -> String = { _ in "5" }) -> String {
        ids.map { DiffGroupTests.record($0, flags: flags, version: version($0), ip: "10.0.0.1") }.joined()
    }

    private static func differ(_ old: String, _ new: String, _ options: [String], account: String = "new") throws
        -> ToolRun
    {
        try ToolRun(
            ["compare", "@old.jsonl", "@new.jsonl", "--account=\(account)"] + options,
            files: [
                "old.jsonl": old, "new.jsonl": new,
                "doubt.yaml": "account: a\nreject-flags: {add: [new-did]}\n",
            ])
    }

    // Two devices that pass against two that fail; ten versions that one device each shows.
    @Test("a limit holds against values that few devices show, too") func rareValuesAreLimited() throws {
        let few = try Self.differ(Self.small(0..<2, ""), Self.small(2..<4, "rooted"), ["--max-drift=99%"])
        #expect(few.status == .limitExceeded)
        #expect(
            few.error == "scenario: limit exceeded: 100.00 percentage points of difference in verdict:fail, more than "
                + "--max-drift 99% allows\n")
        let versions = { (number: Int) in "5.\(number)" }
        let rare = [Self.small(0..<10, "", version: versions), Self.small(10..<20, "", version: versions)]
        let keys = ["--keys=app-version"]
        try Self.differ(rare[0], rare[1], keys + ["--max-drift=9%"]).ending(.limitExceeded)
        // 1 of 10: at most 44.50 %, Clopper and Pearson at 97.5 %.
        try Self.differ(rare[0], rare[1], keys + ["--max-drift=44%", "--confidence=95%"]).ending(.limitExceeded)
        let run = try Self.differ(rare[0], rare[1], keys + ["--max-drift=10%", "--format=json"]).ending(.success)
        let others = #""values":[{"key":"app-version","value":"others","before":10,"after":10,"difference":0,"#
        #expect(
            run.output.contains(others) && run.output.contains(#""drifts":false,"rare-values":20}"#), "\(run.output)")
    }

    @Test("values that few devices show are added up and tested") func rareValuesAreAddedUp() throws {
        // Of 100 devices 40 newly have a version of their own.
        let new = Self.small(100..<200, "") { $0 < 140 ? "6.\($0)" : "5" }
        let run = try Self.differ(Self.small(0..<100, ""), new, ["--keys=app-version"]).ending(.success)
        #expect(
            run.output.hasPrefix(
                "2 of 2 shares of devices differ by more than chance explains, the largest by 40.00 points: "))
        #expect(run.output.contains("other values of app-version    0.0 %  40.0 %  +40.00"), "\(run.output)")
        #expect(run.output.contains("; 40 values that fewer than five devices show are added up by kind\n"))
    }

    @Test("a key that no record has is warned of, and no limit holds of it") func misspeltKeysDoNotPass() throws {
        let old = Self.small(0..<20, "")
        let alone = try Self.differ(old, old, ["--keys=app-versoin"]).ending(.nothingRan)
        #expect(alone.error.contains("no record has a value for `app-versoin`\n  hint: did you mean `app-version`?\n"))
        #expect(alone.error.hasSuffix("nothing was compared: no device showed a value of app-versoin\n"))
        let beside = ["--keys=app-version,app-versoin"]
        try Self.differ(old, old, beside).ending(.success)
        let limited = try Self.differ(old, old, beside + ["--max-drift=50%"]).ending(.limitExceeded)
        #expect(limited.error.hasSuffix("--max-drift 50% holds of nothing: no record has a value for `app-versoin`\n"))
    }

    // Every record says that its device is not new, or none says whether it is.
    private static func known(_ ids: Range<Int>, unknown: Int = 0) -> String {
        ids.map { number in
            #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(DiffSample.device(number))","flags":""#
                + #"\#(number == ids.lowerBound ? "new-did" : "")","x":""#
                + #"\#(number < ids.lowerBound + unknown ? String(repeating: "a", count: 30) + "!" : "")"}"# + "\n"
        }.joined()
    }

    private static let slow =
        "account: a\nfilters: [{name: slow, key: x, regex: '(a|aa)+$', reject: true}]\n"

    private static func evaluated(_ unknown: Int, _ options: String...) throws -> ToolRun {
        try ToolRun(
            ["compare", "@old.jsonl", "@new.jsonl", "--account=@slow.yaml", "--no-progress"] + options,
            files: [
                "old.jsonl": known(0..<20), "new.jsonl": known(20..<40, unknown: unknown), "slow.yaml": slow,
            ])
    }

    @Test("devices that are not evaluated widen intervals, and no limit holds of them alone")
    func unknownVerdictsMayBeAny() throws {
        // All of the newer ones, and then 4 of 20: the share that passes is 100 % before and 80 % to 100 % after.
        let none = try Self.evaluated(20, "--max-drift=100%").ending(.limitExceeded)
        #expect(none.error.hasSuffix("--max-drift 100% holds of nothing: no device of new.jsonl could be evaluated\n"))
        let unlimited = try Self.evaluated(20).ending(.nothingRan)
        #expect(unlimited.output.hasPrefix("nothing was compared: no device of new.jsonl could be evaluated\n"))
        try Self.evaluated(4, "--max-drift=20%").ending(.success)
        try Self.evaluated(4, "--max-drift=19.9%").ending(.limitExceeded)
        let report = try JSONText(try Self.evaluated(4, "--format=json").output)
        #expect(report.integer("new", "unjudged-devices") == 4 && report.integer("old", "unjudged-devices") == 0)
        let verdict = try #require((report["values"] as? [[String: Any]])?.first { $0["value"] as? String == "pass" })
        // Of 16 of 20 against 20 of 20, with Clopper and Pearson's intervals.
        let lower = try #require(verdict["lower"] as? Double)
        #expect(verdict["difference"] as? Double == 0 && abs(lower + 0.4367) < 5e-4, "\(verdict)")
    }

    @Test("a kind that vanishes counts in its stability index") func vanishingKindsCount() throws {
        func record(_ number: Int, _ version: String) -> String {
            #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(DiffSample.device(number))","flags":""\#(version)}"# + "\n"
        }
        let old = (0..<50).map { record($0, #","app-version":"5""#) }.joined()
        let run = try Self.differ(
            old, (50..<100).map { record($0, "") }.joined(), ["--keys=app-version", "--format=json"])
        // 50 and 0 of 50, and 0 and 50 without one, ½ added to each: 2 · 50/51 · ln 101.
        let kinds = try #require(try JSONText(run.output)["kinds"] as? [[String: Any]])
        #expect(abs(try #require(kinds[0]["stability-index"] as? Double) - 9.0493) < 1e-3, "\(kinds)")
    }

    @Test func threadsDoNotMatter() throws {
        #expect(Set(try ["1", "2", "7"].map { try Self.compare(["--jobs=\($0)"]).output }).count == 1)
    }

    @Test func wrongUseIsRefused() throws {
        #expect(try ToolRun("compare @monday.jsonl @friday.jsonl", files: Self.files).status == .usage)
        let alone = try ToolRun("compare @monday.jsonl --account=new", files: Self.files).ending(.usage)
        #expect(alone.error.contains("not all of `CAPTURE CAPTURE` are given; `--help` shows how they are used"))
        #expect(try ToolRun("compare --help").output.contains("Usage: scenario compare [options] CAPTURE CAPTURE\n"))
        #expect(try Self.compare(["--max-drift=3"]).status == .usage)
        #expect(try Self.compare(["--keys=time/week"]).status == .usage)
        for name in ["odd", "empty"] {
            let run = try ToolRun("compare @\(name).jsonl @friday.jsonl --account=new", files: Self.files)
            #expect(run.status == .invalidInput && run.error.hasPrefix("\(name).jsonl: error: "))
        }
    }
}
