import PolicyEngine
import Testing

@testable import Documents
@testable import Figures
@testable import Scenarios
@testable import TestSupport

/// The bill of simulated accounts: the highest number of devices that passed in a billing month (R13.2).
@Suite struct BillingTests {
    struct Row: LabelledRow {
        let name: String
        let start: String
        var billingDay = 1
        /// Groups by name, with the fields of each.
        var groups: [String: String] = ["a": "count: 3", "b": "count: 2", "c": "count: 4"]
        let steps: [String]
        /// Beside the metrics.
        var allowance = ""
        /// The bill, and the passes of the last billing month.
        let billing, latest: Int

        var text: String {
            let groups = groups.sorted { $0.key < $1.key }.map { "\($0.key): {\($0.value)}" }
            return """
                start: \(start)
                account: {billing-day: \(billingDay)}
                devices: {\(groups.joined(separator: ", "))}
                steps:
                \(steps.map { "  - {\($0)}" }.joined(separator: "\n"))
                expect: {metrics: {billing: \(billing), monthly-pass: \(latest)}\(allowance)}
                """
        }
    }

    // From the start: the 14th, its last second, and the 15th.
    private static let aroundTheFifteenth = ["at: 0s, fetch: a", "at: 23h59m59s, fetch: b", "at: 1d, fetch: c"]

    static let days = [
        Row(
            name: "billing day 15 parts the 14th and the 15th", start: "2020-01-14T00:00:00Z", billingDay: 15,
            steps: aroundTheFifteenth, billing: 5, latest: 4),
        Row(
            name: "billing day 14 starts with the first second of the 14th", start: "2020-01-14T00:00:00Z",
            billingDay: 14, steps: aroundTheFifteenth, billing: 9, latest: 9),
        Row(
            name: "billing day 16 is still to come", start: "2020-01-14T00:00:00Z", billingDay: 16,
            steps: aroundTheFifteenth, billing: 9, latest: 9),
        Row(
            name: "billing day 1, within a month", start: "2020-01-14T00:00:00Z", steps: aroundTheFifteenth, billing: 9,
            latest: 9),
        Row(
            name: "billing day 1, over the end of a year", start: "2019-12-31T00:00:00Z", steps: aroundTheFifteenth,
            billing: 5, latest: 4),
        Row(
            name: "billing day 28, before a leap day", start: "2020-02-27T00:00:00Z", billingDay: 28,
            steps: aroundTheFifteenth + ["at: 2d, fetch: a"], billing: 7, latest: 7),
    ]

    static let months = [
        // January 3, February 4 + 2, March 3.
        Row(
            name: "the highest of several", start: "2020-01-10T00:00:00Z",
            steps: [
                "at: 0s, fetch: a", "at: 30d, fetch: c", "at: 31d, fetch: b", "at: 60d, fetch: a", "at: 61d, fetch: a",
            ], billing: 6, latest: 3),
        Row(
            name: "the last, which is not over", start: "2020-01-10T00:00:00Z",
            steps: ["at: 0s, fetch: a", "at: 30d, fetch: [a, b]"], billing: 5, latest: 5),
        Row(
            name: "a device counts once in a month", start: "2020-01-10T00:00:00Z",
            steps: ["at: 0s, fetch: a, every: 1h, until: 20d"], billing: 3, latest: 3),
        Row(
            name: "a device counts in every month", start: "2020-01-10T00:00:00Z",
            steps: ["at: 0s, fetch: all, every: 1d, until: 90d"], billing: 9, latest: 9),
        Row(
            name: "nothing in the last month", start: "2020-01-10T00:00:00Z",
            steps: ["at: 0s, fetch: a", "at: 60d, launch: a"], billing: 3, latest: 0),
        Row(
            name: "an iOS device that is installed anew is another one", start: "2020-01-10T00:00:00Z",
            groups: ["a": "count: 3, os: ios", "b": "count: 2, os: android"],
            steps: ["at: 0s, fetch: all", "at: 1m, reinstall: all", "at: 2m, fetch: all"], billing: 8, latest: 8),
    ]

    static let verdicts = [
        Row(
            name: "devices that fail cost nothing", start: "2020-01-10T00:00:00Z",
            groups: ["a": "count: 3", "b": "count: 2, flags: [rooted]"], steps: ["at: 0s, fetch: all"], billing: 3,
            latest: 3),
        Row(
            name: "a device that passed once costs", start: "2020-01-10T00:00:00Z",
            groups: ["a": "count: 3, flags: [rooted]"],
            steps: [
                "at: 0s, fetch: a", "at: 1h, set: {group: a, flags: []}", "at: 1h, fetch: a",
                "at: 2h, set: {group: a, flags: [frida]}", "at: 2h, fetch: a",
            ], billing: 3, latest: 3),
        Row(
            name: "no token, no bill", start: "2020-01-10T00:00:00Z",
            steps: ["at: 0s, network: {group: all, state: none}", "at: 1s, fetch: all"],
            allowance: ", vacuous: allowed", billing: 0, latest: 0),
        Row(
            name: "the failover bills nobody", start: "2020-01-10T00:00:00Z",
            steps: ["at: 0s, outage: primary, until: 1h", "at: 10m, fetch: all", "at: 1h, fetch: b"], billing: 2,
            latest: 2),
    ]

    @Test("R13.2 is billed", arguments: days + months + verdicts) func bills(_ row: Row) throws {
        let result = try ScenarioText.run(row.text)
        #expect(result.expectations.map(\.actual) == ["\(row.billing)", "\(row.latest)"])
        #expect(result.passed)
    }

    @Test("R13.2 each account has a bill of its own, by its own billing day") func accounts() throws {
        let result = try ScenarioText.run(
            """
            start: 2020-01-10T00:00:00Z
            accounts: {a: {billing-day: 11}, b: {}}
            devices: {one: {account: a, count: 3}, two: {account: a, count: 4}, three: {account: b, count: 2}}
            steps:
              - {at: 0s, fetch: [one, three]}
              - {at: 1d, fetch: [two, three]}
              - {at: 2d, fetch: three}
            expect:
              - {account: a, metrics: {billing: 4, monthly-pass: 4, hourly-pass: 0, daily-pass: 0}}
              - {account: b, metrics: {billing: 2, monthly-pass: 2, hourly-pass: 2, daily-pass: 2}}
            """)
        #expect(result.expectations.filter { !$0.passed } == [])
        // Both are paid.
        #expect(result.figures.billing == 6)
    }

    @Test("R6.5, R13.2 clearing device state changes neither the bill nor the counts of unique devices")
    func clearing() throws {
        try ScenarioText.expectToHold(
            """
            start: 2020-01-10T00:00:00Z
            devices: {good: {count: 3}, bad: {count: 2, flags: [rooted], attributes: {appid: x}}}
            steps:
              - {at: 0s, fetch: all, expect: {flags: {new-did: 5}}}
              - {at: 10m, approov: device -clearDeviceState}
              - {at: 20m, fetch: all, expect: {attested: 5, flags: {new-did: 5}}}
              - {at: 30m, approov: device -clearDeviceState}
              - {at: 40m, fetch: all, expect: {attested: 5, flags: {new-did: 5}}}
            expect:
              metrics:
                {billing: 3, hourly-pass: 3, daily-pass: 3, monthly-pass: 3, hourly-fail: 2, daily-fail: 2,
                 monthly-fail: 2, hourly-fail-app-unknown-x: 2, monthly-fail-flag-rooted: 2, pass: 9, fail: 6,
                 pass-flag-new-did: 9}
            """)
    }

    @Test("R6.5 clearing between two hours, days and months") func clearingBetweenWindows() throws {
        try ScenarioText.expectToHold(
            """
            start: 2020-01-31T23:00:00Z
            devices: {stock: {count: 3}, late: {}}
            steps:
              - {at: 0s, fetch: stock}
              - {at: 59m, approov: device -clearDeviceState}
              - {at: 1h, fetch: stock}
              - {at: 1h1m, approov: device -clearDeviceState}
              - {at: 1h10m, fetch: all}
            expect: {metrics: {billing: 4, hourly-pass: 4, daily-pass: 4, monthly-pass: 4}}
            """)
    }
}

/// Which names of clients' metrics, and of the bill, expectations may ask for (R13.2, R13.3).
@Suite struct ClientMetricNameTests {
    static let valid = [
        "sdk-calls-fetch-sync", "sdk-calls-set-data-hash", "sdk-result-success", "sdk-result-no-network",
        "sdk-result-poor-network", "sdk-result-mitm-detected", "sdk-id-4000", "sdk-version-2.4.0",
        "sdk-version-2.4.0-bitcode", "sdk-arch-ios-arm64", "sdk-arch-android-arm64-v8a", "sdk-arch-unknown-x",
        "billing",
    ]

    static let unknown = [
        "sdk", "sdk-", "sdk-id", "sdk-id-", "sdk-version-", "sdk-arch-", "sdk-arch-arm64", "sdk-arch-ios-",
        "sdk-arch-android", "sdk-arch-and-arm64", "sdk-arch-windows-x86", "sdk-calls", "sdk-calls-", "sdk-calls-fetch",
        "sdk-result-", "sdk-result-bad-url", "sdk-result-SUCCESS", "sdk-result-no-approov-service",
        "hourly-sdk-result-success", "daily-sdk-id-4000", "monthly-billing", "billing-1", "Billing",
        "pass-sdk-id-4000",
    ]

    private static func text(_ name: String) -> String {
        "scenario: s\ndevices: {bob: {}}\nexpect: {metrics: {①\"\(name)\": 0}, vacuous: allowed}\n"
    }

    @Test("R13.3 can be asked for", arguments: valid) func isKnown(name: String) throws {
        let result = try ScenarioText.run(MarkedText(Self.text(name)).text)
        #expect(result.passed)
        #expect(result.expectations.map(\.message) == ["metric \(name)"])
    }

    @Test("R13.3 an expectation of 0 of what cannot be counted would hold for ever", arguments: unknown)
    func isUnknown(name: String) {
        let marked = MarkedText(Self.text(name))
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.load(YAMLParser.parse(marked.source), diagnostics: &diagnostics)
        #expect(scenario == nil)
        #expect(diagnostics.all.map(\.message) == ["unknown metric `\(name)`"])
        #expect(diagnostics.all.map(\.position) == [marked.positions["①"]])
    }

    @Test func whatIsNearIsSuggested() {
        for (wrong, right) in [
            ("sdk-result-sucess", "sdk-result-success"), ("sdk-calls-fetch-sycn", "sdk-calls-fetch-sync"),
            ("biling", "billing"),
        ] {
            guard
                case .unknown(let hint) = Metric.check(
                    wrong, catalogue: FlagCatalogue(), filters: [], apps: AppNames())
            else {
                Issue.record("\(wrong) is taken")
                continue
            }
            #expect(hint == "did you mean `\(right)`?")
        }
    }

    @Test("R13.3 every name that is counted can be asked for") func countedNames() throws {
        let result = try ScenarioText.run(
            """
            devices:
              one: {os: android, attributes: {sdkid: "1", archid: a, sdk-version: "2"}}
              two: {os: ios, attributes: {archid: a}}
              three: {attributes: {archid: a}}
            steps:
              - {at: 0s, bind: {group: one, data: x}}
              - {at: 1s, network: {group: one, state: none}}
              - {at: 1s, network: {group: two, state: poor}}
              - {at: 1s, network: {group: three, state: mitm}}
              - {at: 2s, fetch: all}
              - {at: 3s, network: {group: all, state: ok}}
              - {at: 4s, fetch: all}
            """.replacing("\n\n", with: "\nexpect: {metrics: {pass: 3}}\n"))
        let names = result.figures.metrics.keys.map(\.name).filter { $0.hasPrefix("sdk-") }
        #expect(names.count == 12)
        for name in names {
            guard case .valid = Metric.check(name, catalogue: FlagCatalogue(), filters: [], apps: AppNames()) else {
                Issue.record("\(name) cannot be asked for")
                continue
            }
        }
    }
}
