import Testing

@testable import TestSupport
@testable import scenario

/// `whatif`: what every single edit does. The figures are worked out by hand: Bob is rooted and attests twice, Amy once.
@Suite struct WhatIfCommandTests {
    private static let tester = "filter -add tester -key device-id -matchValue \(Sample.bob)"
    private static let files = Sample.files.merging([
        "shop.yaml": """
        account: shop
        policy: default,allow-root,default
        filters: [{name: tester, key: device-id, match: '\(Sample.bob)'}]
        devices: [{id: \(Sample.amy), policy: 'default,blacklist,default'}]

        """
    ]) { $1 }

    struct Row: LabelledRow {
        let command: String
        /// Devices and attestations that newly fail, then those that newly pass.
        let rejected, accepted: [Int]
        var unevaluated = 0
        /// Of 72 fetches a day as it is: three attestations in an hour.
        var fetches = 72
    }

    static let rows = [
        Row(command: "policy -set default,default,default", rejected: [1, 2], accepted: [0, 0]),
        Row(command: "policy -set default,allow-xposed,default", rejected: [1, 2], accepted: [0, 0]),
        Row(command: "policy -set default,whitelist,default", rejected: [0, 0], accepted: [0, 0]),
        Row(command: "policy -set default,blacklist,default", rejected: [1, 2], accepted: [0, 0]),
        // R11.1: Bob's tokens live 45 s instead of 120 s, so he fetches 2.667 times as often: (2 × 2.667 + 1) ÷ 3 × 72.
        Row(
            command: "policy -set default,allow-raj-only-short-lifetime,default", rejected: [0, 0], accepted: [0, 0],
            fetches: 152),
        Row(command: "policy -addRejectFlag rooted", rejected: [1, 2], accepted: [0, 0]),
        Row(command: "policy -addRejectFlag risky-device", rejected: [1, 2], accepted: [0, 0]),
        Row(command: "policy -addRejectFlag automated", rejected: [0, 0], accepted: [0, 0]),
        // No record says whether Bob was new. Amy fails either way.
        Row(command: "policy -addRejectFlag new-did", rejected: [0, 0], accepted: [0, 0], unevaluated: 1),
        Row(command: "policy -removeRejectFlag frida", rejected: [0, 0], accepted: [0, 0]),
        Row(command: "filter -remove tester", rejected: [0, 0], accepted: [0, 0]),
        Row(command: "\(tester) -reject", rejected: [1, 2], accepted: [0, 0]),
        // R6.3: banned at the first attestation, which fails already.
        Row(command: "\(tester) -ban", rejected: [1, 2], accepted: [0, 0]),
        Row(command: "device -remove \(Sample.amy)", rejected: [0, 0], accepted: [1, 1]),
    ]

    @Test(arguments: rows) func figuresAreThoseOfTheEdit(_ row: Row) throws {
        let run = try ToolRun("whatif @day.jsonl --account=@shop.yaml --format=csv", files: Self.files).ending(.success)
        let line = try #require(
            run.output.split(separator: "\r\n").first { $0.hasPrefix("\(Self.field(row.command)),") })
        let figures = line.dropFirst(Self.field(row.command).utf8.count + 1).split(separator: ",").compactMap {
            Int($0)
        }
        #expect(figures.prefix(4) == (row.rejected + row.accepted)[...])
        #expect(figures.dropFirst(4).first == row.fetches)
        #expect(figures.last == row.unevaluated)
    }

    private static func field(_ text: String) -> String { "\"\(text)\"" }

    @Test func attestationsAreLeftOutWhereTheyRepeatDevices() throws {
        let text = try ToolRun("whatif @day.jsonl --account=@shop.yaml", files: Self.files).output
        #expect(text.contains("newly rejected  attestations  newly accepted  attestations  fetches a day"))
        // Bob attests once.
        let once = Sample.day.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(
            separator: "\n")
        let short = try ToolRun(
            "whatif @day.jsonl --account=@shop.yaml", files: Self.files.merging(["day.jsonl": once]) { $1 }
        ).output
        #expect(short.contains("newly rejected  newly accepted  fetches a day"), "\(short)")
    }

    @Test func everyEditIsThere() throws {
        let run = try ToolRun("whatif @day.jsonl --account=@shop.yaml --format=csv", files: Self.files)
        let commands = run.output.split(separator: "\r\n").dropFirst()
        // Ten presets but the one that is set; each flag added or removed, none both under allow-root; a filter that is removed
        // or has one of four actions; an entry.
        #expect(commands.count == 9 + FlagFacts.all.count + 5 + 1)
    }

    @Test func jsonHasTheSameFigures() throws {
        let run = try ToolRun("whatif @day.jsonl --account=@shop.yaml --format=json", files: Self.files)
        let expected =
            #"{"command":"device -remove \#(Sample.amy)","newly-rejected":{"attestations":0,"devices":0},"#
            + #""newly-accepted":{"attestations":1,"devices":1},"token-fetches":72,"token-fetches-per-mille":1000,"#
            + #""unjudged-devices":0}"#
        #expect(
            run.output.hasPrefix(
                #"{"version":1,"attestations":3,"devices":2,"evaluated":52,"token-fetches":72,"edits":["#))
        #expect(run.output.contains(expected))
    }

    static let selections: [(name: String, arguments: [String], first: String, count: Int)] = [
        ("the order of the account", [], "policy -set default,default,default", 12),
        ("by fetches", ["--order=token-fetches"], "policy -set default,allow-raj-only-short-lifetime,default", 12),
        ("by accepted devices", ["--order=newly-accepted"], "device -remove \(Sample.amy)", 12),
        // The short lifetime, and the entry that is removed: of `new-did` it is not known that it rejects nobody.
        ("few rejected", ["--max-newly-rejected=0"], "policy -set default,allow-raj-only-short-lifetime,default", 2),
        ("a share", ["--max-newly-rejected=49%"], "policy -set default,allow-raj-only-short-lifetime,default", 2),
        ("with a flag", ["--newly-accepted-with=new-did"], "device -remove \(Sample.amy)", 1),
    ]

    @Test(arguments: selections.indices) func textShowsWhatIsAskedFor(_ index: Int) throws {
        let row = Self.selections[index]
        let run = try ToolRun(["whatif", "@day.jsonl", "--account=@shop.yaml"] + row.arguments, files: Self.files)
        #expect(run.status == .success, "\(run.error)")
        let lines = run.output.split(separator: "\n").filter { line in
            ["  policy ", "  filter ", "  device "].contains { line.hasPrefix($0) }
        }
        #expect(lines.first?.hasPrefix("  \(row.first) ") == true, "\(row.name)")
        #expect(lines.count == row.count, "\(row.name)")
    }

    @Test func changesComeFirst() throws {
        let run = try ToolRun(
            "whatif @day.jsonl --account=new --change='policy -set default,blacklist,default' --format=csv",
            files: Self.files)
        #expect(run.output.contains("\"policy -set default,default,default\",0,0,1,1,"))
        #expect(!run.output.contains("policy -set default,blacklist,default"))
    }

    @Test("nothing evaluated is no success: the search of the filter is given up for both devices")
    func nothingEvaluatedIsNoSuccess() throws {
        let record = { (second: Int, device: String) in
            #"{"time":"2020-07-23T10:00:0\#(second)Z","device-id":"\#(device)","remark":"\#(String(repeating: "x", count: 40))!"}"#
                + "\n"
        }
        let run = try ToolRun(
            "whatif @slow.jsonl --account=@slow.yaml",
            files: [
                "slow.jsonl": record(0, Sample.bob) + record(1, Sample.amy),
                "slow.yaml": "filters: [{name: slow, key: remark, regex: '(x+x+)+$', reject: true}]\n",
            ])
        #expect(run.status == .nothingRan)
        #expect(
            run.output.hasPrefix("nothing was evaluated: what the 51 single edits would do is known of no device\n"))
        #expect(
            run.error.hasSuffix(
                "scenario: error: nothing was evaluated: what the edits would do is known of no device\n"))
    }

    static let refused: [ToolRow] = [
        .invalid(
            "an unknown flag", "whatif @day.jsonl --account=new --newly-accepted-with=roted",
            "--newly-accepted-with: error: neither the account nor a record has the flag `roted`\n  hint: did "
                + "you mean `rooted`?"),
        .usage(
            "no limit", "whatif @day.jsonl --account=new --max-newly-rejected=few",
            "`--max-newly-rejected` takes a number or a share, not `few`; such as "
                + "`12` or `0.1%`"),
        .invalid("no attestation", "whatif @empty.jsonl --account=new", "empty.jsonl: error: the capture is empty"),
    ]

    @Test(arguments: refused) func isRefused(_ row: ToolRow) throws {
        try row.expectNoOutput(files: Self.files)
    }

    @Test func aPageHasEveryEdit() throws {
        let run = try ToolRun(["whatif", "@day.jsonl", "--account=@shop.yaml", "--format=html"], files: Self.files)
        #expect(run.output.contains("<h1>shop: "))
        // Those that change nothing are folded behind their number.
        let idle = try #require(run.output.firstMatch(of: #/<summary>([0-9]+) edits</summary>/#)).output.1
        let rest = run.output[(try #require(run.output.firstRange(of: "<summary>"))).upperBound...]
        #expect(String(rest.ranges(of: "<tr><th scope=\"row\"><code>policy ").count) <= idle)
        #expect(run.output.replacing(#/<[^>]*>/#, with: "").contains("policy -addRejectFlag automated"))
    }
}
