import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

@Suite struct ExpectationTests {
    private static let bob = "h4gubfCFzJu81j/U2BJsdg=="
    private static let threeDiffer = "(device ID, one of 3 that differ)"
    private static let allDiffer = "(device ID, one of 4 that differ)"

    /// `bob` passes and matches a filter, three others are rooted and fail.
    private static func scenario(_ expectation: String) -> String {
        """
        scenario: s
        account: {policy: "default,default,info", filters: [{name: myip, key: ip, match: 1.2.3.4}]}
        devices:
          bob: {id: \(bob), attributes: {ip: 1.2.3.4}}
          stock: {count: 3, flags: [rooted]}
        steps: [{at: 0s, fetch: all, expect: \(expectation)}]

        """
    }

    static let tokens: [ExpectationRow] = [
        .holds("{group: bob, verdict: pass}", "pass", "verdict of bob"),
        .holds("{group: stock, verdict: fail}", "fail", "verdict of stock"),
        .holds("{device: bob, verdict: pass}", "pass", "verdict of bob"),
        .holds("{device: \(bob), verdict: pass}", "pass", "verdict of device \(bob)"),
        .fails("{group: bob, verdict: fail}", "fail", "pass (device ID)", "verdict of bob"),
        .fails("{group: stock, verdict: pass}", "pass", "fail \(threeDiffer)", "verdict of stock"),
        .fails("{verdict: fail}", "fail", "pass (device ID)", "verdict of all"),
        .holds("{group: all, result: SUCCESS}", "SUCCESS", "result of all"),
        .fails("{result: MITM_DETECTED}", "MITM_DETECTED", "SUCCESS \(allDiffer)", "result of all"),
        .holds("{group: bob, lifetime: 5m}", "300s", "lifetime of bob"),
        .fails("{lifetime: 300s}", "300s", "120s \(threeDiffer)", "lifetime of all"),
        .holds("{policy: \"default,default,info\"}", "default,default,info", "policy of all"),
        .fails(
            "{policy: \"default,custom,info\"}", "default,custom,info", "default,default,info \(allDiffer)",
            "policy of all"),
    ]

    static let counts: [ExpectationRow] = [
        .holds("{pass: 1}", "1", "pass of all"), .holds("{group: stock, fail: 3}", "3", "fail of stock"),
        .holds("{attested: 4}", "4", "attested of all"), .holds("{cached: 0}", "0", "cached of all"),
        .holds("{fail: {at-least: 3}}", "at least 3", "fail of all", actual: "3"),
        .holds("{fail: {at-most: 3}}", "at most 3", "fail of all", actual: "3"),
        .holds("{fail: {at-least: 1, at-most: 3}}", "1 to 3", "fail of all", actual: "3"),
        .holds("{fail: {about: {value: 5, within: 2}}}", "3 to 7", "fail of all", actual: "3"),
        .fails("{fail: 2}", "2", "3", "fail of all"),
        .fails("{group: bob, pass: {at-least: 2}}", "at least 2", "1", "pass of bob"),
        .fails("{group: bob, fail: {at-least: 1}}", "at least 1", "0", "fail of bob"),
        .fails("{attested: {at-most: 3}}", "at most 3", "4", "attested of all"),
        .fails("{cached: {about: {value: 4, within: 2}}}", "2 to 6", "0", "cached of all"),
    ]

    static let lists: [ExpectationRow] = [
        .holds("{group: stock, rejections: [rooted]}", "[rooted]", "rejections of stock"),
        .holds("{group: bob, rejections: []}", "[]", "rejections of bob"),
        .fails("{rejections: []}", "[]", "[rooted] \(threeDiffer)", "rejections of all"),
        .holds(
            "{group: stock, flags: [risky-device, rooted, new-did]}", "[new-did, risky-device, rooted]",
            "flags of stock"),
        .fails("{group: bob, flags: []}", "[]", "[new-did] (device ID)", "flags of bob"),
        .fails(
            "{group: stock, flags: [rooted]}", "[rooted]", "[rooted, new-did, risky-device] \(threeDiffer)",
            "flags of stock"),
        .holds("{group: bob, annotations: []}", "[]", "annotations of bob"),
        .holds("{group: stock, annotations: [risky-device]}", "[risky-device]", "annotations of stock"),
        .fails("{group: bob, annotations: none}", "none", "[] (device ID)", "annotations of bob"),
        .fails("{annotations: []}", "[]", "[risky-device] \(threeDiffer)", "annotations of all"),
        .holds("{group: bob, filters: [myip]}", "[myip]", "filters of bob"),
        .fails("{group: bob, filters: []}", "[]", "[myip] (device ID)", "filters of bob"),
        .fails("{filters: [myip]}", "[myip]", "[] \(threeDiffer)", "filters of all"),
    ]

    @Test("R5.3 where nothing can be annotated, there is no list", arguments: ["[]", "[risky-device]", "none"])
    func noAnnotationIsNoList(wanted: String) throws {
        let scenario = Self.scenario("{group: bob, annotations: \(wanted)}")
            .replacing("default,info", with: "default,default")
        let failures = try ScenarioText.failures(scenario)
        let failure = "annotations of bob: expected \(wanted), actual none (device \(Self.bob))"
        #expect(failures == (wanted == "none" ? [] : [failure]))
    }

    static let maps: [ExpectationRow] = [
        .holds("{rejections: {rooted: 3}}", "rooted: 3", "rejections of all"),
        .holds("{group: bob, rejections: {rooted: 0}}", "rooted: 0", "rejections of bob"),
        .holds("{filters: {myip: {at-most: 1}}}", "myip: at most 1", "filters of all", actual: "myip: 1"),
        .holds("{annotations: {risky-device: 3, xposed: 0}}", "risky-device: 3, xposed: 0", "annotations of all"),
        .fails("{rejections: {rooted: 2}}", "rooted: 2", "rooted: 3", "rejections of all"),
        .fails(
            "{rejections: {policy:blacklist: 1}}", "policy:blacklist: 1", "policy:blacklist: 0", "rejections of all"),
        .fails("{rejections: {filter:myip: 1}}", "filter:myip: 1", "filter:myip: 0", "rejections of all"),
        .fails(
            "{flags: {rooted: 3, new-did: {at-least: 5}}}", "rooted: 3, new-did: at least 5", "rooted: 3, new-did: 4",
            "flags of all"),
    ]

    private static func withoutIDs(_ text: String) -> String {
        text.replacing(/device [A-Za-z0-9+\/]{22}==/, with: "device ID")
    }

    @Test(arguments: tokens + counts + lists + maps) func isCheckedAndReported(_ row: ExpectationRow) throws {
        let results = try ScenarioText.run(Self.scenario(row.text)).expectations
        #expect(results.count == 1)
        let result = try #require(results.first)
        #expect(result.passed == row.passed)
        #expect(result.expected == row.expected)
        #expect(Self.withoutIDs(result.actual) == row.actual)
        #expect(result.message == row.message)
        #expect(result.file == "file.yaml")
        #expect(result.position.line == 6)
    }

    @Test func everyKeyOfAnExpectationIsCheckedAtItsPlace() throws {
        let marked = MarkedText(
            Self.scenario("[{group: bob, ①verdict: fail, ②pass: 1}, {③fail: 2, ④rejections: {rooted: 3}}]"))
        let results = try ScenarioText.run(marked.text).expectations
        let markers: [Character] = ["①", "②", "③", "④"]
        #expect(results.map(\.position) == markers.compactMap { marked.positions[$0] })
        #expect(results.map(\.passed) == [false, true, false, true])
    }

    static let tokenless: [ExpectationRow] = [
        .holds("{result: MITM_DETECTED}", "MITM_DETECTED", "result of all"),
        .fails("{pass: 0}", "0", "0 (vacuous: no token came back)", "pass of all"),
        .fails("{flags: {new-did: 0}}", "new-did: 0", "new-did: 0 (vacuous: no token came back)", "flags of all"),
        .holds("{pass: 0, vacuous: allowed}", "0", "pass of all"),
        .holds("{fail: 0, vacuous: allowed}", "0", "fail of all"),
        .holds("{attested: 0, vacuous: allowed}", "0", "attested of all"),
        .holds("{cached: 0, vacuous: allowed}", "0", "cached of all"),
        .holds("{flags: {new-did: 0}, vacuous: allowed}", "new-did: 0", "flags of all"),
        .fails("{verdict: fail}", "fail", "no token, MITM_DETECTED (device ID)", "verdict of all"),
        .fails("{flags: []}", "[]", "no token, MITM_DETECTED (device ID)", "flags of all"),
        .fails("{annotations: none}", "none", "no token, MITM_DETECTED (device ID)", "annotations of all"),
        .fails("{lifetime: 300s}", "300s", "no token, MITM_DETECTED (device ID)", "lifetime of all"),
        .fails(
            "{policy: \"default,default,default\"}", "default,default,default", "no token, MITM_DETECTED (device ID)",
            "policy of all"),
    ]

    @Test(arguments: tokenless) func aFetchWithoutATokenHasNoAttestation(_ row: ExpectationRow) throws {
        let results = try ScenarioText.run(
            """
            account: {devices: [{id: \(Self.bob), pin-mode: blockAll}]}
            devices: {bob: {id: \(Self.bob)}}
            steps: [{at: 0s, fetch: bob, expect: \(row.text)}]
            """
        ).expectations
        #expect(results.map(\.passed) == [row.passed])
        #expect(results.map(\.expected) == [row.expected])
        #expect(results.map { Self.withoutIDs($0.actual) } == [row.actual])
    }

    @Test func aRepeatedStepCountsEveryRepetition() throws {
        try ScenarioText.expectToHold(
            """
            devices: {bob: {}, stock: {count: 2, flags: [rooted]}}
            steps:
              - at: 0s
                fetch: all
                every: 1m
                until: 10m
                expect:
                  - {group: bob, attested: 3, cached: 8, pass: 11, fail: 0, verdict: pass, flags: {new-did: 1}}
                  - {group: stock, attested: 12, cached: 10, fail: 22, rejections: {rooted: 2}}
              - {at: 90s, fetch: bob, expect: {cached: 1, pass: 1}}
            """)
    }

    // Flags and filters are looked up in the account of the devices, whichever comes first in the file.
    @Test func namesAreThoseOfTheGroupsAccount() throws {
        try ScenarioText.expectToHold(
            """
            accounts:
              a: {flags: [{name: first}], filters: [{name: one, key: ip, match: 1.1.1.1}]}
              b: {flags: [{name: second}, {name: third}], filters: [{name: two, key: ip, match: 2.2.2.2, reject: true}]}
            devices:
              x: {account: a, flags: [first], attributes: {ip: 1.1.1.1}}
              y: {account: b, count: 3, flags: [second], attributes: {ip: 2.2.2.2}}
            steps:
              - at: 0s
                fetch: all
                expect:
                  - {group: x, flags: [first, new-did], filters: [one]}
                  - {group: y, flags: [second, new-did], filters: [two], rejections: ["filter:two"]}
                  - {group: y, flags: {second: 3, third: 0}, filters: {two: 3}, rejections: {third: 0}}
                  - {flags: {first: 1, second: 3, third: 0}, filters: {one: 1, two: 3}}
            expect:
              - {account: b, metrics: {fail-flag-second: 3, filter-two: 3}}
            """)
    }

    // A name of another account would hold for ever.
    @Test func namesOfOtherAccountsAreErrors() {
        let row = LoaderRow.twoAccounts(
            "names of the other account",
            """
            devices: {x: {account: a}, y: {account: b}}
            steps: [{at: 0s, fetch: all, expect: {group: y, flags: {①first: 0}, filters: {②one: 0}}}]
            """, "① unknown flag `first`; hint: an account can declare it under `flags`",
            "② unknown filter `one`")
        let text = row.text.replacing(
            "accounts: {a: {}, b: {}}",
            with: "accounts: {a: {flags: [{name: first}], filters: [{name: one, key: ip, match: x}]}, b: {}}")
        let (found, expected, isLoaded) = LoaderRow(row.name, text, row.problems).outcome
        #expect(found == expected)
        #expect(!isLoaded)
    }

    static let unchecked: [Case<String, String>] = [
        Case(
            "an ID that nobody has", "  - {at: 0s, fetch: all, expect: ①{device: DoYouReadThisText01234==, pass: 0}}",
            gives: "device DoYouReadThisText01234=="),
        Case(
            "a device that does not fetch", "  - {at: 0s, fetch: stock, expect: ①{device: \(bob), pass: 0}}",
            gives: "device \(bob)"),
        Case(
            "an ID that a reinstall ended",
            "  - {at: 0s, reinstall: bob}\n  - {at: 0s, fetch: bob, expect: [①{device: \(bob), fail: 0}]}",
            gives: "device \(bob)"),
    ]

    @Test(arguments: unchecked)
    func anExpectationThatNeverCameToBeCheckedIsAnError(_ row: Case<String, String>) throws {
        let marked = MarkedText(
            "scenario: s\ndevices: {bob: {id: \(Self.bob), os: ios}, stock: {}}\nsteps:\n\(row.input)\n")
        let (_, diagnostics) = try ScenarioText.attempt(marked.text)
        #expect(diagnostics == marked.expected(["① no fetch of this step is by \(row.expected)"]))
    }
}

/// An expectation and what the report says of it.
struct ExpectationRow: LabelledRow {
    /// As a scenario writes it.
    let text: String
    let passed: Bool
    /// The expected and the actual value, and the message; drawn device IDs are written `ID`.
    let expected, actual, message: String

    static func holds(
        _ text: String, _ expected: String, _ message: String, actual: String? = nil
    ) -> ExpectationRow {
        ExpectationRow(text: text, passed: true, expected: expected, actual: actual ?? expected, message: message)
    }

    static func fails(_ text: String, _ expected: String, _ actual: String, _ message: String) -> ExpectationRow {
        ExpectationRow(text: text, passed: false, expected: expected, actual: actual, message: message)
    }
}

@Suite struct CountRangeTests {
    struct Row: LabelledRow {
        let range: CountRange
        let text: String
        let inside, outside: [Int]
    }

    static let rows = [
        Row(range: CountRange(18), text: "18", inside: [18], outside: [17, 19]),
        Row(range: CountRange(0), text: "0", inside: [0], outside: [1]),
        Row(range: CountRange(atLeast: 10, atMost: 30), text: "10 to 30", inside: [10, 30], outside: [9, 31]),
        Row(range: CountRange(atLeast: 10, atMost: .max), text: "at least 10", inside: [10, .max], outside: [9]),
        Row(range: CountRange(atLeast: 0, atMost: 30), text: "at most 30", inside: [0, 30], outside: [31]),
        Row(range: CountRange(atLeast: 5, atMost: 5), text: "5", inside: [5], outside: [4, 6]),
    ]

    @Test(arguments: rows) func holdsAndSaysItsBounds(_ row: Row) {
        #expect(row.range.description == row.text)
        #expect(row.inside.allSatisfy(row.range.contains))
        #expect(!row.outside.contains(where: row.range.contains))
    }

    static let written = [
        ("12", "12"), ("{at-least: 10}", "at least 10"), ("{at-most: 30}", "at most 30"),
        ("{at-least: 10, at-most: 30}", "10 to 30"), ("{about: {value: 50, within: 5}}", "45 to 55"),
        ("{about: {value: 3, within: 5}}", "at most 8"), ("{about: {value: 3, within: 0}}", "3"),
        ("{at-least: 0}", "at least 0"),
    ]

    @Test(arguments: written) func isReadAsItIsWritten(text: String, description: String) throws {
        let scenario = try ScenarioText.load("scenario: s\nexpect: {metrics: {pass: \(text)}}\n")
        let check = scenario.finalExpectations.first?.checks.first as? MetricCheck
        #expect(check?.count.description == description)
    }
}
