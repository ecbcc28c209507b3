import Testing

@testable import TestSupport
@testable import scenario

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
        let recorded = ToolRun("record @day.jsonl --account=@shop.yaml --output=@pinned.yaml", in: folder)
        #expect(recorded.status == .success, "\(recorded.error)")
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
                == "device \(Self.amy): warning: it is left out, because a simulation decides otherwise on it\n")
        #expect(ToolRun("run @pinned.yaml --no-progress", in: folder).status == .success)
    }

    @Test func theNameIsThatOfTheCaptureUnlessOneIsGiven() throws {
        let run = try ToolRun("record @day.jsonl", files: Self.files)
        #expect(run.output.hasPrefix("scenario: What day.jsonl shows\nstart: 2020-07-23T10:00:00Z\ndevices:\n"))
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
