import PolicyEngine
import Testing

@testable import Documents
@testable import Figures
@testable import Replay
@testable import Scenarios
@testable import TestSupport

@Suite struct GenerationTests {
    private static let bank = """
        scenario: s
        start: 2020-07-23T00:00:00Z
        account: {policy: "default,default,default", filters: [{name: old, key: app-version, match: "1.0", reject: true}]}
        activity: {zipf: 1.1, rhythm: day}
        devices:
          android:
            count: 300
            os: android
            flag-rates: {rooted: 10%, root-risk: 20%}
            attributes: {ip: 10.0.0.0/8, app-version: {choose: {"2.0": 80%, "1.0": 20%}}}
          ios: {count: 100, flag-rates: {jailbroken: 10%}, attributes: {device: "iOS, 13.5.1, iPhone12,1, en_GB"}}
          farm: {count: 5, flags: [xposed], activity: {weight: 20, rhythm: even, zipf: 0}}

        """

    // Every service takes part and sets flags.
    private static let services = """
        scenario: s
        account:
          devicecheck: {team-id: YYYYYYYYY, key-id: XXXXXXXXXX, bits: both}
          safetynet: {api-key: XXXX, daily-quota: 10}
          registrations: [{app-sig: sig, appid: app}]
          rules: [alt]
          sampling-percentage: 40
          filters:
            - {name: bans, key: ip, regex: '^10\\.1', ban: true}
            - {name: risky, key: ip, regex: '^10\\.2', risky: true}
          devices: [{id: ++FilteredSecPolicy++w==, policy: "alt,strict,default"}]
        devices:
          checked: {count: 20, os: ios, devicecheck: available, attributes: {app-sig: sig, appid: app, ip: 10.0.0.0/8}}
          banned: {count: 5, os: ios, devicecheck: {state: available, bits: 2, changed: 2019-11}}
          unchecked: {count: 5, os: ios, attributes: {app-sig: sig}, devicecheck: unavailable}
          android: {count: 30, os: android, safetynet: pass, attributes: {app-sig: sig, appid: app, ip: 10.0.0.0/8}}
          failing: {count: 10, os: android, safetynet: fail-profile}
          twins: {count: 5, os: ios, devicecheck: available, physical: phone}
          others: {count: 5, os: ios, devicecheck: available, physical: phone}

        """

    @Test(arguments: GeneratedFormat.allCases) func oneSeedGivesTheSameBytes(_ format: GeneratedFormat) throws {
        func bytes(_ seed: UInt64?) throws -> [UInt8] {
            try GeneratedCapture(Self.bank, count: 2000) { ($0.format, $0.seed) = (format, seed) }.bytes
        }
        try expect(bytes(nil), equals: bytes(1))
        try expect(bytes(1), equals: bytes(1))
        #expect(try bytes(1) != bytes(2))
    }

    @Test(arguments: GeneratedFormat.allCases) func aReplayReadsItWithoutAWarning(_ format: GeneratedFormat) throws {
        let replayed = try GeneratedCapture(Self.bank, count: 3000) { $0.format = format }.replay()
        expect(replayed.messages, equals: [])
        expect(replayed.summary.figures?.attestations, equals: 3000)
        #expect(replayed.summary.figures?.reproduced == nil)
    }

    @Test func bothFormsReplayToTheSameDecisions() throws {
        let info = try GeneratedCapture(Self.bank, count: 3000)
        let json = try GeneratedCapture(Self.bank, count: 3000) { $0.format = .jsonl }
        let decisions = try #require(info.replay().decisions)
        expect(decisions.count, equals: 3000)
        try expect(json.replay().decisions, equals: decisions)
    }

    @Test(arguments: [bank, services], GeneratedFormat.allCases) func aReplayReproducesEveryVerdict(
        _ text: String, format: GeneratedFormat
    ) throws {
        let capture = try GeneratedCapture(text, count: 2000) { ($0.format, $0.includesVerdicts) = (format, true) }
        let replayed = try capture.replay()
        expect(replayed.messages, equals: [])
        expect(
            replayed.summary.figures?.reproduced,
            equals: Figures.Reproduction { ($0.compared, $0.agreed) = (2000, 2000) })
        #expect(replayed.metric("pass") > 0)
        #expect(replayed.metric("fail") > 0)
    }

    @Test func servicesSetTheirFlags() throws {
        let records = try GeneratedCapture(Self.services, count: 3000).records()
        let flags = Set(records.flatMap(\.flags))
        for name in [
            "devicecheck-completed", "devicecheck-ban", "devicecheck-unavailable", "safetynet-completed",
            "safetynet-unavailable", "safetynet-fail-profile", "app-not-registered", "did-ban",
        ] { #expect(flags.contains(name), "\(name)") }
        // Flags that the service derives anew each time are not in the records (R7.2).
        #expect(flags.isDisjoint(with: ["new-did", "risky-device"]))
    }

    @Test func devicesAreThoseOfARun() throws {
        let run = try RunOutput(
            Self.bank + "steps: [{at: 0s, fetch: all, expect: {attested: 405}}]\n")
        let decisions = Dictionary(uniqueKeysWithValues: run.decisions.map { ($0.device, $0) })
        let records = try GeneratedCapture(Self.bank, count: 3000) { $0.includesVerdicts = true }.records()
        for record in records {
            let decision = try #require(decisions[record.device])
            expect(record.flags, equals: decision.flags.filter { !["new-did", "risky-device"].contains($0) })
            expect(record.passed, equals: (decision.verdict == "pass"))
        }
        #expect(Set(records.map(\.device)).count > 300)
    }

    // 40 000 attestations of 4000 devices alike: 1000 rooted ones ± five standard deviations of 27.4, so 21.6 to 28.4 %
    // of the devices; what they make of the attestations differs from that by 1.1 % more.
    @Test func flagRatesAreThoseOfTheVerdicts() throws {
        let text = "scenario: s\ndevices: {stock: {count: 4000, flag-rates: {rooted: 25%}}}\n"
        let replayed = try GeneratedCapture(text, count: 10_000).replay()
        #expect(2050...2950 ~= replayed.metric("fail"))
        expect(replayed.metric("fail"), equals: replayed.metric("rejection-flag-rooted"))
    }

    // All that a value may be, in keys and values that look like parts of a capture.
    @Test(arguments: 0..<4, GeneratedFormat.allCases) func oddAttributesAreReadBack(
        seed: Int, format: GeneratedFormat
    ) throws {
        var generator = SeededGenerator(seed: UInt64(seed), path: "odd")
        let devices = (0..<30).map { _ in DrawnDevice(&generator) }
        let groups = devices.indices.map { "  g\($0): \(devices[$0].group)\n" }.joined()
        let capture = try GeneratedCapture("scenario: s\ndevices:\n\(groups)", count: 300) { $0.format = format }
        let records = try ReadRecord.read(capture.bytes, keys: Set(devices.flatMap(\.bytes.keys)))
        let byID = Dictionary(uniqueKeysWithValues: devices.map { ($0.id, $0) })
        expect(records.count, equals: 300)
        for record in records {
            let device = try #require(byID[record.device])
            expect(record.attributes, equals: device.bytes)
            // An unban ends a ban (R6.4).
            let flags = device.flags.filter { $0 != "did-ban" || !device.flags.contains("did-unban") }
            expect(record.flags.filter { $0 != "did-ban" }, equals: flags.filter { $0 != "did-ban" })
        }
    }

    @Test func theSpanIsTheOneAskedFor() throws {
        let start = try #require(Instant(rfc3339: "2021-12-31T23:30:00Z"))
        let records = try GeneratedCapture(Self.bank, count: 500) { ($0.start, $0.duration) = (start, 3600) }.records()
        expect(records.first?.time.hasPrefix("2021-12-31T23:3"), equals: true)
        expect(records.last?.time.hasPrefix("2022-01-01T00:2"), equals: true)
    }
}

/// A capture that was generated from a scenario written as text.
struct GeneratedCapture {
    let scenario: Scenario
    let bytes: [UInt8]

    /// Generates a capture.
    ///
    /// - Parameters:
    ///   - text: The scenario; it has no mistakes, and need not expect anything.
    ///   - count: How many attestations.
    ///   - edit: Changes what is asked for.
    init(_ text: String, count: Int, _ edit: (inout GenerationRequest) -> Void = { _ in }) throws {
        var diagnostics = Diagnostics()
        let document = YAMLParser.parse(SourceFile(path: "file.yaml", text: text))
        let loaded = ScenarioLoader.load(document, isChecked: false, diagnostics: &diagnostics)
        try #require(diagnostics.isEmpty, "\(MarkedText.found(diagnostics))")
        scenario = try #require(loaded)
        let folder = try TemporaryFolder()
        var request = GenerationRequest(count: count)
        request.path = folder.path("capture")
        edit(&request)
        try request.generate(from: scenario)
        bytes = try #require(folder.bytes(of: "capture"))
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Replays it through the account of the scenario.
    func replay() throws -> Replayed {
        try ReplayBench.replay([bytes], account: try #require(scenario.onlyAccount))
    }

    /// The records, with those attributes.
    func records(_ keys: String...) throws -> [ReadRecord] {
        try ReadRecord.read(bytes, keys: Set(keys.map { Array($0.utf8) }))
    }
}
