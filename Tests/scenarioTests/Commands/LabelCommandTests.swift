import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `--labels` and `--cost`. By hand: Amy attests once and is clean, Bob is rooted and attests twice on one day; the account
/// rejects rooted devices, but for Amy's entry nothing differs.
@Suite struct LabelCommandTests {
    private static let files = Sample.files.merging([
        "open.yaml": "account: shop\npolicy: default,allow-root,default\n",
        "strict.yaml": "account: shop\npolicy: default,default,default\n",
        "labels.csv": "device-id,ip,label\n\(Sample.bob),,bad\n\(Sample.amy),,good\n,9.9.9.9,bad\n",
        "against.csv": "device-id,label,from,until\n\(Sample.bob),bad,,2000-01-01T00:00:00Z\n\(Sample.bob),good,,\n",
    ]) { $1 }

    private static func run(_ arguments: String...) throws -> ToolRun { try ToolRun(arguments, files: files) }

    @Test func replaysCountLabels() throws {
        let run = try Self.run(
            "replay", "@day.jsonl", "--account=@strict.yaml", "--labels=@labels.csv", "--cost=missed=40,blocked=6")
        #expect(run.status == .success, "\(run.error)")
        #expect(run.output.contains("bad devices that are caught: 1 of 1, recall 100.0 % (95 %: 2.5–100.0 %)"))
        #expect(run.output.contains("good devices that are blocked: 0 of 1"))
        #expect(run.output.contains("these verdicts cost 0, by device and day"))
        #expect(run.output.contains("1 of 3 labels fits no record: ip 9.9.9.9 (line 4)"))
    }

    /// Of one device, the exact interval of two sides ends at half of what the level leaves.
    @Test(arguments: [("90%", "(90 %: 5.0–100.0 %)"), ("99%", "(99 %: 0.5–100.0 %)")])
    func intervalsHaveTheLevel(level: String, interval: String) throws {
        let arguments = [
            "replay", "@day.jsonl", "--account=@strict.yaml", "--labels=@labels.csv", "--confidence=\(level)",
        ]
        let run = try ToolRun(arguments, files: Self.files)
        #expect(run.output.contains("bad devices that are caught: 1 of 1, recall 100.0 % \(interval)"), "\(run.output)")
        let json = try ToolRun(arguments + ["--format=json"], files: Self.files).output
        #expect(json.contains(#""level":"\#(level)""#) && !json.contains(#""level":"95%""#))
    }

    @Test func comparisonsCountLabelsBeforeAndAfter() throws {
        let run = try Self.run(
            "diff", "@day.jsonl", "--account=@open.yaml", "--candidate=@strict.yaml", "--labels=@labels.csv",
            "--cost=missed=40,blocked=6", "--format=json")
        #expect(run.status == .success, "\(run.error)")
        #expect(run.output.contains(#""newly-rejected":{"bad":1,"good":0,"unknown":0}"#))
        #expect(run.output.contains(#""saves":40"#))
    }

    // Amy and then Bob, each from an address of its own.
    private static let located = [(Sample.amy, "1.1.1.1"), (Sample.bob, "9.9.9.9")].enumerated().map { second, device in
        #"{"time":"2020-07-23T10:00:0\#(second)Z","device-id":"\#(device.0)","flags":"","ip":"\#(device.1)","#
            + #""app-version":"5.\#(second)"}"# + "\n"
    }

    /// Labels, counted values, tokens, and values beside decisions do not change each other in one replay.
    @Test(arguments: ["lines", "sorted", "columns"]) func oneReplayDoesAllAtOnce(_ form: String) throws {
        let records = form == "sorted" ? Array(Self.located.reversed()) : Self.located
        let folder = try TemporaryFolder(
            Self.files.merging(["located.jsonl": records.joined(), "address.csv": "ip,label\n9.9.9.9,bad\n"]) { $1 })
        if form == "columns" {
            ToolRun(["pack", "@located.jsonl", "--output=@located.arrow"], in: folder).ending(.success)
        }
        let capture = [form == "columns" ? "@located.arrow" : "@located.jsonl"] + (form == "sorted" ? ["--sort"] : [])
        func results(_ name: String, _ options: [String]) throws -> [String: NSObject] {
            let common = ["--account=@strict.yaml", "--format=json", "--output=@\(name).json"]
            let run = ToolRun(["replay"] + capture + common + options, in: folder)
            #expect(run.status == .success, "\(run.error)")
            func file(_ ending: String) -> Data {
                FileManager.default.contents(atPath: folder.path(name + ending)) ?? Data()
            }
            let report = try JSONSerialization.jsonObject(with: file(".json")) as? [String: NSObject]
            return [
                "labels": report?["labels"] ?? NSNull(), "values": report?["values"] ?? NSNull(),
                "tokens": file(".tokens") as NSData, "decisions": file(".arrow") as NSData,
            ]
        }
        func options(_ name: String) -> [String: [String]] {
            [
                "labels": ["--labels=@address.csv"], "values": ["--count=ip,time/hour"],
                "tokens": ["--tokens=@\(name).tokens", "--domain=a.com"],
                "decisions": ["--decisions=@\(name).arrow", "--with=app-version,ip"],
            ]
        }
        let together = try results("all", options("all").values.flatMap { $0 })
        for part in ["labels", "values", "tokens", "decisions"] {
            let alone = try results(part, options(part)[part] ?? [])
            #expect(together[part] == alone[part] && ![NSNull(), NSData()].contains(alone[part]), "\(part)")
        }
        // Bob, by his address.
        let account = (together["labels"] as? [String: Any])?["account"] as? [String: Any]
        #expect((account?["bad"] as? [String: Any])?["devices"] as? Int == 1)
    }

    /// Groups of devices are noted besides, and change nothing of the labels.
    @Test func labelsAreTheSameBesideGroups() throws {
        func labels(_ options: String...) throws -> [String: NSObject] {
            let run = try ToolRun(
                [
                    "diff", "@day.jsonl", "--account=@open.yaml", "--candidate=@strict.yaml", "--labels=@labels.csv",
                    "--format=json",
                ] + options, files: Self.files
            ).ending(.success)
            let report = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
            return try #require((report?["changes"] as? [String: Any])?["labels"] as? [String: NSObject])
        }
        #expect(try labels("--who=flags") == labels())
    }

    @Test(arguments: ["text", "csv", "html", "markdown"]) func everyFormOfAComparisonHasThem(_ format: String) throws {
        let run = try Self.run(
            "diff", "@day.jsonl", "--account=@open.yaml", "--candidate=@strict.yaml", "--labels=@labels.csv",
            "--format=\(format)")
        #expect(run.status == .success, "\(run.error)")
        #expect(run.output.contains(format == "csv" ? "labels,bad,newly-rejected,1" : "Labelled devices"))
        // The figures before are in a column beside those after.
        if format == "text" {
            let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(
                words.contains(
                    "bad devices that are caught 0 of 1, recall 0.0 % (95 %: 0.0–97.5 %) "
                        + "1 of 1, recall 100.0 % (95 %: 2.5–100.0 %)"), "\(run.output)")
        }
    }

    @Test func editsAreOrderedByTheirSavings() throws {
        let run = try Self.run(
            "whatif", "@day.jsonl", "--account=@open.yaml", "--labels=@labels.csv", "--cost=missed=40,blocked=6",
            "--order=cost", "--format=csv")
        #expect(run.status == .success, "\(run.error)")
        let first = try #require(run.output.split(separator: "\r\n").dropFirst().first)
        #expect(first.hasSuffix(",1,1,1,0,0,0,0,40,true"), "\(first)")
    }

    @Test func pagesDrawTheFrontier() throws {
        let run = try Self.run("whatif", "@day.jsonl", "--account=@open.yaml", "--labels=@labels.csv", "--format=html")
        #expect(run.output.contains("Efficient edits") && run.output.contains("<svg"))
        // By hand: the edits that reject rooted devices catch Bob, who is one of up to 2, and block nobody.
        let dots = run.output.split(separator: "<circle").dropFirst()
        #expect(dots.count > 1)
        #expect(dots.allSatisfy { $0.hasPrefix(#" cx="11%" cy="104" r="5" class="better""#) }, "\(dots)")
        #expect(dots.last?.contains("bad devices caught 1, good devices blocked 0</title>") == true, "\(dots)")
        // Only the table says which edit a dot is.
        #expect(!run.output.contains("<summary>The figures</summary>"))
    }

    @Test func searchCatches() throws {
        let run = try Self.run(
            "search", "@day.jsonl", "--account=@open.yaml", "--labels=@labels.csv", "--catch=90%",
            "--max-good-blocked=0.1%", "--max-edits=1", "--timeout=5m", "--format=json")
        #expect(run.status == .success, "\(run.error)")
        #expect(run.output.contains(#""bad":1,"caught":1,"good":1,"blocked":0"#))
    }

    // Good devices have a value of which the search by a filter is given up, and bad ones are rooted.
    private static let slow = [
        "slow.yaml": "account: shop\npolicy: default,allow-root,default\n"
            + "filters: [{name: slow, key: x, regex: '(a|aa)+$', reject: true}]\n",
        "slow.jsonl": (0..<20).map { number in
            let value = number < 15 ? String(repeating: "a", count: 30) + "!" : ""
            return #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(DiffSample.device(number))","x":"\#(value)","#
                + #""flags":"\#(number < 15 ? "" : "rooted")"}"# + "\n"
        }.joined(),
        "slow.csv": "device-id,label\n"
            + (0..<20).map { "\(DiffSample.device($0)),\($0 < 15 ? "good" : "bad")\n" }.joined(),
    ]

    @Test("devices that are not evaluated count among the blocked") func unknownVerdictsAreBlocked() throws {
        func search(_ options: String...) throws -> ToolRun {
            try ToolRun(
                [
                    "search", "@slow.jsonl", "--account=@slow.yaml", "--labels=@slow.csv", "--catch=100%",
                    "--timeout=5m",
                    "--format=json", "--no-progress",
                ] + options, files: Self.slow)
        }
        try search("--max-good-blocked=0", "--max-edits=1").ending(.limitExceeded)
        try search("--max-good-blocked=14", "--max-edits=1").ending(.limitExceeded)
        let one = try search("--max-good-blocked=15", "--max-edits=1").ending(.success)
        let counts = #""bad":5,"caught":5,"good":15,"blocked":15,"unevaluated":15,"unjudged-devices":15}"#
        #expect(one.output.contains(counts), "\(one.output)")
        // Without the filter they are evaluated.
        let two = try search("--max-good-blocked=0").ending(.success)
        #expect(
            two.output.contains(#""commands":["policy -set default,default,default","filter -remove slow"]"#),
            "\(two.output)")
        #expect(two.output.contains(#""bad":5,"caught":5,"good":15,"blocked":0,"unevaluated":0,"#), "\(two.output)")
    }

    @Test("bad devices that are to be caught are asked for") func badDevicesAreAskedFor() throws {
        let run = try ToolRun(
            "search @day.jsonl --account=@open.yaml --labels=@labels.csv --catch=100% --max-newly-rejected=0 --max-edits=1 "
                + "--timeout=5m --format=json", files: Self.files
        ).ending(.success)
        #expect(run.output.contains(#""newly-rejected":1,"besides":0,"newly-accepted":0,"#), "\(run.output)")
    }

    @Test(arguments: [1, 3]) func mergedPartsGiveTheSameReport(count: Int) throws {
        let folder = try TemporaryFolder(Self.files)
        let common = ["@day.jsonl", "--account=@strict.yaml", "--labels=@labels.csv", "--cost=missed=40,blocked=6"]
        let whole = ToolRun(["replay"] + common + ["--format=json"], in: folder)
        for number in 1...count {
            let part = ToolRun(
                ["replay"] + common + ["--shard=\(number)/\(count)", "--partial=@part-\(number)"], in: folder)
            #expect(part.status == .success, "\(part.error)")
        }
        let merged = ToolRun(["merge"] + (1...count).map { "@part-\($0)" } + ["--format=json"], in: folder)
        #expect(merged.output == whole.output && !whole.output.isEmpty, "\(merged.error)")
    }

    static let refused: [ToolRow] = [
        .usage(
            "a cost of nothing", "replay @day.jsonl --labels=@labels.csv --cost=missed=40",
            "`--cost` takes whole numbers up to 1,000,000 by their names, not `missed=40`; such as "
                + "`missed=40,blocked=6` or `missed=40,blocked=6,rejected-unknown=1`"),
        .usage("costs without labels", "replay @day.jsonl --cost=missed=40,blocked=6", "`--cost` needs `--labels`"),
        .usage(
            "an order without costs", "whatif @day.jsonl --account=new --labels=@labels.csv --order=cost",
            "`--order cost` needs `--cost`"),
        .usage(
            "a label without labels", "search @day.jsonl --account=new --reject=label:bad",
            "`--reject` with a label needs `--labels`"),
    ]

    @Test(arguments: refused) func isRefused(_ row: ToolRow) throws { try row.expectNoOutput(files: Self.files) }
}
