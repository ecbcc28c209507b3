import Testing

@testable import Documents
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
        try ScenarioText.expectToHold(
            """
            account: {billing-day: 2}
            devices: {bob: {}}
            steps: [{at: 23h, fetch: bob}, {at: 24h, launch: bob}]
            expect: {metrics: {pass: 1, hourly-pass: 0, daily-pass: 0, monthly-pass: 0}}
            """)
    }

    @Test func theEndIsThatOfTheLongestRepetition() throws {
        try ScenarioText.expectToHold(
            """
            devices: {bob: {}}
            steps: [{at: 0s, fetch: bob}, {at: 0s, launch: bob, every: 40m, until: 1h}]
            expect: {metrics: {hourly-pass: 0, daily-pass: 1}}
            """)
    }

    @Test func aDeviceThatDoesNotExistHasNoState() throws {
        let marked = MarkedText(Self.scenario("device-state: {①DoYouReadThisText01234==: none}"))
        let (_, diagnostics) = try ScenarioText.attempt(marked.text)
        #expect(
            diagnostics == marked.expected(["① there is no device `DoYouReadThisText01234==`"]))
    }
}

/// An expectation that holds because nothing happened fails, unless it says that it may.
@Suite struct VacuousTests {
    // Bob gets a token, Eve is without a network, and Zoe never fetches.
    private static let text = """
        scenario: s
        accounts:
          full: {account: full, propagation: 0s, filters: [{name: lab, key: ip, match: 1.2.3.4, reject: true}]}
          idle: {account: idle, filters: [{name: idle, key: ip, match: 1.2.3.4}]}
        devices:
          bob: {account: full, flags: [rooted], attributes: {sdkid: "4000"}}
          eve: {account: full}
          zoe: {account: idle}
        steps:
          - {at: 0s, network: {group: eve, state: none}}
          - {at: 0s, fetch: [bob, eve], expect: STEP}
          - {at: 1s, fetch: bob, expect: CACHED}

        """

    struct Row: LabelledRow {
        let name: String
        /// Of the fetch of Bob and Eve, of Bob's second one, and at the end.
        var step = "{group: bob, attested: 1}"
        var cached = "{cached: 1}"
        var end: String?
        /// Why each check is vacuous; `nil` for one that holds, in the order of their positions.
        let found: [String?]
    }

    private static let noToken = "no token came back"
    private static let anyCount = "any count would satisfy it"
    private static let nothingEvaluated = "nothing was evaluated"

    static let rows = [
        Row(name: "no failure without a network", step: "{group: eve, fail: 0}", found: [noToken, nil]),
        Row(name: "no pass without a network", step: "{group: eve, pass: {at-most: 3}}", found: [noToken, nil]),
        Row(name: "not attested without a network", step: "{group: eve, attested: 0}", found: [noToken, nil]),
        Row(
            name: "no rejection without an attestation", step: "{group: eve, rejections: {rooted: 0}}",
            found: [noToken, nil]),
        Row(name: "no flag without an attestation", step: "{group: eve, flags: {frida: 0}}", found: [noToken, nil]),
        Row(
            name: "beside what does say something", step: "{group: eve, result: NO_NETWORK, fail: 0}",
            found: [nil, noToken, nil]),
        Row(name: "no pass among tokens", step: "{group: bob, pass: 0, fail: 1}", found: [nil, nil, nil]),
        Row(name: "of all, one of whom has a token", step: "{pass: 0}", found: [nil, nil]),
        Row(name: "nobody rejected for what nobody has", step: "{rejections: {frida: 0}}", found: [nil, nil]),
        Row(name: "cached tokens show their attestation", cached: "{attested: 0, pass: 0}", found: [nil, nil, nil]),
        Row(name: "at least none", step: "{pass: {at-least: 0}}", found: [anyCount, nil]),
        Row(name: "at least none of a flag", step: "{flags: {rooted: {at-least: 0}}}", found: [anyCount, nil]),
        Row(name: "a range that says something", step: "{fail: {at-least: 0, at-most: 1}}", found: [nil, nil]),
        Row(
            name: "a filter that never matched", step: "{filters: {lab: {at-most: 1}}}",
            found: ["filter `lab` never matched", nil]),
        Row(name: "the absence of a filter's match", step: "{filters: {lab: 0}}", found: [nil, nil]),
        Row(
            name: "metrics of an account that attested nobody", end: "{account: idle, metrics: {fail: 0}}",
            found: [nil, nil, nothingEvaluated]),
        Row(
            name: "other metrics of it",
            end: "{account: idle, metrics: {rejection-flag-rooted: 0, daily-pass: {at-most: 3}, billing: 0}}",
            found: [nil, nil, nothingEvaluated, nothingEvaluated, nothingEvaluated]),
        Row(
            name: "metrics of one that did", end: "{account: full, metrics: {pass: 0, rejection-flag-frida: 0}}",
            found: [nil, nil, nil, nil]),
        Row(
            name: "a metric that may be anything", end: "{account: full, metrics: {fail: {at-least: 0}}}",
            found: [nil, nil, anyCount]),
        Row(
            name: "what clients report of an account whose devices never fetch",
            end: "{account: idle, metrics: {sdk-result-no-network: 0}}", found: [nil, nil, "nobody fetched"]),
        Row(
            name: "what clients report of one whose devices do",
            end: "{account: full, metrics: {sdk-result-poor-network: 0}}", found: [nil, nil, nil]),
        Row(
            name: "no state where nobody attested", end: "{account: idle, device-state: {zoe: none}}",
            found: [nil, nil, nothingEvaluated]),
        Row(
            name: "no state where somebody else did", end: "{account: full, device-state: {eve: none}}",
            found: [nil, nil, nil]),
    ]

    private static func run(_ row: Row, allowing: Bool = false) throws -> ScenarioResult {
        func written(_ text: String) -> String { allowing ? text.dropLast() + ", vacuous: allowed}" : text }
        let steps = text.replacing("STEP", with: written(row.step)).replacing("CACHED", with: row.cached)
        return try ScenarioText.run(steps + (row.end.map { "expect: \(written($0))\n" } ?? ""))
    }

    @Test(arguments: rows) func failsWhatHoldsWithoutAnythingHappening(_ row: Row) throws {
        let result = try Self.run(row)
        #expect(result.expectations.map(\.passed) == row.found.map { $0 == nil })
        for (expectation, reason) in zip(result.expectations, row.found) {
            #expect(expectation.actual.contains("vacuous") == (reason != nil))
            if let reason { #expect(expectation.actual.hasSuffix(" (vacuous: \(reason))")) }
        }
    }

    @Test(arguments: rows) func letsThroughWhatIsMeant(_ row: Row) throws {
        let result = try Self.run(row, allowing: true)
        #expect(result.passed)
        #expect(result.expectations.count == row.found.count)
    }

    // A filter is looked for in the account of the group, and not in the first one.
    @Test func looksForAFilterInTheAccountOfTheGroup() throws {
        let text = """
            accounts:
              first: {account: first}
              second: {account: second, filters: [{name: lab, key: ip, match: 1.2.3.4}]}
            devices:
              bob: {account: first}
              eve: {account: second, attributes: {ip: 1.2.3.4}}
            steps:
              - at: 0s
                fetch: all
                expect: [{filters: {lab: {at-most: 5}}}, {group: eve, filters: {lab: {at-most: 5}}}]
            """
        #expect(try ScenarioText.failures(text) == [])
    }

    static let empty: [Case<String, String>] = [
        Case("expect: {metrics: ①{}, device-state: {bob: none}}", gives: "`metrics` has nothing to check"),
        Case("expect: {metrics: {pass: 1}, device-state: ①{}}", gives: "`device-state` has nothing to check"),
        Case("expect: [{metrics: {pass: 1}}, ①{}]", gives: "`expect` has nothing to check"),
        Case("expect: ①{vacuous: allowed}", gives: "`expect` has nothing to check"),
        Case("steps: [{at: 0s, fetch: bob, expect: [{pass: 1}, ①{}]}]", gives: "the expectation has nothing to check"),
        Case(
            "steps: [{at: 0s, fetch: bob, expect: ①{group: bob, vacuous: allowed}}]",
            gives: "the expectation has nothing to check"),
        Case("steps: [{at: 0s, fetch: bob, expect: {pass: 1, vacuous: ①yes}}]", gives: "`vacuous` must be `allowed`"),
    ]

    @Test(arguments: empty) func refusesWhatSaysNothing(_ row: Case<String, String>) throws {
        let marked = MarkedText("scenario: s\ndevices: {bob: {}}\n\(row.input)\n")
        var diagnostics = Diagnostics()
        _ = ScenarioLoader.load(YAMLParser.parse(marked.source), diagnostics: &diagnostics)
        let found = MarkedText.found(diagnostics).filter { !$0.contains("cannot fail") }
        let position = try #require(marked.positions["①"])
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("\(position): \(row.expected)") == true, "\(found)")
    }
}
