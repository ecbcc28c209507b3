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
        let run = try ToolRun("minimise @long.yaml", files: ["long.yaml": Self.scenario]).ending(.success)
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
            "`--policy` is for captures; a scenario contains its account"),
        .usage("two scenarios", "@fails.yaml @good.yaml", "a scenario is minimised alone; captures may be many"),
    ]

    @Test(arguments: refused) func isRefused(_ row: ToolRow) throws {
        try row.expectNoOutput(command: ["minimise"], files: Sample.files)
    }
}

/// `record`: a scenario that pins what a capture shows, and passes.
@Suite struct RecordCommandTests {
    private static let bob = "BobAAAAAAAAAAAAAAAAAAA=="
    private static let amy = "AmyAAAAAAAAAAAAAAAAAAA=="

    private static func record(_ time: String, _ id: String, _ flags: String, _ ip: String) -> String {
        #"{"time":"2020-07-23T10:\#(time)Z","device-id":"\#(id)","public-flags":"\#(flags)","ip":"\#(ip)","#
            + #""device":"Android 8.1.0, Nexus 5X"}"# + "\n"
    }

    // Bob passes, is rooted later, and comes back from an address that is banned; Amy fails for two reasons.
    private static let capture =
        record("00:00", bob, "", "10.0.0.1") + record("00:10", amy, "rooted,frida", "10.0.0.9")
        + record("00:20", bob, "rooted", "10.0.0.1") + record("02:00", bob, "", "6.6.6.6")
        + record("09:00", bob, "", "10.0.0.1")
    private static let account =
        "account: shop\npolicy: default,default,risk\nfilters: [{name: evil, key: ip, match: 6.6.6.6, ban: true}]\n"
    private static let files = ["day.jsonl": capture, "shop.yaml": account]

    @Test func theScenarioPassesAndExpectsWhatWasDecided() throws {
        let folder = try TemporaryFolder(Self.files)
        ToolRun("record @day.jsonl --account=@shop.yaml --output=@pinned.yaml", in: folder).ending(.success)
        let text = String(decoding: try #require(folder.bytes(of: "pinned.yaml")), as: UTF8.self)
        let expectations = text.split(separator: "\n").compactMap { $0.split(separator: "expect: ").dropFirst().first }
        // Clean, two causes, rooted, banned at once (R6.3), banned still.
        #expect(
            expectations.map { String($0) } == [
                "{verdict: pass}}", "{verdict: fail, rejections: [rooted, frida]}}",
                "{verdict: fail, rejections: [rooted]}}", "{verdict: fail, rejections: [did-ban]}}",
                "{verdict: fail, rejections: [did-ban]}}",
            ])
        let run = ToolRun("run @pinned.yaml --no-progress", in: folder)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(run.output.contains("9/9 expectations"))
    }

    /// It is a test of later changes: each of these turns one of its verdicts.
    @Test(arguments: ["policy: default,allow-root,risk", "policy: default,blacklist,risk"])
    func theScenarioNoticesAnotherPolicy(policy: String) throws {
        let folder = try TemporaryFolder(Self.files)
        _ = ToolRun("record @day.jsonl --account=@shop.yaml --output=@pinned.yaml", in: folder)
        _ = try folder.write(Self.account.replacing("policy: default,default,risk", with: policy).utf8, to: "shop.yaml")
        #expect(ToolRun("run @pinned.yaml --no-progress", in: folder).status == .expectationFailed)
    }

    /// The account does DeviceCheck itself, and the capture has what the service found: a simulated device would lack it.
    @Test func whatASimulationDecidesOtherwiseIsLeftOut() throws {
        let account = "account: shop\npolicy: default,strict,risk\ndevicecheck: {team-id: T1, key-id: ABCDE12345}\n"
        let capture =
            Self.record("00:00", Self.bob, "", "10.0.0.1")
            + #"{"time":"2020-07-23T10:01:00Z","device-id":"\#(Self.amy)","public-flags":"","device":"iOS, 12.1, iPhone7,2"}"#
            + "\n"
        let folder = try TemporaryFolder(["day.jsonl": capture, "shop.yaml": account])
        let recorded = ToolRun("record @day.jsonl --account=@shop.yaml --output=@pinned.yaml", in: folder)
        #expect(recorded.status == .success, "\(recorded.error)")
        #expect(
            recorded.error
                == "device \(Self.amy): warning: it is left out, because a simulation gives it another decision\n")
        #expect(ToolRun("run @pinned.yaml --no-progress", in: folder).status == .success)
    }

    @Test func theNameIsThatOfTheCaptureUnlessOneIsGiven() throws {
        let run = try ToolRun("record @day.jsonl", files: Self.files)
        #expect(run.output.hasPrefix("scenario: Decisions on day.jsonl\nstart: 2020-07-23T10:00:00Z\ndevices:\n"))
        let named = try ToolRun(["record", "@day.jsonl", "--name=a: b"], files: Self.files)
        #expect(named.output.hasPrefix("scenario: \"a: b\"\n"))
    }

    /// Random captures of random devices: what is recorded always passes.
    @Test(arguments: 1...UInt64(Exhaustive.count(5, whole: 50))) func whatIsRecordedPasses(seed: UInt64) throws {
        var accounts = RandomAccount(seed: seed, flags: [])
        var captures = RandomCapture(seed: seed << 16, flags: ["rooted", "cloned"])
        let folder = try TemporaryFolder([
            "account.yaml": accounts.text(), "day.jsonl": captures.records(30).map(\.line).joined(),
        ])
        let recorded = ToolRun("record @day.jsonl --account=@account.yaml --output=@s.yaml", in: folder)
        guard recorded.status == .success else {
            #expect(recorded.status == .nothingRan, "\(recorded.error)")
            return
        }
        let run = ToolRun("run @s.yaml --no-progress", in: folder)
        #expect(run.status == .success, "seed \(seed): \(run.output)\(run.error)")
    }
}
