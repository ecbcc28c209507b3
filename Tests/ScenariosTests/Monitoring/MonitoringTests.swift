import Documents
import Testing

@testable import PolicyEngine
@testable import Scenarios
@testable import TestSupport

/// Notifications about API domains whose chains no longer have a pin (manual, API Monitoring).
@Suite struct DomainMonitorTests {
    private static let start = Instant(secondsSinceEpoch: 1_577_836_800)

    /// Looks at the first quarters of an hour, of which some find another chain.
    private static func looks(_ text: String, rotatedFrom: Int, upTo last: Int, resumedBefore: Int? = nil) throws
        -> [Int]
    {
        let account = try AccountText.account(text)
        var (monitor, backends, told) = (DomainMonitor(), Backends(), [Int]())
        backends.apply(Backends.Change(domain: "a.com", chain: ["OLD"]))
        for number in 0...last {
            if number == rotatedFrom { backends.apply(Backends.Change(domain: "a.com", chain: ["NEW", "CA"])) }
            if number == resumedBefore { monitor.resume() }
            if monitor.check(account, backends, at: start + number * DomainMonitor.interval) != nil {
                told.append(number)
            }
        }
        #expect(monitor.notifications == told.count)
        return told
    }

    private static let pinned = "apis: [{domain: A.com, pins: ['key:OLD'], monitor-port: 443}]\n"
    private static let told = "monitoring: {emails: [ops@a.com]}\n"

    // 96 quarters of an hour are a day.
    @Test("R25.2 a mismatch is reported once a day") func onceADay() throws {
        #expect(try Self.looks(Self.pinned + Self.told, rotatedFrom: 5, upTo: 200) == [5, 101, 197])
        #expect(try Self.looks(Self.pinned + Self.told, rotatedFrom: 5, upTo: 100) == [5])
        #expect(try Self.looks(Self.pinned + Self.told, rotatedFrom: 0, upTo: 0) == [0])
    }

    @Test("R25.2 and again once it is resumed") func resumed() throws {
        #expect(try Self.looks(Self.pinned + Self.told, rotatedFrom: 5, upTo: 110, resumedBefore: 10) == [5, 10, 106])
        #expect(try Self.looks(Self.pinned + Self.told, rotatedFrom: 12, upTo: 20, resumedBefore: 10) == [12])
    }

    struct Quiet: LabelledRow {
        let name, account: String
    }

    static let quiet = [
        Quiet(name: "there is no recipient", account: pinned),
        Quiet(name: "the domain is not watched", account: told + "apis: [{domain: a.com, pins: ['key:OLD']}]"),
        Quiet(name: "the domain has no pins", account: told + "apis: [{domain: a.com, monitor-port: 443}]"),
        Quiet(
            name: "another certificate of the chain has one",
            account: told + "apis: [{domain: a.com, pins: ['key:OLD', 'key:CA'], monitor-port: 443}]"),
        Quiet(
            name: "the managed trust roots apply, and have one",
            account: told + "apis: [{domain: a.com, monitor-port: 443}, {domain: '*', pins: ['key:CA', 'key:OLD']}]"),
    ]

    @Test("R25.2 nothing is reported", arguments: quiet) func nothing(row: Quiet) throws {
        #expect(try Self.looks(row.account, rotatedFrom: 1, upTo: 4) == [])
    }

    @Test("R25.2 the managed trust roots apply where a domain has no pins") func managedRoots() throws {
        let text = Self.told + "apis: [{domain: a.com, monitor-port: 443}, {domain: '*', pins: ['key:OLD']}]"
        #expect(try Self.looks(text, rotatedFrom: 2, upTo: 4) == [2])
    }

    @Test(
        "R25.2 looks are at whole quarters of an hour",
        arguments: [
            (0, 0), (1, 900), (899, 900), (900, 900), (-1, 0), (-900, -900),
        ]) func quarters(row: (Int, Int))
    {
        #expect(
            DomainMonitor.firstCheck(from: Instant(secondsSinceEpoch: row.0)) == Instant(secondsSinceEpoch: row.1))
    }

    @Test("R25.2 the mail names the domains, and what they present") func mail() throws {
        let account = try AccountText.account("account: shop\n" + Self.pinned + Self.told)
        var (monitor, backends) = (DomainMonitor(), Backends())
        backends.apply(Backends.Change(domain: "a.com", chain: ["NEW-LEAF", "CA"]))
        let found = monitor.check(account, backends, at: Self.start)
        let mail = try #require(found)
        #expect(mail.recipients == ["ops@a.com"] && mail.subject == "API monitoring of account shop")
        // printf NEW-LEAF | openssl dgst -sha256 -binary | base64
        #expect(
            mail.text.hasPrefix(
                "The certificates of these API domains match no pin of account shop:\n\n"
                    + "https://A.com:443: no pin matches; presented are\n  0Ctki7GURr9gdozKu4toxrjtMMipmHw+nRsaUKBVxuY=\n"
            ))
    }

    private static func scenario(_ expected: String, steps: String = "") -> String {
        """
        scenario: s
        start: 2020-07-01T00:00:00Z
        account:
          apis: [{domain: api.example.com, pins: ["key:OLD"], monitor-port: 443}]
          monitoring: {emails: [ops@example.com]}
        backends: {api.example.com: {chain: [OLD]}}
        devices: {d: {os: android}}
        steps:
          - {at: 0s, fetch: d}
        \(steps)
          - {at: 1d4h, fetch: d}
        expect: {notifications: \(expected)}
        """
    }

    private static func run(_ text: String) throws -> ScenarioResult {
        var diagnostics = Diagnostics()
        let results = ScenarioRunner().run([try ScenarioText.load(text)], diagnostics: &diagnostics)
        try #require(diagnostics.isEmpty, "\(MarkedText.found(diagnostics))")
        return try #require(results.first)
    }

    private static let rotation = "  - {at: 1h1m, serve: {api.example.com: [NEW]}}"

    // 01:15, 04:00 after the resumption, and a day after that; the look at the end is the last.
    @Test("R25.2 a scenario expects the number of notifications") func expectation() throws {
        let resumed = Self.rotation + "\n  - {at: 4h, approov: monitoring -resumeAPINotifications}"
        for (text, passes) in [
            (Self.scenario("3", steps: resumed), true), (Self.scenario("2", steps: resumed), false),
            (Self.scenario("2", steps: Self.rotation), true), (Self.scenario("0"), true),
            (Self.scenario("{at-least: 1}", steps: Self.rotation), true),
            // In force 30 s after: the look at 01:15:00 still finds the old pins.
            (
                Self.scenario(
                    "1", steps: Self.rotation + "\n  - {at: 1h14m31s, approov: pin -api api.example.com -add key:NEW}"),
                true
            ),
            (
                Self.scenario(
                    "0", steps: Self.rotation + "\n  - {at: 1h14m30s, approov: pin -api api.example.com -add key:NEW}"),
                true
            ),
            (Self.scenario("0", steps: "  - {at: 1m, account: cancelled}\n" + Self.rotation), true),
            (
                Self.scenario(
                    "0", steps: Self.rotation + "\n  - {at: 1h14m, approov: monitoring -removeAPI api.example.com}"),
                true
            ),
        ] {
            #expect(try Self.run(text).passed == passes, "\(text)")
        }
    }

    @Test("R25.2 no notification means nothing where nothing was looked at") func vacuous() throws {
        let text = Self.scenario("0", steps: Self.rotation).replacing(", monitor-port: 443", with: "")
        let result = try Self.run(text)
        #expect(result.expectations.map(\.actual) == ["0 (vacuous: no chain was compared with pins)"])
        let unbounded = try Self.run(Self.scenario("{at-least: 0}", steps: Self.rotation))
        #expect(unbounded.expectations.map(\.actual) == ["2 (vacuous: any count would satisfy it)"])
    }
}

/// Steps in which a domain gets a chain that has none of its pins.
@Suite struct RotationTests {
    static let steps: [(step: String, domains: [String])] = [
        ("serve: {a.com: [NEW]}", ["a.com"]), ("serve: {a.com: [NEW, OLD]}", []), ("serve: {b.com: [NEW]}", []),
        // A change that says nothing of the chain leaves it as it is.
        ("serve: {a.com: {token: ignored}}", []),
        // R18.2a: the pin of an added domain is the one of its leaf then.
        ("serve: {c.com: [NEW]}", ["c.com"]), ("serve: {c.com: [NEW, LEAF]}", []), ("serve: {d.com: [NEW]}", ["d.com"]),
        ("serve: {d.com: [NEW, d.com]}", []),
    ]

    @Test(arguments: steps) func chainsWithoutAPinAreFound(row: (step: String, domains: [String])) throws {
        let scenario = try ScenarioText.load(
            """
            account: {apis: [{domain: a.com, pins: ['key:OLD']}, {domain: b.com}]}
            backends: {c.com: {chain: [OLDER]}}
            devices: {bob: {os: android}}
            steps:
              - {at: 0s, serve: {c.com: [LEAF, CA]}}
              - {at: 0s, approov: api -add c.com}
              - {at: 0s, approov: api -add d.com}
              - {at: 0s, \(row.step)}
              - {at: 1s, fetch: bob, expect: {verdict: pass}}
            """)
        #expect(scenario.rotationsWithoutPin.map(\.domain) == row.domains)
    }
}
