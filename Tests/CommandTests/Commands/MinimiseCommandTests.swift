import Testing

@testable import TestSupport
@testable import scenario

/// `minimise`: what is left still fails, or flips, and nothing more can go.
@Suite struct MinimiseCommandTests {
    // Three groups and many steps; only Eve's second fetch fails, because she is rooted.
    private static let scenario = """
        # What went wrong on Friday.
        scenario: A long story
        tags: [incident]
        account: {account: shop, policy: "default,default,risk", grace: 20s, filters: [{name: vip, key: ip, match: 1.2.3.4}]}
        devices:
          amy: {count: 20, os: android, attributes: {ip: 1.2.3.4}}
          bob: {os: ios, flags: [jailbroken]}
          eve: {os: android, flags: [rooted, root-risk]}
        steps:
          - {at: 0s, fetch: [amy, bob], expect: {pass: 20, fail: 1}}
          - {at: 1m, fetch: eve, expect: {verdict: fail, rejections: [rooted]}}
          - {at: 2m, approov: "policy -set default,strict,risk"}
          - {at: 3m, launch: [amy, eve]}
          - at: 4m
            fetch: [amy, eve]
            expect:
              - {group: amy, verdict: pass}
              - {group: eve, verdict: pass}
        expect: {metrics: {pass: {at-least: 1}}}

        """

    /// The smallest scenario, made by hand: Eve, what makes her fail, and the step that expects that she passes.
    private static let smallest = """
        # What went wrong on Friday.
        scenario: A long story
        devices:
          eve: {flags: [rooted]}
        steps:
          - at: 4m
            fetch: [eve]
            expect:
              - {group: eve, verdict: pass}

        """

    private static func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

    @Test func whatIsLeftFailsInTheSameWay() throws {
        let run = try ToolRun("minimise @long.yaml", files: ["long.yaml": Self.scenario])
        #expect(run.status == .success, "\(run.error)")
        #expect(run.output == Self.smallest)
        let again = try ToolRun("run @small.yaml --no-progress", files: ["small.yaml": run.output])
        #expect(again.status == .expectationFailed, "\(run.output)\(again.error)")
        #expect(again.output.contains("verdict of eve"))
    }

    /// No step of what is left can go: without any of its lines it no longer fails so.
    @Test func nothingMoreCanGo() throws {
        let small = try ToolRun("minimise @long.yaml", files: ["long.yaml": Self.scenario]).output
        let again = try ToolRun("minimise @small.yaml", files: ["small.yaml": small])
        #expect(again.output == small)
        let lines = Self.lines(small)
        for index in lines.indices where !lines[index].hasPrefix("#") {
            let rest = lines.indices.filter { $0 != index }.map { "\(lines[$0])\n" }.joined()
            let run = try ToolRun("run @rest.yaml --no-progress", files: ["rest.yaml": rest])
            #expect(
                run.status != .expectationFailed || !run.output.contains("expected: pass"), "without \(lines[index])")
        }
    }

    // Bob is banned at his second record; the third shows it. Amy is noise.
    private static let bob = "BobAAAAAAAAAAAAAAAAAAA=="
    private static let amy = "AmyAAAAAAAAAAAAAAAAAAA=="
    private static func record(_ minute: Int, _ id: String, _ ip: String) -> String {
        #"{"time":"2020-07-23T10:\#(10 + minute):00Z","device-id":"\#(id)","public-flags":"","ip":"\#(ip)","sdk-version":"2.5.0"}"#
            + "\n"
    }

    private static let capture =
        record(0, amy, "10.0.0.1") + record(1, bob, "10.0.0.2") + record(2, amy, "10.0.0.1") + record(3, bob, "6.6.6.6")
        + record(4, bob, "10.0.0.3") + record(5, bob, "10.0.0.2")

    @Test func oneRecordIsEnoughWhereItFlipsAlone() throws {
        let run = try ToolRun(
            ["minimise", "@day.jsonl", "--change=filter -add evil -key ip -matchValue 6.6.6.6 -ban"],
            files: ["day.jsonl": Self.capture])
        #expect(run.status == .success, "\(run.error)")
        // It carries what the account looks at, and nothing else.
        #expect(
            run.output
                == #"{"time":"2020-07-23T10:13:00Z","device-id":"\#(Self.bob)","public-flags":"","ip":"6.6.6.6"}"#
                + "\n")
    }

    /// A ban that only shows later needs the record that bans and the one that shows it.
    @Test func whatABanShowsLaterNeedsBothRecords() throws {
        let account = """
            account: shop
            policy: default,whitelist,default
            filters: [{name: evil, key: ip, match: 6.6.6.6, ban: true}, {name: late, key: ip, match: 10.0.0.3}]

            """
        // Under whitelist bans do not count; a filter that sees `did-ban` rejects nowhere before the change. The banning
        // record carries `did-ban` only after filters looked (R7.7), so that the filter needs a later one.
        let rules = [
            "policy -set default,allow-root,default", "policy -removeRejectFlag did-ban",
            "filter -add seen -key flags-all -matchValue did-ban -regex -reject",
        ]
        let folder = try TemporaryFolder(["shop.yaml": account, "day.jsonl": Self.capture])
        let run = ToolRun(
            ["minimise", "@day.jsonl", "--account=@shop.yaml", "--output=@small.jsonl"]
                + rules.map { "--change=\($0)" },
            in: folder)
        #expect(run.status == .success, "\(run.error)")
        let small = String(decoding: try #require(folder.bytes(of: "small.jsonl")), as: UTF8.self)
        #expect(Self.lines(small).count == 2)
        #expect(Self.lines(small).first?.contains("6.6.6.6") == true)
        let diff = ToolRun(
            ["diff", "@small.jsonl", "--account=@shop.yaml", "--format=csv"] + rules.map { "--change=\($0)" },
            in: folder)
        #expect(diff.output.contains("newly-rejected,all,,1,1,"), "\(diff.output)")
    }

    static let refused: [ToolRow] = [
        ToolRow(
            name: "a scenario that passes", arguments: "@good.yaml", status: .nothingRan,
            error: "scenario: error: nothing to minimise: every expectation of `good.yaml` holds\n"),
        .usage("no change", "@day.jsonl", "there is no change; captures need `--change`, `--changes` or `--policy`"),
        ToolRow(
            name: "a change without effect", arguments: "@day.jsonl --policy=default,default,risk",
            status: .nothingRan,
            error: "scenario: error: nothing to minimise: the change turns no verdict of a device by its own records\n"),
        .usage(
            "a change of a scenario", "@fails.yaml --policy=default,default,risk",
            "`--policy` is for captures; a scenario names its account itself"),
        .usage("two scenarios", "@fails.yaml @good.yaml", "a scenario is minimised alone; captures may be many"),
    ]

    @Test(arguments: refused) func isRefused(_ row: ToolRow) throws {
        try row.expectNoOutput(command: ["minimise"], files: Sample.files)
    }
}
