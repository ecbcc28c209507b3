import Testing

@testable import Scenarios
@testable import TestSupport

@Suite struct FinalExpectationTests {
    private static let bob = "h4gubfCFzJu81j/U2BJsdg=="

    /// `bob` attests at 0:00, 0:20 and 2:00, `stock` fails at 0:00, and a filter bans `carol` at 2:10; the end is 2:30.
    private static func scenario(_ expectation: String) -> String {
        """
        scenario: s
        start: 2020-07-23T22:00:00Z
        account: {filters: [{name: myip, key: ip, match: 1.2.3.4, ban: true}]}
        devices:
          bob: {id: \(bob), os: ios, attributes: {appid: com.example, app-version: 1.0}}
          stock: {count: 3, flags: [rooted]}
          carol: {id: ExampleApproovTokenDID==, attributes: {ip: 1.2.3.4}}
          dave: {}
        steps:
          - {at: 0s, fetch: [bob, stock]}
          - {at: 20m, fetch: bob}
          - {at: 2h, fetch: bob}
          - {at: 2h10m, fetch: carol}
          - {at: 2h30m, launch: bob}
        expect: {\(expectation)}

        """
    }

    private static func metric(_ name: String, _ count: Int) -> ExpectationRow {
        .holds("metrics: {\(name): \(count)}", "\(count)", "metric \(name)")
    }

    static let metrics: [ExpectationRow] = [
        metric("pass", 3), metric("fail", 4), metric("rejection-flag-rooted", 3), metric("rejection-flag-did-ban", 1),
        metric("fail-flag-risky-device", 3), metric("pass-flag-new-did", 1), metric("policy-default", 7),
        metric("filter-myip", 1), metric("rejection-filter-myip", 0), metric("fail-bad-request", 0),
        metric("pass-app-ios-com.example", 3), metric("pass-appver-ios-com.example-1.0", 3),
        metric("pass-app-and-com.example", 0),
        ExpectationRow(
            text: "metrics: {fail: {at-most: 6}}", passed: true, expected: "at most 6", actual: "4",
            message: "metric fail"),
        .fails("metrics: {pass: 4}", "4", "3", "metric pass"),
        .fails("metrics: {fail: {about: {value: 8, within: 3}}}", "5 to 11", "4", "metric fail"),
    ]

    // The last hour starts at 0:00 of the next day; the billing month with the first.
    static let windows: [ExpectationRow] = [
        metric("hourly-pass", 1), metric("hourly-fail", 1), metric("hourly-fail-flag-did-ban", 1),
        metric("hourly-fail-flag-rooted", 0), metric("hourly-pass-app-ios-com.example", 1), metric("daily-pass", 1),
        metric("daily-fail", 1), metric("daily-fail-flag-rooted", 0), metric("monthly-pass", 1),
        metric("monthly-fail", 4),
        metric("monthly-fail-flag-rooted", 3),
        .fails("metrics: {monthly-fail: 1}", "1", "4", "metric monthly-fail"),
    ]

    static let states: [ExpectationRow] = [
        .holds("device-state: {bob: []}", "[]", "device state of bob"),
        .holds("device-state: {stock: []}", "[]", "device state of stock"),
        .holds("device-state: {dave: none}", "none", "device state of dave"),
        .holds("device-state: {carol: [did-ban]}", "[did-ban]", "device state of carol"),
        .holds("device-state: {\(bob): []}", "[]", "device state of \(bob)"),
        .fails("device-state: {bob: none}", "none", "[] (device \(bob))", "device state of bob"),
        .fails(
            "device-state: {carol: []}", "[]", "[did-ban] (device ExampleApproovTokenDID==)", "device state of carol"),
        .fails(
            "device-state: {bob: [did-ban, did-unban]}", "[did-ban, did-unban]", "[] (device \(bob))",
            "device state of bob"),
    ]

    @Test(arguments: metrics + windows + states) func isCheckedAndReported(_ row: ExpectationRow) throws {
        let results = try ScenarioText.run(Self.scenario(row.text)).expectations
        #expect(results.map(\.passed) == [row.passed])
        #expect(results.map(\.message) == [row.message])
        #expect(results.map(\.expected) == [row.expected])
        #expect(results.map(\.actual) == [row.actual])
    }

    @Test func aWindowInWhichNothingHappenedIsEmpty() throws {
        let failures = try ScenarioText.failures(
            """
            scenario: s
            account: {billing-day: 2}
            devices: {bob: {}}
            steps: [{at: 23h, fetch: bob}, {at: 24h, launch: bob}]
            expect: {metrics: {pass: 1, hourly-pass: 0, daily-pass: 0, monthly-pass: 0}}

            """)
        #expect(failures == [])
    }

    @Test func theEndIsThatOfTheLongestRepetition() throws {
        let failures = try ScenarioText.failures(
            """
            scenario: s
            devices: {bob: {}}
            steps: [{at: 0s, fetch: bob}, {at: 0s, launch: bob, every: 40m, until: 1h}]
            expect: {metrics: {hourly-pass: 0, daily-pass: 1}}

            """)
        #expect(failures == [])
    }

    @Test func aDeviceThatDoesNotExistHasNoState() throws {
        let marked = MarkedText(Self.scenario("device-state: {①DoYouReadThisText01234==: none}"))
        let (_, diagnostics) = try ScenarioText.attempt(marked.text)
        #expect(
            diagnostics == marked.expected([Problem("①", "there is no device `DoYouReadThisText01234==`")]))
    }
}
