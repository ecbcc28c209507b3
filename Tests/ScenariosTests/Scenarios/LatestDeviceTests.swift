import Testing

@testable import TestSupport

/// The device that `latest` stands for (R6.2).
@Suite struct LatestDeviceTests {
    struct Row: LabelledRow {
        let name: String
        let steps: [String]
        /// The problem of the command, at the step marked ①; `nil` when it is carried out.
        let problem: String?
    }

    private static let command = "approov: 'device -add latest -policy default,whitelist,all'"
    private static let none = "no device attested in the last two minutes, so there is no `latest`"

    static let rows = [
        Row(name: "119 s", steps: ["at: 0s, fetch: bob", "at: 119s, \(command)"], problem: nil),
        Row(name: "121 s", steps: ["at: 0s, fetch: bob", "at: 121s, \(command)"], problem: none),
        Row(name: "nobody", steps: ["at: 0s, \(command)"], problem: none),
        Row(
            name: "a cached token is no attestation",
            steps: ["at: 0s, fetch: bob", "at: 200s, fetch: bob", "at: 201s, \(command)"], problem: none),
        Row(
            name: "four", steps: ["at: 0s, fetch: all", "at: 60s, \(command)"],
            problem: "4 devices attested in the last two minutes, so `latest` is not one"),
        Row(
            name: "the others attested before",
            steps: ["at: 0s, fetch: stock", "at: 121s, fetch: bob", "at: 122s, \(command)"], problem: nil),
        Row(
            name: "one device twice",
            steps: ["at: 0s, fetch: bob", "at: 1s, launch: bob", "at: 2s, fetch: bob", "at: 3s, \(command)"],
            problem: nil),
        Row(
            name: "before and after a reinstall that brought another ID",
            steps: ["at: 0s, fetch: bob", "at: 1s, reinstall: bob", "at: 2s, fetch: bob", "at: 3s, \(command)"],
            problem: "2 devices attested in the last two minutes, so `latest` is not one"),
    ]

    private static func scenario(_ steps: [String]) -> String {
        """
        scenario: s
        account: {propagation: 0s}
        devices: {bob: {id: h4gubfCFzJu81j/U2BJsdg==, os: ios}, stock: {count: 3}}
        steps:
        \(steps.map { "  - {\($0)}" }.joined(separator: "\n"))
        expect: {metrics: {fail: 0}}

        """
    }

    @Test(arguments: rows) func isTheOneDeviceThatAttested(_ row: Row) throws {
        let (_, diagnostics) = try ScenarioText.attempt(Self.scenario(row.steps))
        let line = 4 + row.steps.count
        #expect(diagnostics == (row.problem.map { ["\(line):5: \($0)"] } ?? []))
    }

    @Test func theDeviceGetsTheEntry() throws {
        let steps = [
            "at: 0s, fetch: bob", "at: 1s, \(Self.command)",
            "at: 300s, fetch: bob, expect: {policy: 'default,whitelist,all'}",
            "at: 300s, fetch: stock, expect: {policy: 'default,default,default'}",
        ]
        #expect(try ScenarioText.failures(Self.scenario(steps)) == [])
    }

    @Test func aNewIDThatDidNotAttestGetsNoEntry() throws {
        let steps = [
            "at: 0s, fetch: bob", "at: 1s, reinstall: bob", "at: 2s, \(Self.command)",
            "at: 3s, fetch: bob, expect: {policy: 'default,default,default'}",
        ]
        #expect(try ScenarioText.failures(Self.scenario(steps)) == [])
    }

    @Test func anEntryOfTheLatestDeviceCanBeRemoved() throws {
        let steps = [
            "at: 0s, fetch: bob", "at: 1s, \(Self.command)", "at: 2s, approov: device -remove h4gubfCFzJu81j/U2BJsdg==",
            "at: 300s, fetch: bob, expect: {policy: 'default,default,default'}",
        ]
        #expect(try ScenarioText.failures(Self.scenario(steps)) == [])
    }
}
