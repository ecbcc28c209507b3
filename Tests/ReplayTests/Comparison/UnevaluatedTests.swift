import PolicyEngine
import Testing

@testable import Accounts
@testable import Figures
@testable import Replay
@testable import TestSupport

/// Effects of a change that a capture does not show are reported as unknown, not guessed.
@Suite struct UnevaluatedTests {
    struct Row: LabelledRow {
        let name, before, after: String
        let sentences: [String]
    }

    // Three records: one has `ip`, `user-property` and `caf\u{E9}`, two have `appid`, all have `device`.
    private static let capture = """
        {"time":"2020-07-23T10:00:00Z","device-id":"\(SampleDevice.bob)","flags":"","ip":"1.2.3.4","appid":"a",\
        "app-sig":"\(signature)","device":"iOS","user-property":"","caf\u{E9}":"x"}
        {"time":"2020-07-23T10:00:01Z","device-id":"\(SampleDevice.bob)","flags":"","appid":"a",\
        "app-sig":"\(signature)","device":"iOS"}
        {"time":"2020-07-23T10:00:02Z","device-id":"\(SampleDevice.bob)","flags":"","device":"iOS"}

        """

    private static let deviceCheck = "DeviceCheck changes, and a capture shows only what the old settings found"
    private static let safetyNet = "SafetyNet changes, and a capture shows only what the old settings found"
    private static let added =
        "registrations are added, and captured apps keep `app-not-registered` as it was observed"
    private static let lacking =
        "the account after lists no registrations at all, so captured apps keep what was observed"
    private static let domains = "API domains change, and a capture does not say for which one an app asks"

    private static let signature = "DRJNqt37tsdHwb9FKFT80dPqXlOHqZnZy68zAiVSsvM="

    private static func app(_ id: String) -> String { "{app-sig: \(signature), appid: \(id)}" }

    private static func filter(_ rest: String) -> String { "filters: [{name: f, \(rest)}]" }

    static let rows = [
        Row(name: "a policy", before: "account: a", after: "policy: default,strict,risk", sentences: []),
        Row(
            name: "DeviceCheck", before: "account: a", after: "devicecheck: {team-id: TEAM000000, key-id: KEY0000000}",
            sentences: [deviceCheck]),
        Row(
            name: "the bits of DeviceCheck", before: "devicecheck: {team-id: TEAM000000, key-id: K, bits: bit0}",
            after: "devicecheck: {team-id: TEAM000000, key-id: K, bits: both}", sentences: [deviceCheck]),
        Row(name: "SafetyNet", before: "safetynet: {api-key: X}", after: "account: a", sentences: [safetyNet]),
        Row(
            name: "certificates", before: "account: a", after: #"app-signing-certs: ["C0:F3:15:9B:A5:6C:A8:E1"]"#,
            sentences: [safetyNet]),
        Row(
            name: "an API domain", before: "apis: [{domain: a.com}]", after: "apis: [{domain: a.com}, {domain: b.com}]",
            sentences: [domains]),
        Row(
            name: "a registration", before: "registrations: [\(app("a"))]",
            after: "registrations: [\(app("a")), \(app("b"))]", sentences: [added]),
        Row(
            name: "a registration that the candidate lacks", before: "registrations: [\(app("a")), \(app("b"))]",
            after: "registrations: [\(app("a"))]", sentences: []),
        Row(
            name: "a candidate without a list of registrations", before: "registrations: [\(app("a"))]",
            after: "account: a", sentences: [lacking]),
        Row(
            name: "one registration for another", before: "registrations: [\(app("a"))]",
            after: "registrations: [\(app("b"))]", sentences: [added]),
        Row(
            name: "everything at once", before: "account: a",
            after: "safetynet: {api-key: X}\ndevicecheck: {team-id: TEAM000000, key-id: K}\napis: [{domain: a.com}]",
            sentences: [deviceCheck, safetyNet, domains]),
        Row(
            name: "a filter on an attribute that all have", before: "account: a",
            after: filter("key: device, regex: iOS"), sentences: []),
        Row(
            name: "a filter on an attribute that none has", before: "account: a", after: filter("key: sdkid, match: x"),
            sentences: ["filter `f` looks at `sdkid`, which no record has"]),
        Row(
            name: "a filter on an attribute that one of three has, though empty", before: "account: a",
            after: filter("key: user-property, match: x"),
            sentences: ["filter `f` looks at `user-property`, which only 33.3 % of the records have"]),
        Row(
            name: "a filter on an attribute that two of three have", before: "account: a",
            after: filter("key: appid, match: a"),
            sentences: ["filter `f` looks at `appid`, which only 66.7 % of the records have"]),
        Row(
            name: "a filter that was there before", before: filter("key: sdkid, match: x"),
            after: filter("key: sdkid, match: x"), sentences: []),
        Row(
            name: "a filter that goes", before: filter("key: sdkid, match: x"), after: "account: account",
            sentences: []),
        Row(
            name: "a filter that is changed", before: filter("key: sdkid, match: x"),
            after: filter("key: sdkid, match: x, reject: true"),
            sentences: ["filter `f` looks at `sdkid`, which no record has"]),
        Row(
            name: "filters on attributes that look alike and differ in their bytes", before: "account: a",
            after: #"filters: [{name: f, key: "caf\xE9", match: x}, {name: g, key: "cafe\u0301", match: x}]"#,
            sentences: [
                "filter `f` looks at `caf\u{E9}`, which only 33.3 % of the records have",
                "filter `g` looks at `cafe\u{301}`, which no record has",
            ]),
        Row(
            name: "filters on what every record has", before: "account: a",
            after: "filters: [{name: f, key: flags-all, match: x}, {name: g, key: public-flags, match: x}, "
                + "{name: h, key: device-id, match: x}]", sentences: []),
    ]

    @Test(arguments: rows) func says(_ row: Row) throws {
        let outcome = try ComparisonBench.compare(Self.capture, before: row.before, after: row.after)
        let comparison = try #require(outcome.comparison)
        #expect(comparison.unevaluated == row.sentences)
    }

    @Test func aRegistrationThatACommandRemovesIsEvaluated() throws {
        let before = try AccountText.account("registrations: [\(Self.app("a")), \(Self.app("b"))]")
        var after = before
        let registration = try #require(before.registrations?.first?.overallSignature)
        let command = try ManagementCommand("registration -remove \(registration)")
        _ = try command.apply(to: &after, in: CommandContext())
        let outcome = try ComparisonBench.compare(Self.capture, accounts: (before, after))
        #expect(try #require(outcome.comparison).unevaluated == [])
        #expect(outcome.comparison?.changes.rejected.attestations == 2)
    }

    /// The effect of a candidate's registrations on the two records of the app `a`.
    struct Candidate: LabelledRow {
        let name, after: String
        let rejected: Int
    }

    static let candidates = [
        Candidate(name: "lacks the app", after: "registrations: [\(app("b"))]", rejected: 2),
        Candidate(name: "registers none", after: "registrations: []", rejected: 2),
        Candidate(name: "has it still", after: "registrations: [\(app("a"))]", rejected: 0),
        Candidate(
            name: "has it for any package", after: "registrations: [{app-sig: \(signature)}]", rejected: 0),
        Candidate(
            name: "has it for a version alone",
            after: "registrations: [{app-sig: \(signature), appid: a, app-version: '1'}]", rejected: 2),
        Candidate(
            name: "lets it end before the second record",
            after: "registrations: [{app-sig: \(signature), appid: a, expiry: '2020-07-23T10:00:01Z'}]", rejected: 1),
        Candidate(name: "lists none, which is not known to be fewer", after: "account: a", rejected: 0),
    ]

    @Test("R15.2 what a candidate lacks counts as removed", arguments: candidates)
    func countsWhatACandidateLacks(_ row: Candidate) throws {
        let before = "registrations: [\(Self.app("a")), \(Self.app("b"))]"
        let comparison = try #require(
            try ComparisonBench.compare(Self.capture, before: before, after: row.after).comparison)
        #expect(comparison.changes.rejected.attestations == row.rejected)
        let flags = comparison.changes.rejected.splits.first { $0.kind == .flag }?.parts.map(\.name)
        #expect(flags == (row.rejected == 0 ? nil : ["app-not-registered"]))
    }
}
