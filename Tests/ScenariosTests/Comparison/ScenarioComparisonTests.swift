import Testing

@testable import Accounts
@testable import Documents
@testable import Figures
@testable import Replay
@testable import Scenarios
@testable import TestSupport

/// Comparisons on a scenario: it is run twice, and fetch is compared with fetch.
@Suite struct ScenarioComparisonTests {
    /// The effect of a change on a scenario.
    struct Row: LabelledRow {
        let name: String
        var before = "account: a"
        let after: String
        let scenario: String
        /// Fetches, devices, devices locked out and let in.
        let all: [Int]
        /// Fetches and devices newly rejected.
        var rejected = [0, 0]
        /// Fetches and devices newly accepted.
        var accepted = [0, 0]
        /// The numbers of clients' attestations before and after.
        let attested: [Int]
    }

    private static let short = "policy: default,allow-raj-only-short-lifetime,default"
    private static let root = "policy: default,allow-root,default"
    private static let newOnly = "filters: [{name: new, key: device-id, regex: ., new-did-only: true, reject: true}]"
    private static let bob = "devices: {bob: {id: \(SampleDevice.bob), os: android}}\n"
    private static let rooted = "devices: {bob: {os: android, flags: [rooted]}}\n"
    private static let phone = "devices: {bob: {os: ios}}\n"

    private static func steps(_ steps: String...) -> String {
        "steps:\n" + steps.map { "  - {\($0)}\n" }.joined()
    }

    static let rows = [
        Row(
            // 41 fetches of each of 10 devices; new tokens at 0, 300 and 600 s, or at 0, 45, … 585 s.
            name: "tokens that live shorter", after: short,
            scenario: "devices: {stock: {count: 10, os: android}}\n"
                + steps("at: 0s, fetch: all, every: 15s, until: 10m"), all: [410, 10, 0, 0], attested: [30, 140]),
        Row(
            name: "a command of the scenario makes both sides alike", after: root,
            scenario: rooted
                + steps("at: 0s, fetch: bob", "at: 1m, approov: 'policy -set \(allowRoot)'", "at: 10m, fetch: bob"),
            all: [2, 1, 0, 0], accepted: [1, 1], attested: [2, 2]),
        Row(
            name: "a command of the scenario undoes the change", after: root,
            scenario: rooted
                + steps(
                    "at: 0s, fetch: bob", "at: 1m, approov: 'policy -set default,default,default'",
                    "at: 10m, fetch: bob"),
            all: [2, 1, 0, 1], accepted: [1, 1], attested: [2, 2]),
        Row(
            // At 1 min 20 s the token of 0 s still serves; both have attested anew by 10 min.
            name: "a command affects new tokens only", before: "propagation: 0s", after: "propagation: 1h",
            scenario: rooted
                + steps(
                    "at: 0s, fetch: bob", "at: 1m, approov: 'policy -set \(allowRoot)'", "at: 80s, fetch: bob",
                    "at: 10m, fetch: bob"), all: [3, 1, 1, 0], rejected: [1, 1], attested: [2, 2]),
        Row(
            name: "blockAll: no token at all", after: "devices: [{id: \(SampleDevice.bob), pin-mode: blockAll}]",
            scenario: bob + steps("at: 0s, fetch: bob", "at: 100s, fetch: bob"), all: [2, 1, 1, 0], rejected: [2, 1],
            attested: [1, 0]),
        Row(
            name: "blockAll no longer", before: "devices: [{id: \(SampleDevice.bob), pin-mode: blockAll}]",
            after: "account: a", scenario: bob + steps("at: 0s, fetch: bob"), all: [1, 1, 0, 1], accepted: [1, 1],
            attested: [0, 1]),
        Row(
            name: "a reinstall makes another device", after: newOnly,
            scenario: phone + steps("at: 0s, fetch: bob", "at: 1m, reinstall: bob", "at: 2m, fetch: bob"),
            all: [2, 2, 2, 0], rejected: [2, 2], attested: [2, 2]),
        Row(
            name: "a reinstall that keeps the ID", after: newOnly,
            scenario: phone
                + steps(
                    "at: 0s, fetch: bob", "at: 1m, reinstall: {group: bob, keep-id: true}", "at: 2m, fetch: bob"),
            all: [2, 1, 0, 0], rejected: [1, 1], attested: [2, 2]),
        Row(
            // The second fetch is answered from the cache, valid or not; the third is too late for that.
            name: "cached tokens", after: "policy: default,blacklist,default",
            scenario: bob + steps("at: 0s, fetch: bob", "at: 299s, fetch: bob", "at: 300s, fetch: bob"),
            all: [3, 1, 1, 0], rejected: [3, 1], attested: [2, 2]),
        Row(
            name: "no network on either side", after: root,
            scenario: rooted + steps("at: 0s, network: {group: bob, state: none}", "at: 1s, fetch: bob"),
            all: [1, 1, 0, 0], attested: [0, 0]),
        Row(
            // The third reinstall bans the phone where reinstalls are counted.
            name: "DeviceCheck counts reinstalls",
            after: "devicecheck: {team-id: TEAM000000, key-id: KEY0000000, bits: both}",
            scenario: "devices: {bob: {os: ios, devicecheck: available}}\n"
                + steps(
                    "at: 0s, fetch: bob", "at: 1m, reinstall: bob", "at: 2m, fetch: bob", "at: 3m, reinstall: bob",
                    "at: 4m, fetch: bob", "at: 5m, reinstall: bob", "at: 6m, fetch: bob"), all: [4, 4, 1, 0],
            rejected: [1, 1], attested: [4, 4]),
    ]

    private static let allowRoot = "default,allow-root,default"

    private static func compare(_ row: Row) throws -> Comparison {
        let scenario = try ScenarioText.load("scenario: s\n" + row.scenario)
        let outcome = ScenarioComparison(
            scenario, before: try AccountText.account(row.before), after: try AccountText.account(row.after)
        ).run().summary
        #expect(outcome.diagnostics.isEmpty)
        return try #require(outcome.comparison)
    }

    @Test(arguments: rows) func comparesFetchWithFetch(_ row: Row) throws {
        let changes = try Self.compare(row).changes
        #expect([changes.events, changes.devices, changes.lockedOut, changes.letIn] == row.all)
        #expect([changes.rejected.events, changes.rejected.devices] == row.rejected)
        #expect([changes.accepted.events, changes.accepted.devices] == row.accepted)
        let attested = try #require(changes.attested)
        #expect([attested.before, attested.after] == row.attested)
    }

    @Test(arguments: rows) func bothSidesAreTheRunsOfTheirAccounts(_ row: Row) throws {
        let comparison = try Self.compare(row)
        for (side, account) in [(comparison.before, row.before), (comparison.after, row.after)] {
            let run = try ScenarioText.run("scenario: s\naccount: {\(Self.inline(account))}\n" + row.scenario)
            #expect(side.figures.metrics["pass"] == run.figures.metrics["pass"])
            #expect(side.figures.metrics["fail"] == run.figures.metrics["fail"])
            #expect(side.figures.lifetimes == run.figures.lifetimes)
            #expect(side.figures.devices == run.figures.devices)
            #expect(side.figures.attestations == run.figures.attestations)
        }
    }

    // A policy on a line of its own may have commas, which mean something in braces.
    private static func inline(_ account: String) -> String {
        account.hasPrefix("policy: ") ? "policy: '\(account.dropFirst("policy: ".count))'" : account
    }

    @Test func theRatioOfTokensIsTheOneThatClientsHad() throws {
        // 140 tokens for 30: 4.6̅ times.
        #expect(try Self.compare(Self.rows[0]).changes.expectedFetchesPerMille == 4667)
    }

    @Test func tokensOfADay() throws {
        // In an hour 13 tokens (0, 300, … 3600 s) or 81 (0, 45, … 3600 s): 312 a day, and 81/13 times as many.
        let row = Row(
            name: "an hour", after: Self.short,
            scenario: Self.bob + Self.steps("at: 0s, fetch: bob, every: 15s, until: 1h"), all: [], attested: [])
        let comparison = try Self.compare(row)
        #expect(comparison.changes.attestationsPerDay == 312)
        #expect(comparison.changes.expectedFetchesPerMille == 6231)
    }

    @Test func whatGetsNoTokenIsRejectedByTheResult() throws {
        let row = try #require(Self.rows.first { $0.name == "blockAll: no token at all" })
        let changes = try Self.compare(row).changes
        let others = try #require(changes.rejected.splits.first { $0.kind == .other })
        #expect(others.parts.map { "\($0.name) \($0.events)" } == ["result:MITM_DETECTED 2"])
        let example = try #require(changes.rejected.examples.first)
        #expect(example.before.isValid)
        #expect(example.after.policy == "")
        #expect(example.after.reasons.map(\.name) == ["result:MITM_DETECTED"])
        #expect(changes.lifetimes.isEmpty)
    }

    @Test func oneSeedGivesTheSameDevicesOnBothSides() throws {
        let scenario = """
            devices: {stock: {count: 400, os: android, flag-rates: {rooted: 20%, automated: 10%}}}
            steps: [{at: 0s, fetch: all}]

            """
        let row = Row(name: "rates", after: Self.root, scenario: scenario, all: [], attested: [])
        let changes = try Self.compare(row).changes
        let rooted = try ScenarioText.run("scenario: s\n" + scenario).figures.metrics["fail-flag-rooted"]
        #expect(changes.accepted.attestations == rooted)
        #expect(changes.rejected.attestations == 0)
    }

    @Test func aCandidateMayDeclareMoreFlags() throws {
        let own = try AccountText.account("flags: [{name: one}]")
        var diagnostics = Diagnostics()
        let text = "flags: [{name: two}, {name: one, risk: true}]\nreject-flags: {add: [one, two]}\n"
        let document = YAMLParser.parse(SourceFile(path: "after.yaml", text: text))
        let after = try #require(AccountLoader.load(document, besides: own, diagnostics: &diagnostics))
        let scenario = try ScenarioText.load(
            """
            scenario: s
            account: {flags: [{name: one}]}
            devices: {bob: {flags: [one]}, amy: {}}
            steps: [{at: 0s, fetch: all}]
            """)
        let comparison = try #require(ScenarioComparison(scenario, before: own, after: after).run().summary.comparison)
        #expect(comparison.changes.rejected.attestations == 1)
        #expect(comparison.changes.rejected.splits.first?.parts.map(\.name) == ["one"])
        #expect(comparison.difference.flags.map(\.name) == ["one", "two"])
    }

    @Test func aScenarioLeavesNothingUnknown() throws {
        let scenario = try ScenarioText.load("scenario: s\ndevices: {bob: {}}\nsteps: [{at: 0s, fetch: bob}]\n")
        let comparison = ScenarioComparison(
            scenario, before: try AccountText.account("account: a"),
            after: try AccountText.account("safetynet: {api-key: X}")
        ).run().summary.comparison
        #expect(comparison?.unevaluated == [])
    }
}
