import Testing

@testable import TestSupport

/// Configuration on the way to the app (R17).
@Suite struct ConfigurationTests {
    private static let amy = "DoYouReadThisText01234=="
    private static let bob = "h4gubfCFzJu81j/U2BJsdg=="

    // The backend presents a key that only a pin to come fits.
    private static func scenario(_ devices: String, _ steps: String) -> String {
        """
        account: {apis: [{domain: a.com, pins: [key:A]}]}
        backends: {a.com: {chain: [B, CA]}}
        devices: {\(devices)}
        steps:
        \(steps)
        """
    }

    private static func row(_ name: String, _ devices: String, _ steps: String) -> ScenarioRow {
        ScenarioRow(name, scenario(devices, steps))
    }

    private static func row(_ name: String, _ steps: String) -> ScenarioRow { row(name, "bob: {}", steps) }

    static let revisions = [
        row(
            "R17.1 a new pin is sent when it is in force",
            """
              - {at: 0s, approov: pin -api a.com -add key:B}
              - {at: 29s, request: bob, to: a.com, expect: {blocked: 1, config-changed: 0}}
              - {at: 29s, launch: bob}
              - {at: 30s, request: bob, to: a.com, expect: {accepted: 1, config-changed: 1}}
            """),
        row(
            "R17.1 a domain makes a revision, and a policy none",
            """
              - {at: 0s, approov: "policy -set default,strict,risk"}
              - {at: 30s, fetch: bob, expect: {attested: 1, config-changed: 0}}
              - {at: 31s, approov: api -add b.com}
              - {at: 61s, launch: bob}
              - {at: 61s, fetch: bob, expect: {attested: 1, config-changed: 1}}
            """),
        row(
            "R17.1 a pin mode makes one for its device", "bob: {id: \(bob)}, amy: {id: \(amy)}",
            """
              - {at: 0s, approov: device -add \(bob) -pinMode unpin}
              - at: 30s
                request: all
                to: a.com
                expect: [{group: bob, accepted: 1, config-changed: 1}, {group: amy, blocked: 1, config-changed: 0}]
            """),
    ]

    private static let launching = "read-pins: launch"

    static let builtIn = [
        row(
            "R17.2 what is built in is of the start, or of when the app was made",
            """
            old: {client: {\(launching)}}, before: {client: {\(launching), built-in: 29s}},
              new: {client: {\(launching), built-in: 30s}},
              dated: {client: {\(launching), built-in: 2020-01-01T00:00:30Z}}
            """,
            """
              - {at: 0s, approov: pin -api a.com -add key:B}
              - at: 1m
                request: all
                to: a.com
                expect:
                  - {group: old, blocked: 1}
                  - {group: before, blocked: 1}
                  - {group: new, accepted: 1, config-changed: 1}
                  - {group: dated, accepted: 1}
            """)
    ]

    static let deliveries = [
        row(
            "R17.3 an attestation that fails delivers, too", "bob: {flags: [jailbroken]}",
            """
              - {at: 0s, approov: pin -api a.com -add key:B}
              - {at: 30s, request: bob, to: a.com, expect: {verdict: fail, refused: 1}}
            """),
        row(
            "R17.3 a cached fetch delivers nothing",
            """
              - {at: 0s, request: bob, to: a.com, expect: {attested: 1, blocked: 1}}
              - {at: 0s, approov: pin -api a.com -add key:B}
              - {at: 299s, request: bob, to: a.com, expect: {cached: 1, blocked: 1}}
              - {at: 300s, request: bob, to: a.com, expect: {attested: 1, accepted: 1}}
            """),
        row(
            "R17.3 the failover delivers nothing",
            """
              - {at: 0s, approov: pin -api a.com -add key:B}
              - {at: 31s, outage: primary, until: 2m}
              - {at: 1m, request: bob, to: a.com, expect: {attested: 1, blocked: 1}}
              - {at: 119s, launch: bob}
              - {at: 119s, request: bob, to: a.com, expect: {attested: 1, blocked: 1}}
              - {at: 2m, launch: bob}
              - {at: 2m, request: bob, to: a.com, expect: {attested: 1, accepted: 1}}
            """),
        row(
            "R17.3 the very first initialisation fetches the newest, where the SDK does that and has a network",
            "auto: {client: {\(launching)}}, app: {client: {\(launching), config: app}}, off: {client: {\(launching)}}",
            """
              - {at: 0s, approov: pin -api a.com -add key:B}
              - {at: 0s, network: {group: off, state: none}}
              - {at: 1m, reinstall: all}
              - {at: 1m, network: {group: off, state: ok}}
              - at: 2m
                request: all
                to: a.com
                expect: [{group: auto, accepted: 1}, {group: app, blocked: 1}, {group: off, blocked: 1}]
            """),
        row(
            "R17.3 nor during an outage", "bob: {client: {\(launching)}}",
            """
              - {at: 0s, approov: pin -api a.com -add key:B}
              - {at: 40s, outage: primary, until: 2m}
              - {at: 1m, reinstall: bob}
              - {at: 2m, request: bob, to: a.com, expect: {blocked: 1}}
            """),
        row(
            "R17.3 a launch loads what was stored, by the SDK or by the app",
            "auto: {client: {\(launching)}}, app: {client: {\(launching), config: app}}",
            """
              - {at: 0s, approov: pin -api a.com -add key:B}
              - {at: 1m, launch: all}
              # It was in force, but nothing had been delivered.
              - {at: 1m, request: all, to: a.com, expect: {blocked: 2}}
              - {at: 2m, launch: all}
              - {at: 2m, request: all, to: a.com, expect: {accepted: 2}}
            """),
    ]

    static let notices = [
        row(
            "R17.4 a change is told until the app has fetched it",
            """
            never: {}, app: {client: {config: app}}, rebuilding: {client: {read-pins: config-change}}
            """,
            """
              - {at: 0s, approov: pin -api a.com -add key:B}
              - {at: 1m, request: all, to: a.com, expect: {accepted: 3, config-changed: 3}}
              - at: 2m
                request: all
                to: a.com
                expect: {cached: 3, accepted: 3, config-changed: 1}
              # A launch loads it, so that it is no change any more.
              - {at: 3m, launch: never}
              - {at: 3m, fetch: never, expect: {config-changed: 0}}
            """),
        row(
            "R17.4 forcing is told until the app reads newer pins",
            "launching: {client: {\(launching)}}, live: {}",
            """
              - {at: 0s, request: all, to: a.com, expect: {force-apply: 0}}
              - {at: 1m, approov: pin -api a.com -add key:B}
              - {at: 1m, approov: pin -forceApplyPins}
              - {at: 299s, request: all, to: a.com, expect: {cached: 2, force-apply: 0}}
              - at: 300s
                request: all
                to: a.com
                expect: [{group: launching, force-apply: 1, blocked: 1}, {group: live, force-apply: 1, accepted: 1}]
              - at: 301s
                request: all
                to: a.com
                expect: [{group: launching, force-apply: 1, cached: 1}, {group: live, force-apply: 0}]
              - {at: 302s, launch: launching}
              - {at: 302s, request: launching, to: a.com, expect: {force-apply: 0, accepted: 1}}
            """),
        row(
            "R17.4 who has read the forced pins is not told; forcing takes its time, too",
            "bob: {client: {\(launching)}}",
            """
              - {at: 0s, approov: pin -api a.com -add key:B}
              - {at: 30s, fetch: bob, expect: {force-apply: 0, config-changed: 1}}
              - {at: 31s, approov: pin -forceApplyPins}
              - {at: 32s, reinstall: bob}
              - {at: 61s, fetch: bob, expect: {attested: 1, force-apply: 0}}
            """),
    ]

    static let outdated = [
        row(
            "R17.5 an app whose configuration is not the newest is observed, and passes",
            "old: {}, new: {client: {built-in: 30s}}",
            """
              - {at: 0s, approov: pin -api a.com -add key:B}
              - {at: 29s, fetch: all, expect: {verdict: pass, flags: {init-config-outdated: 0}}}
              - {at: 30s, launch: all}
              - at: 30s
                fetch: all
                expect:
                  - {group: old, verdict: pass, flags: [init-config-outdated]}
                  - {group: new, verdict: pass, flags: []}
              # What is stored changes nothing about what is built in.
              - {at: 31s, reinstall: all}
              - {at: 31s, fetch: all, expect: {flags: {init-config-outdated: 1}}}
            """)
    ]

    @Test(
        "R17.1–R17.5 configuration on the way to the app",
        arguments: revisions + builtIn + deliveries + notices + outdated)
    func reachesTheApp(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }
}
