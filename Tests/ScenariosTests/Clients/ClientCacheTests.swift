import Testing

@testable import Scenarios
@testable import TestSupport

/// When a client returns its cached token (R14.1).
@Suite struct ClientCacheTests {
    private static let short = "policy: 'default,allow-raj-only-short-lifetime,default'"

    /// A device that fetches at the start, and attests anew at the last of some steps.
    private static func fetchesAgain(
        _ name: String, _ steps: String..., device: String = "", account: String = ""
    ) -> ClientRow {
        ClientRow(name: name, device: device, account: account, steps: ["at: 0s, fetch: bob"] + steps, outcomes: again)
    }

    /// A device that fetches at the start, and still has its token at the last of some steps.
    private static func keeps(
        _ name: String, _ steps: String..., device: String = "", account: String = ""
    ) -> ClientRow {
        ClientRow(name: name, device: device, account: account, steps: ["at: 0s, fetch: bob"] + steps, outcomes: kept)
    }

    private static let again = ["attested", "attested"]
    private static let kept = ["attested", "cached"]

    static let lifetimes = [
        keeps("299 s", "at: 299s, fetch: bob"),
        fetchesAgain("300 s", "at: 300s, fetch: bob"),
        ClientRow(
            name: "300 s from the issue, not from the latest use",
            steps: ["at: 0s, fetch: bob, every: 100s, until: 300s"],
            outcomes: ["attested", "cached", "cached", "attested"]),
        keeps("119 s of a risky device", "at: 119s, fetch: bob", device: "flags: [root-risk]"),
        fetchesAgain("120 s of a risky device", "at: 120s, fetch: bob", device: "flags: [root-risk]"),
        keeps("119 s of a device that fails", "at: 119s, fetch: bob", device: "flags: [rooted]"),
        keeps("300 s of an app that fails without risk", "at: 299s, fetch: bob", device: "registered: false"),
        keeps("44 s", "at: 44s, fetch: bob", account: short),
        fetchesAgain("45 s", "at: 45s, fetch: bob", account: short),
        keeps("44 s of a risky device", "at: 44s, fetch: bob", device: "flags: [root-risk]", account: short),
        fetchesAgain("the grace does not count", "at: 300s, fetch: bob", account: "grace: 1h"),
        keeps("the same second", "at: 0s, fetch: bob"),
    ]

    static let events = [
        fetchesAgain("a launch", "at: 1s, launch: bob", "at: 2s, fetch: bob"),
        fetchesAgain("a reinstall", "at: 1s, reinstall: bob", "at: 2s, fetch: bob"),
        fetchesAgain(
            "a reinstall that keeps the ID", "at: 1s, reinstall: {group: bob, keep-id: true}", "at: 2s, fetch: bob",
            device: "os: ios"),
        fetchesAgain("a factory reset", "at: 1s, factory-reset: bob", "at: 2s, fetch: bob"),
        fetchesAgain("data where there was none", "at: 1s, bind: {group: bob, data: a}", "at: 2s, fetch: bob"),
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
        keeps("a command", "at: 1s, approov: policy -setARC off", "at: 60s, fetch: bob"),
        keeps("a clearing of device state", "at: 1s, approov: device -clearDeviceState", "at: 2s, fetch: bob"),
    ]

    static let flags = [
        fetchesAgain("a flag is added", "at: 1s, set: {group: bob, flags: [automated]}", "at: 2s, fetch: bob"),
        keeps(
            "a flag is removed", "at: 1s, set: {group: bob, flags: [debug]}", "at: 2s, fetch: bob",
            device: "flags: [automated, debug]"),
        fetchesAgain(
            "a flag takes the place of another", "at: 1s, set: {group: bob, flags: [debug]}", "at: 2s, fetch: bob",
            device: "flags: [automated]"),
        keeps(
            "the same flags", "at: 1s, set: {group: bob, flags: [automated]}", "at: 2s, fetch: bob",
            device: "flags: [automated]"),
        keeps(
            "R14.2c an observed risky-device is dropped", "at: 1s, set: {group: bob, flags: [risky-device]}",
            "at: 2s, fetch: bob"),
        ClientRow(
            name: "R14.2c the self-test finds again what it found",
            device: "flags: [pinning-tampered]",
            steps: [
                "at: 0s, fetch: bob", "at: 1s, set: {group: bob, flags: []}", "at: 2s, fetch: bob",
                "at: 3s, set: {group: bob, flags: [pinning-tampered]}", "at: 4s, fetch: bob",
            ], outcomes: ["attested", "cached", "cached"]),
        fetchesAgain(
            "R14.2c but what it finds for the first time is new",
            "at: 3s, set: {group: bob, flags: [pinning-tampered]}", "at: 4s, fetch: bob"),
        keeps("attributes only", "at: 1s, set: {group: bob, attributes: {ip: 1.2.3.4}}", "at: 2s, fetch: bob"),
        keeps(
            "flags that are set leave an unregistered app unregistered", "at: 1s, set: {group: bob, flags: []}",
            "at: 2s, fetch: bob", device: "registered: false"),
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
