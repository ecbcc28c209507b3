import Testing

@testable import TestSupport

/// Changes of DeviceCheck, SafetyNet and registration by `set` (formats: Scenario).
@Suite struct DeviceChangeTests {
    static let changes = ScenarioRow.table(
        """
        == DeviceCheck, at the next launch (R8.1)
        account: {devicecheck: {team-id: T, key-id: K}}
        devices: {bob: {os: ios, devicecheck: unavailable}}
        - {at: 0s, fetch: bob, expect: {flags: [new-did, devicecheck-unavailable]}}
        - {at: 1s, set: {group: bob, devicecheck: available}}
        - {at: 400s, fetch: bob, expect: {attested: 1, flags: [devicecheck-unavailable]}}
        - {at: 401s, launch: bob}
        - {at: 401s, fetch: bob, expect: {flags: [devicecheck-completed]}}
        - {at: 402s, set: {group: bob, devicecheck: invalid}}
        - {at: 403s, launch: bob}
        - {at: 403s, fetch: bob, expect: {attested: 1, flags: [devicecheck-completed]}}
        == DeviceCheck that was not simulated
        account: {devicecheck: {team-id: T, key-id: K}}
        devices: {bob: {os: ios}}
        - {at: 0s, fetch: bob, expect: {flags: [new-did, devicecheck-missing]}}
        - {at: 1s, set: {group: bob, devicecheck: invalid}}
        - {at: 2s, launch: bob}
        - {at: 3s, fetch: bob, expect: {rejections: [devicecheck-failed]}}
        == SafetyNet, at the next launch (R9.1)
        account: {safetynet: {api-key: k}}
        devices: {bob: {os: android, safetynet: unavailable}}
        - {at: 0s, fetch: bob, expect: {flags: [new-did, safetynet-unavailable]}}
        - {at: 1s, set: {group: bob, safetynet: fail-token}}
        - {at: 400s, fetch: bob, expect: {attested: 1, flags: [safetynet-unavailable]}}
        - {at: 401s, launch: bob}
        - {at: 401s, fetch: bob, expect: {rejections: [safetynet-fail-token]}}
        - {at: 402s, set: {group: bob, safetynet: pass}}
        - {at: 403s, launch: bob}
        - {at: 403s, fetch: bob, expect: {attested: 1, rejections: [safetynet-fail-token]}}
        == registration
        devices: {bob: {count: 2}, amy: {}}
        - {at: 0s, fetch: all, expect: {verdict: pass}}
        - {at: 1s, set: {group: bob, registered: false}}
        - {at: 300s, fetch: all, expect: [{group: bob, rejections: [app-not-registered]}, {group: amy, pass: 1}]}
        - {at: 301s, set: {group: bob, registered: true}}
        - {at: 600s, fetch: all, expect: {verdict: pass, flags: []}}
        == registration, over launches and reinstalls
        devices: {bob: {os: ios, registered: false}}
        - {at: 0s, set: {group: bob, flags: [automated]}}
        - {at: 1s, reinstall: bob}
        - {at: 2s, fetch: bob, expect: {flags: [new-did, app-not-registered, automated]}}
        - {at: 3s, set: {group: bob, registered: true}}
        - {at: 4s, reinstall: bob}
        - {at: 5s, fetch: bob, expect: {flags: [new-did, automated]}}
        == registration where the account lists some: no effect (R15.1)
        account: {registrations: [{app-sig: S=, appid: a}]}
        devices: {bob: {attributes: {app-sig: S=, appid: a}}, amy: {}}
        - {at: 0s, set: {group: bob, registered: false}}
        - {at: 0s, set: {group: amy, registered: true}}
        - {at: 1s, fetch: all, expect: [{group: bob, pass: 1}, {group: amy, rejections: [app-not-registered]}]}
        == what makes an app registered
        account: {registrations: [{app-sig: S=, appid: a, app-version: "1"}]}
        devices: {bob: {attributes: {app-sig: S=, appid: a, app-version: "1"}}}
        - {at: 0s, fetch: bob, expect: {verdict: pass}}
        - {at: 1s, set: {group: bob, attributes: {app-version: "2"}}}
        - {at: 2s, launch: bob}
        - {at: 2s, fetch: bob, expect: {rejections: [app-not-registered]}}
        == everything at once
        account: {safetynet: {api-key: k}, filters: [{name: f, key: ip, match: x}]}
        devices: {bob: {os: android, safetynet: pass, flags: [debug]}}
        - at: 0s
          set: {group: bob, flags: [frida], attributes: {ip: x}, safetynet: fail-profile, registered: false}
        - at: 0s
          fetch: bob
          expect:
            flags: [new-did, app-not-registered, frida, safetynet-completed, safetynet-fail-profile, risky-device]
            filters: [f]
        """)

    @Test("R8.1, R9.1, R15.1 takes effect", arguments: changes) func takesEffect(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    private static func set(_ name: String, _ os: String, _ step: String, _ problems: Problem...) -> LoaderRow {
        LoaderRow(
            name, "scenario: s\ndevices: {bob: {\(os)}}\nsteps:\n- {at: 0s, \(step)}\nexpect: {metrics: {pass: 0}}\n",
            problems)
    }

    static let refused: [LoaderRow] = [
        set(
            "DeviceCheck of Android", "os: android", "set: {group: bob, devicecheck: ①available}",
            "① `devicecheck` is for iOS, but these devices run Android"),
        set(
            "SafetyNet of iOS", "os: ios", "set: {group: bob, safetynet: ①pass}",
            "① `safetynet` is for Android, but these devices run iOS"),
        set(
            "DeviceCheck that is none", "os: ios", "set: {group: bob, devicecheck: ①yes}",
            "① `devicecheck` must be `available`, `unavailable` or `invalid`, not `yes`"),
        set(
            "SafetyNet that is none", "os: android", "set: {group: bob, safetynet: ①fail}",
            Problem(
                "①",
                "`safetynet` must be `pass`, `fail-token`, `fail-integrity`, `fail-profile`, `fail-cert` or "
                    + "`unavailable`, not `fail`")),
        set(
            "bits", "os: ios", "set: {group: bob, devicecheck: ①{state: available, bits: 1}}",
            "① `devicecheck` must be text, not a mapping"),
        set(
            "registered maybe", "", "set: {group: bob, registered: ①maybe}",
            "① `registered` must be `true` or `false`, not `maybe`"),
        set("hardware", "", "set: {group: bob, registered: true, ①physical: p}", "① unknown key `physical` in `set`"),
        set(
            "a network", "", "network: {group: bob, state: ①offline}",
            "① `state` must be `ok`, `none`, `poor` or `mitm`, not `offline`"),
        set(
            "a network of a group that is none", "", "network: {group: [bob, ①amy], state: none}",
            "① unknown group `amy`; hint: there are `bob`"),
        set(
            "a network of a group twice", "", "network: {group: ①[bob, bob], state: none}",
            "① `group` names a group twice"),
        set("a network without state", "", "network: ①{group: all}", "① `state` is missing from `network`"),
        set("text for a network", "", "network: ①none", "① `network` must be a mapping, not text"),
        set(
            "an outage of something else", "", "outage: ①everything",
            "① `outage` must be `primary`, `failover` or `all`, not `everything`"),
        set("an outage that repeats", "", "outage: primary, ①every: 1m, until: 10m", "① unknown key `every` in a step"),
        set(
            "an outage with expectations", "", "outage: primary, until: 10m, expect: ①{pass: 0}",
            "① `expect` can be used with fetches, requests and calls only"),
        set("an outage that ends before it starts", "", "outage: primary, until: ①0s", "① `until` must lie after `at`"),
    ]

    @Test("formats: says what is wrong", arguments: refused)
    func saysWhatIsWrong(_ row: LoaderRow) { row.expect(isLoaded: false) }
}
