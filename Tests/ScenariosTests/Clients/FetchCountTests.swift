import Testing

@testable import TestSupport

/// The number of attestations of clients that keep asking, worked out by hand (R11.1, R14.1; manual, Token Lifespan).
@Suite struct FetchCountTests {
    struct Row: LabelledRow {
        let name: String
        var account = "", device = ""
        /// Further steps, each behind the fetch of its second.
        var commands: [(at: Int, line: String)] = []
        /// Seconds between fetches, and the last second at which there may be one.
        let every, until: Int
        /// Of one device.
        let attested, cached: Int

        var text: String {
            let lines = commands.map { "  - {at: \($0.at)s, approov: \"\($0.line)\"}\n" }.joined()
            return """
                account: {\(account)}
                devices: {stock: {count: 3, \(device)}}
                steps:
                  - at: 0s
                    fetch: stock
                    every: \(every)s
                    until: \(until)s
                    expect: {attested: \(3 * attested), cached: \(3 * cached), result: SUCCESS}
                \(lines)
                """
        }
    }

    private static let short = "policy: 'default,allow-raj-only-short-lifetime,default'"
    private static let setShort = "policy -set default,allow-raj-only-short-lifetime,default"
    private static let setDefault = "policy -set default,default,default"

    static let lifetimes = [
        // 0, 300, 600.
        Row(name: "300 s, every 10 s", every: 10, until: 600, attested: 3, cached: 58),
        // 0, 50, … 600: the token of 0 s serves at 40 s, and no more at 50 s.
        Row(name: "45 s, every 10 s", account: short, every: 10, until: 600, attested: 13, cached: 48),
        // 0, 45, … 585.
        Row(name: "45 s, every 15 s", account: short, every: 15, until: 600, attested: 14, cached: 27),
        // 0, 49, … 294.
        Row(name: "45 s, every 7 s", account: short, every: 7, until: 300, attested: 7, cached: 36),
        // 0, 120, … 600.
        Row(
            name: "120 s of risky devices, every 10 s", device: "flags: [root-risk]", every: 10, until: 600,
            attested: 6, cached: 55),
        // Risk does not shorten the short lifetime.
        Row(
            name: "45 s of risky devices", account: short, device: "flags: [rooted]", every: 10, until: 600,
            attested: 13, cached: 48),
        // Failing tokens have the same lifetimes.
        Row(
            name: "120 s of devices that fail", device: "flags: [frida]", every: 10, until: 600, attested: 6, cached: 55
        ),
        Row(
            name: "300 s of apps that are not registered", device: "registered: false", every: 10, until: 600,
            attested: 3, cached: 58),
        Row(name: "every 300 s", every: 300, until: 1500, attested: 6, cached: 0),
        Row(name: "every 299 s", every: 299, until: 1495, attested: 3, cached: 3),
        Row(name: "every second of the short lifetime", account: short, every: 1, until: 90, attested: 3, cached: 88),
        Row(name: "grace does not count", account: "grace: 1h", every: 100, until: 900, attested: 4, cached: 6),
    ]

    static let changes = [
        // In force at 130 s, but the token of 0 s serves until 300 s: 0, 300, 350, … 600.
        Row(name: "shorter from 100 s on", commands: [(100, setShort)], every: 10, until: 600, attested: 8, cached: 53),
        // 0, 50, 100, 150 (by the new policy), 450.
        Row(
            name: "longer from 100 s on", account: short, commands: [(100, setDefault)], every: 10, until: 600,
            attested: 5, cached: 56),
        // 0, 50, 100 (a second before it is in force), 150, 450.
        Row(
            name: "longer from 71 s on", account: short, commands: [(71, setDefault)], every: 10, until: 600,
            attested: 5, cached: 56),
        // 0, 50, 100 (in force to the second), 400.
        Row(
            name: "longer from 70 s on", account: short, commands: [(70, setDefault)], every: 10, until: 600,
            attested: 4, cached: 57),
        // In force at once, but behind the fetch of 100 s: 0, 50, 100, 150 (by the new policy), 450.
        Row(
            name: "longer at once", account: short + ", propagation: 0s", commands: [(100, setDefault)], every: 10,
            until: 600, attested: 5, cached: 56),
        // Short from 130 s to 430 s: 0, 300, 350, 400, 450 (by the old policy again).
        Row(
            name: "shorter for a while", commands: [(100, setShort), (400, setDefault)], every: 10, until: 600,
            attested: 5, cached: 56),
        // A filter that makes risky, in force at 130 s: 0, 300, 420, 540.
        Row(
            name: "risky by a filter from 100 s on", device: "attributes: {ip: x}",
            commands: [(100, "filter -add f -key ip -matchValue x -risky")], every: 10, until: 600, attested: 4,
            cached: 57),
    ]

    @Test("R11.1, R14.1 attested and cached fetches", arguments: lifetimes + changes)
    func counts(_ row: Row) throws {
        let fetches = row.until / row.every + 1
        #expect(row.attested + row.cached == fetches)
        #expect(try ScenarioText.failures(row.text) == [])
    }

    @Test("R14.1 a launch starts the lifetime anew") func launch() throws {
        // 0, 300; launched at 450 s: 450, 750; what would have been 600 and 900 is cached.
        try ScenarioText.expectToHold(
            """
            devices: {stock: {count: 2}}
            steps:
              - {at: 0s, fetch: stock, every: 150s, until: 900s, expect: {attested: 8, cached: 6}}
              - {at: 449s, launch: stock}
            expect: {metrics: {pass: 8, sdk-calls-fetch-sync: 14}}
            """)
    }
}

/// When changes of an account are in force (R1.5).
@Suite struct PropagationTests {
    static let changes = ScenarioRow.table(
        """
        devices: {bob: {flags: [rooted]}}
        == a change is in force thirty seconds later
        - {at: 100s, approov: "policy -set default,allow-root,default"}
        - {at: 129s, launch: bob}
        - {at: 129s, fetch: bob, expect: {verdict: fail, policy: "default,default,default"}}
        - {at: 130s, launch: bob}
        - {at: 130s, fetch: bob, expect: {verdict: pass, policy: "default,allow-root,default"}}
        == a cached token lives on until it expires
        - {at: 0s, fetch: bob, expect: {verdict: fail, lifetime: 120s}}
        - {at: 0s, approov: "policy -set default,allow-root,risk"}
        - at: 119s
          fetch: bob
          expect: {cached: 1, fail: 1, verdict: fail, policy: "default,default,default", annotations: none}
        - at: 120s
          fetch: bob
          expect: {attested: 1, verdict: pass, policy: "default,allow-root,risk", annotations: [risky-device]}
        == an account says how long it takes
        account: {propagation: 0s}
        - {at: 0s, fetch: bob, expect: {verdict: fail}}
        - {at: 0s, launch: bob}
        - {at: 0s, approov: "policy -set default,allow-root,default"}
        - {at: 0s, fetch: bob, expect: {verdict: pass}}
        == changes come into force one after another
        devices: {bob: {flags: [rooted, debug]}}
        - {at: 0s, approov: policy -removeRejectFlag rooted}
        - {at: 10s, approov: policy -removeRejectFlag debug}
        - {at: 29s, fetch: bob, expect: {rejections: [rooted, debug]}}
        - {at: 30s, launch: bob}
        - {at: 30s, fetch: bob, expect: {rejections: [debug]}}
        - {at: 39s, launch: bob}
        - {at: 39s, fetch: bob, expect: {rejections: [debug]}}
        - {at: 40s, launch: bob}
        - {at: 40s, fetch: bob, expect: {verdict: pass, policy: "default,custom,default"}}
        == clearing of state is in force at once
        account:
          devices: [{id: h4gubfCFzJu81j/U2BJsdg==, ban-mode: ban}]
        devices: {bob: {id: h4gubfCFzJu81j/U2BJsdg==}}
        - {at: 0s, fetch: bob, expect: {rejections: [did-ban]}}
        - {at: 1s, approov: device -remove h4gubfCFzJu81j/U2BJsdg==}
        - {at: 300s, fetch: bob, expect: {rejections: [did-ban], flags: [did-ban]}}
        - {at: 600s, approov: device -clearDeviceState}
        - {at: 600s, fetch: bob, expect: {verdict: pass, flags: [new-did]}}
        expect: {device-state: {bob: []}}
        == accounts change apart
        accounts: {a: {propagation: 0s}, b: {propagation: 0s}}
        devices: {one: {account: a, flags: [rooted]}, two: {account: b, flags: [rooted]}}
        - {at: 0s, approov: "policy -set default,allow-root,default", account: b}
        - {at: 0s, fetch: all, expect: [{group: one, verdict: fail}, {group: two, verdict: pass}]}
        expect: [{account: a, metrics: {pass: 0, fail: 1}}, {account: b, metrics: {pass: 1, fail: 0}}]
        """)

    @Test(arguments: changes) func areInForce(_ row: ScenarioRow) throws { #expect(try row.failures() == []) }
}
