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
        // Newcombe's interval of 50 of 200 against 10 of 200, by Python: 0.1323 to 0.2682.
        let lower = try #require(values[0]["lower"] as? Double)
        let upper = try #require(values[0]["upper"] as? Double)
        #expect(abs(lower - Self.newcombe.lower) < 1e-4 && abs(upper - Self.newcombe.upper) < 1e-4)
    }

    private static let newcombe = (lower: 0.13231, upper: 0.26820)

    @Test func textSaysItInASentence() throws {
        let run = try Self.compare([])
        #expect(
            run.output.hasPrefix(
                """
                4 of 7 shares of devices differ by more than chance explains, the largest by 20.00 points: verdict:fail, 5.0 % \
                before and 25.0 % after
                  50 devices are in both captures; intervals (95 %) are those of independent random samples, which are too wide \
                rather than too narrow for common devices

                """))
        #expect(run.output.contains("\nShares that differ\n"))
    }

    @Test func otherFormsHaveTheSameFigures() throws {
        let csv = try Self.compare(["--format=csv"]).output.split(separator: "\r\n")
        #expect(csv.count == 8 && csv[1].hasPrefix("verdict,fail,10,50,0.2,0.132306,0.2682,"))
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
        // The bound of the seven differences together, at 1 - 0.05 / 7 each.
        ("30%", ["--confidence=95%"], .success, ""),
        (
            "28%", ["--confidence=95%"], .limitExceeded,
            "scenario: limit exceeded: up to 29.43 percentage points of difference, which the captures do not exclude at 95 %, "
                + "more than --max-drift 28% allows\n"
        ),
    ]

    @Test(arguments: limits.indices) func aLimitHoldsTheLargestDifference(_ index: Int) throws {
        let row = Self.limits[index]
        let run = try Self.compare(["--max-drift=\(row.limit)"] + row.options)
        #expect(run.status == row.status && run.error == row.error)
        #expect(run.output.hasPrefix("4 of 7 shares"))
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
