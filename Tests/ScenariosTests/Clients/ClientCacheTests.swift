import Figures
import Testing

@testable import Scenarios
@testable import TestSupport

/// When a client returns its cached token (R14.1).
@Suite struct ClientCacheTests {
    private static let short = "policy: 'default,allow-raj-only-short-lifetime,default'"
    private static let again = ["attested", "attested"]
    private static let kept = ["attested", "cached"]

    static let lifetimes = [
        ClientRow(name: "299 s", steps: ["at: 0s, fetch: bob", "at: 299s, fetch: bob"], outcomes: kept),
        ClientRow(name: "300 s", steps: ["at: 0s, fetch: bob", "at: 300s, fetch: bob"], outcomes: again),
        ClientRow(
            name: "300 s from the issue, not from the latest use",
            steps: ["at: 0s, fetch: bob, every: 100s, until: 300s"],
            outcomes: ["attested", "cached", "cached", "attested"]),
        ClientRow(
            name: "119 s of a risky device", device: "flags: [root-risk]",
            steps: ["at: 0s, fetch: bob", "at: 119s, fetch: bob"], outcomes: kept),
        ClientRow(
            name: "120 s of a risky device", device: "flags: [root-risk]",
            steps: ["at: 0s, fetch: bob", "at: 120s, fetch: bob"], outcomes: again),
        ClientRow(
            name: "119 s of a device that fails", device: "flags: [rooted]",
            steps: ["at: 0s, fetch: bob", "at: 119s, fetch: bob"], outcomes: kept),
        ClientRow(
            name: "300 s of an app that fails without risk", device: "registered: false",
            steps: ["at: 0s, fetch: bob", "at: 299s, fetch: bob"], outcomes: kept),
        ClientRow(
            name: "44 s", account: short, steps: ["at: 0s, fetch: bob", "at: 44s, fetch: bob"], outcomes: kept),
        ClientRow(
            name: "45 s", account: short, steps: ["at: 0s, fetch: bob", "at: 45s, fetch: bob"], outcomes: again),
        ClientRow(
            name: "44 s of a risky device", device: "flags: [root-risk]", account: short,
            steps: ["at: 0s, fetch: bob", "at: 44s, fetch: bob"], outcomes: kept),
        ClientRow(
            name: "the grace does not count", account: "grace: 1h",
            steps: ["at: 0s, fetch: bob", "at: 300s, fetch: bob"], outcomes: again),
        ClientRow(name: "the same second", steps: ["at: 0s, fetch: bob", "at: 0s, fetch: bob"], outcomes: kept),
    ]

    static let events = [
        ClientRow(
            name: "a launch", steps: ["at: 0s, fetch: bob", "at: 1s, launch: bob", "at: 2s, fetch: bob"],
            outcomes: again),
        ClientRow(
            name: "a reinstall", steps: ["at: 0s, fetch: bob", "at: 1s, reinstall: bob", "at: 2s, fetch: bob"],
            outcomes: again),
        ClientRow(
            name: "a reinstall that keeps the ID", device: "os: ios",
            steps: ["at: 0s, fetch: bob", "at: 1s, reinstall: {group: bob, keep-id: true}", "at: 2s, fetch: bob"],
            outcomes: again),
        ClientRow(
            name: "a factory reset", steps: ["at: 0s, fetch: bob", "at: 1s, factory-reset: bob", "at: 2s, fetch: bob"],
            outcomes: again),
        ClientRow(
            name: "data where there was none",
            steps: ["at: 0s, fetch: bob", "at: 1s, bind: {group: bob, data: a}", "at: 2s, fetch: bob"], outcomes: again),
        ClientRow(
            name: "the same data",
            steps: [
                "at: 0s, bind: {group: bob, data: a}", "at: 0s, fetch: bob", "at: 1s, bind: {group: bob, data: a}",
                "at: 2s, fetch: bob",
            ], outcomes: kept),
        ClientRow(
            name: "other data",
            steps: [
                "at: 0s, bind: {group: bob, data: a}", "at: 0s, fetch: bob", "at: 1s, bind: {group: bob, data: b}",
                "at: 2s, fetch: bob", "at: 3s, fetch: bob",
            ], outcomes: ["attested", "attested", "cached"]),
        ClientRow(
            name: "other data and back",
            steps: [
                "at: 0s, bind: {group: bob, data: a}", "at: 0s, fetch: bob", "at: 1s, bind: {group: bob, data: b}",
                "at: 1s, bind: {group: bob, data: a}", "at: 2s, fetch: bob",
            ], outcomes: again),
        ClientRow(
            name: "another domain", account: "apis: [{domain: a.com}, {domain: b.com}]",
            steps: ["at: 0s, fetch: bob, domain: a.com", "at: 1s, fetch: bob, domain: b.com"], outcomes: kept),
        ClientRow(
            name: "a command",
            steps: ["at: 0s, fetch: bob", "at: 1s, approov: policy -setARC off", "at: 60s, fetch: bob"],
            outcomes: kept),
        ClientRow(
            name: "a clearing of device state",
            steps: ["at: 0s, fetch: bob", "at: 1s, approov: device -clearDeviceState", "at: 2s, fetch: bob"],
            outcomes: kept),
    ]

    static let flags = [
        ClientRow(
            name: "a flag is added",
            steps: ["at: 0s, fetch: bob", "at: 1s, set: {group: bob, flags: [automated]}", "at: 2s, fetch: bob"],
            outcomes: again),
        ClientRow(
            name: "a flag is removed", device: "flags: [automated, debug]",
            steps: ["at: 0s, fetch: bob", "at: 1s, set: {group: bob, flags: [debug]}", "at: 2s, fetch: bob"],
            outcomes: kept),
        ClientRow(
            name: "a flag takes the place of another", device: "flags: [automated]",
            steps: ["at: 0s, fetch: bob", "at: 1s, set: {group: bob, flags: [debug]}", "at: 2s, fetch: bob"],
            outcomes: again),
        ClientRow(
            name: "the same flags", device: "flags: [automated]",
            steps: ["at: 0s, fetch: bob", "at: 1s, set: {group: bob, flags: [automated]}", "at: 2s, fetch: bob"],
            outcomes: kept),
        ClientRow(
            name: "R14.2c an observed risky-device is dropped",
            steps: ["at: 0s, fetch: bob", "at: 1s, set: {group: bob, flags: [risky-device]}", "at: 2s, fetch: bob"],
            outcomes: kept),
        ClientRow(
            name: "R14.2c the self-test finds again what it found",
            device: "flags: [pinning-tampered]",
            steps: [
                "at: 0s, fetch: bob", "at: 1s, set: {group: bob, flags: []}", "at: 2s, fetch: bob",
                "at: 3s, set: {group: bob, flags: [pinning-tampered]}", "at: 4s, fetch: bob",
            ], outcomes: ["attested", "cached", "cached"]),
        ClientRow(
            name: "R14.2c but what it finds for the first time is new",
            steps: [
                "at: 0s, fetch: bob", "at: 3s, set: {group: bob, flags: [pinning-tampered]}", "at: 4s, fetch: bob",
            ], outcomes: again),
        ClientRow(
            name: "attributes only",
            steps: [
                "at: 0s, fetch: bob", "at: 1s, set: {group: bob, attributes: {ip: 1.2.3.4}}", "at: 2s, fetch: bob",
            ],
            outcomes: kept),
        ClientRow(
            name: "flags that are set leave an unregistered app unregistered", device: "registered: false",
            steps: ["at: 0s, fetch: bob", "at: 1s, set: {group: bob, flags: []}", "at: 2s, fetch: bob"], outcomes: kept),
    ]

    @Test(arguments: lifetimes + events + flags) func fetchesEnd(_ row: ClientRow) throws {
        #expect(try row.run() == row.outcomes)
    }

    @Test func everyDeviceHasACacheOfItsOwn() throws {
        let result = try ScenarioText.run(
            """
            devices: {stock: {count: 3}, risky: {count: 2, flags: [root-risk]}}
            steps:
              - {at: 0s, fetch: stock}
              - {at: 60s, fetch: all, expect: [{group: stock, cached: 3, attested: 0}, {group: risky, attested: 2}]}
              - {at: 180s, fetch: all, expect: [{group: stock, cached: 3}, {group: risky, attested: 2, cached: 0}]}
              - {at: 299s, fetch: all, expect: [{group: stock, cached: 3}, {group: risky, cached: 2}]}
              - {at: 300s, fetch: [risky, stock], expect: [{group: stock, attested: 3}, {attested: 5}]}
            """)
        #expect(result.expectations.filter { !$0.passed } == [])
        #expect(result.fetches == ScenarioResult.FetchCounts(attested: 12, cached: 11, failed: 0))
    }
}

/// The steps of the single device `bob`, and the outcomes of its fetches.
struct ClientRow: LabelledRow {
    let name: String
    /// The fields of the group.
    var device = ""
    /// The fields of the account.
    var account = ""
    let steps: [String]
    /// For each fetch: `attested`, `cached` or `none`, where there is no token.
    let outcomes: [String]

    /// Runs it and says how its fetches ended.
    func run() throws -> [String] {
        let text = """
            scenario: s
            account: {\(account)}
            devices: {bob: {id: h4gubfCFzJu81j/U2BJsdg==, \(device)}}
            steps:
            \(steps.map { "  - {\($0)}" }.joined(separator: "\n"))
            expect: {metrics: {pass: {at-least: 0}}, vacuous: allowed}

            """
        let log = try ScenarioText.run(text).log.filter { $0.contains("  fetch ") }
        return log.map { line in
            if line.hasSuffix("1 attested, 0 cached, 0 without a token") { return "attested" }
            if line.hasSuffix("0 attested, 1 cached, 0 without a token") { return "cached" }
            return line.hasSuffix("0 attested, 0 cached, 1 without a token") ? "none" : line
        }
    }
}
