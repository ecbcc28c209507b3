import Testing

/// Configuration on the way to the app (R17).
@Suite struct ConfigurationTests {
    private static let amy = "DoYouReadThisText01234=="
    private static let bob = "h4gubfCFzJu81j/U2BJsdg=="

    private static let usual = """
        account: {apis: [{domain: a.com, pins: [key:A]}]}
        backends: {a.com: {chain: [B, CA]}}
        """

    static let revisions = ScenarioRow.table(
        """
        \(usual)
        devices: {bob: {}}
        == R17.1 a new pin is sent when it is in force
        - {at: 0s, approov: pin -api a.com -add key:B}
        - {at: 29s, request: bob, to: a.com, expect: {blocked: 1, config-changed: 0}}
        - {at: 29s, launch: bob}
        - {at: 30s, request: bob, to: a.com, expect: {accepted: 1, config-changed: 1}}
        == R17.1 a domain makes a revision, and a policy none
        - {at: 0s, approov: "policy -set default,strict,risk"}
        - {at: 30s, fetch: bob, expect: {attested: 1, config-changed: 0}}
        - {at: 31s, approov: api -add b.com}
        - {at: 61s, launch: bob}
        - {at: 61s, fetch: bob, expect: {attested: 1, config-changed: 1}}
        == R17.1 the port on which a domain is watched makes none
        - {at: 0s, approov: monitoring -addAPI a.com -port 8443}
        - {at: 30s, fetch: bob, expect: {attested: 1, config-changed: 0, flags: [new-did]}}
        == R17.1 a pin mode makes one for its device
        devices: {bob: {id: \(bob)}, amy: {id: \(amy)}}
        - {at: 0s, approov: device -add \(bob) -pinMode unpin}
        - at: 30s
          request: all
          to: a.com
          expect: [{group: bob, accepted: 1, config-changed: 1}, {group: amy, blocked: 1, config-changed: 0}]
        """)

    private static let launching = "read-pins: launch"

    static let builtIn = ScenarioRow.table(
        """
        \(usual)
        == R17.2 what is built in is of the start, or of when the app was made
        devices: {old: {client: {\(launching)}}, before: {client: {\(launching), built-in: 29s}},
          new: {client: {\(launching), built-in: 30s}},
          dated: {client: {\(launching), built-in: 2020-01-01T00:00:30Z}}}
        - {at: 0s, approov: pin -api a.com -add key:B}
        - at: 1m
          request: all
          to: a.com
          expect:
            - {group: old, blocked: 1}
            - {group: before, blocked: 1}
            # What is delivered is what it has.
            - {group: new, accepted: 1, config-changed: 0}
            - {group: dated, accepted: 1}
        """)

    static let deliveries = ScenarioRow.table(
        """
        \(usual)
        devices: {bob: {}}
        == R17.3 an attestation that fails delivers, too
        devices: {bob: {flags: [jailbroken]}}
        - {at: 0s, approov: pin -api a.com -add key:B}
        - {at: 30s, request: bob, to: a.com, expect: {verdict: fail, refused: 1}}
        == R17.3 a cached fetch delivers nothing
        - {at: 0s, request: bob, to: a.com, expect: {attested: 1, blocked: 1}}
        - {at: 0s, approov: pin -api a.com -add key:B}
        - {at: 299s, request: bob, to: a.com, expect: {cached: 1, blocked: 1}}
        - {at: 300s, request: bob, to: a.com, expect: {attested: 1, accepted: 1}}
        == R17.3 the failover delivers nothing
        - {at: 0s, approov: pin -api a.com -add key:B}
        - {at: 31s, outage: primary, until: 2m}
        - {at: 1m, request: bob, to: a.com, expect: {attested: 1, blocked: 1}}
        - {at: 119s, launch: bob}
        - {at: 119s, request: bob, to: a.com, expect: {attested: 1, blocked: 1}}
        - {at: 2m, launch: bob}
        - {at: 2m, request: bob, to: a.com, expect: {attested: 1, accepted: 1}}
        == R17.3 the very first start fetches the newest, by the SDK or by the app, where there is a network
        devices: {auto: {client: {\(launching)}}, app: {client: {\(launching), config: app}}, off: {client: {\(launching)}},
          never: {client: {\(launching), config: none}}}
        - {at: 0s, approov: pin -api a.com -add key:B}
        - {at: 0s, network: {group: off, state: none}}
        - {at: 1m, reinstall: all}
        - {at: 1m, network: {group: off, state: ok}}
        - at: 2m
          request: all
          to: a.com
          expect:
            - {group: auto, accepted: 1, config-changed: 0}
            - {group: app, accepted: 1, config-changed: 0}
            - {group: off, blocked: 1, config-changed: 1}
            - {group: never, blocked: 1, config-changed: 1}
        == R17.3 the fetch of a first start is a call, where there is a network
        devices: {auto: {}, app: {client: {config: app}}, never: {client: {config: none}}}
        - {at: 0s, fetch: all}
        # One more of `auto`, which has a network again when it reports.
        - {at: 10s, reinstall: auto}
        - {at: 10s, network: {group: app, state: none}}
        - {at: 10s, reinstall: [app, never]}
        - {at: 20s, network: {group: app, state: ok}}
        - {at: 20s, fetch: all}
        expect: {metrics: {sdk-calls-fetch-config: 3}}
        == R17.3 a first start on a poor network, or behind a proxy, is a call that delivers nothing
        devices: {poor: {client: {\(launching)}}, mitm: {client: {\(launching)}}}
        - {at: 0s, approov: pin -api a.com -add key:B}
        - {at: 0s, fetch: all}
        - {at: 1m, network: {group: poor, state: poor}}
        - {at: 1m, network: {group: mitm, state: mitm}}
        - {at: 1m, reinstall: all}
        - {at: 2m, network: {group: all, state: ok}}
        - {at: 2m, request: all, to: a.com, expect: {blocked: 2, config-changed: 2}}
        expect: {metrics: {sdk-calls-fetch-config: 4}}
        == R17.3 an app that stores none begins every launch with what is built in
        devices: {bob: {client: {\(launching), config: none}}, live: {client: {config: none}}}
        - {at: 0s, approov: pin -api a.com -add key:B}
        - {at: 30s, request: all, to: a.com, expect: [{group: bob, blocked: 1}, {group: live, accepted: 1}]}
        - {at: 31s, launch: all}
        - {at: 31s, network: {group: all, state: mitm}}
        - {at: 31s, fetch: all, expect: {result: MITM_DETECTED, config-changed: 0}}
        - {at: 32s, network: {group: all, state: ok}}
        - at: 32s
          request: all
          to: a.com
          expect: [{config-changed: 2}, {group: bob, blocked: 1}, {group: live, accepted: 1}]
        == R17.3 nor does it store what it fetches, or a new version of an app that did
        devices: {bob: {client: {read-pins: config-change, config: none}}, updated: {client: {\(launching)}}}
        - {at: 0s, approov: pin -api a.com -add key:B}
        - {at: 30s, request: all, to: a.com, expect: [{group: bob, accepted: 1}, {group: updated, blocked: 1}]}
        - {at: 31s, launch: bob}
        - {at: 31s, set: {group: updated, client: {config: none}}}
        - at: 31s
          request: all
          to: a.com
          expect: [{group: bob, accepted: 1, config-changed: 1}, {group: updated, blocked: 1}]
        == R17.3 nor during an outage
        devices: {bob: {client: {\(launching)}}}
        - {at: 0s, approov: pin -api a.com -add key:B}
        - {at: 40s, outage: primary, until: 2m}
        - {at: 1m, reinstall: bob}
        - {at: 2m, request: bob, to: a.com, expect: {blocked: 1}}
        == R17.3 a launch loads what was stored, by the SDK or by the app
        devices: {auto: {client: {\(launching)}}, app: {client: {\(launching), config: app}}}
        - {at: 0s, approov: pin -api a.com -add key:B}
        - {at: 1m, launch: all}
        # It was in force, but nothing had been delivered.
        - {at: 1m, request: all, to: a.com, expect: {blocked: 2}}
        - {at: 2m, launch: all}
        - {at: 2m, request: all, to: a.com, expect: {accepted: 2}}
        """)

    static let notices = ScenarioRow.table(
        """
        \(usual)
        == R17.4 an account that never changed tells of no change
        devices: {auto: {}, app: {client: {config: app}}, never: {client: {config: none}},
          early: {client: {built-in: 1h}}, careful: {client: {config: app, \(launching), on-blocked: relaunch-if-pending}}}
        - {at: 0s, request: all, to: a.com, expect: {attested: 5, blocked: 5, config-changed: 0}}
        # Nothing is pending, so nobody is launched anew.
        - {at: 1s, request: all, to: a.com, expect: {cached: 5, blocked: 5, config-changed: 0}}
        - {at: 2s, launch: all}
        - {at: 300s, request: all, to: a.com, expect: {attested: 5, config-changed: 0}}
        == R17.4 a device's own pin mode is nobody else's, and is never forced
        devices: {tester: {id: \(bob)}, amy: {client: {\(launching), on-force: relaunch}}}
        - {at: 0s, approov: pin -api a.com -add key:B}
        - {at: 1m, approov: device -add \(bob) -pinMode unpin}
        - {at: 2m, approov: pin -forceApplyPins}
        - at: 5m
          fetch: all
          expect: [{group: amy, force-apply: 1, config-changed: 1}, {group: tester, config-changed: 1}]
        # Once is enough.
        - at: 10m
          fetch: all
          expect: [{attested: 2}, {group: amy, force-apply: 0, config-changed: 0}]
        - {at: 10m, request: amy, to: a.com, expect: {cached: 1, accepted: 1, force-apply: 0}}
        == R17.4 what is forced is the account's, also for a device with a mode of its own
        devices: {tester: {id: \(bob), client: {\(launching)}}}
        - {at: 0s, approov: device -add \(bob) -pinMode unpin}
        - {at: 1m, approov: pin -forceApplyPins}
        # The app has what was forced: the pins of the start.
        - {at: 5m, fetch: tester, expect: {attested: 1, force-apply: 0, config-changed: 1}}
        - {at: 6m, approov: pin -api a.com -add key:B}
        - {at: 6m, approov: pin -forceApplyPins}
        - {at: 10m, fetch: tester, expect: {force-apply: 1}}
        - {at: 11m, launch: tester}
        - {at: 11m, request: tester, to: a.com, expect: {force-apply: 0, accepted: 1}}
        == R17.4 a device's mode is newer than what any app has built in
        devices: {tester: {id: \(bob), client: {built-in: 2m}}}
        - {at: 0s, approov: device -add \(bob) -pinMode unpin}
        - {at: 1m, approov: pin -api a.com -add key:C}
        - {at: 3m, fetch: tester, expect: {attested: 1, config-changed: 1, flags: {init-config-outdated: 1}}}
        - {at: 3m, request: tester, to: a.com, expect: {accepted: 1}}
        == R17.4 a change is reported until the app has fetched it
        devices: {never: {}, app: {client: {config: app}}, rebuilding: {client: {read-pins: config-change}}}
        - {at: 0s, approov: pin -api a.com -add key:B}
        - {at: 1m, request: all, to: a.com, expect: {accepted: 3, config-changed: 3}}
        - at: 2m
          request: all
          to: a.com
          expect: {cached: 3, accepted: 3, config-changed: 1}
        # A launch loads it, so that it is no change any more.
        - {at: 3m, launch: never}
        - {at: 3m, fetch: never, expect: {config-changed: 0}}
        == R17.4 forcing is reported until the app reads newer pins
        devices: {launching: {client: {\(launching)}}, live: {}}
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
        == R17.4 who has read the forced pins gets no report; forcing takes its time, too
        devices: {bob: {client: {\(launching)}}}
        - {at: 0s, approov: pin -api a.com -add key:B}
        - {at: 30s, fetch: bob, expect: {force-apply: 0, config-changed: 1}}
        - {at: 31s, approov: pin -forceApplyPins}
        - {at: 32s, reinstall: bob}
        - {at: 61s, fetch: bob, expect: {attested: 1, force-apply: 0}}
        """)

    static let outdated = ScenarioRow.table(
        """
        \(usual)
        == R17.5 an app whose configuration is not the newest is observed, and passes
        devices: {old: {}, new: {client: {built-in: 30s}}}
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

    @Test(
        "R17.1–R17.5 configuration on the way to the app",
        arguments: revisions + builtIn + deliveries + notices + outdated)
    func reachesTheApp(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }
}
