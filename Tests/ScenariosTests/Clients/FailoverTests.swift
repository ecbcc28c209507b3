import PolicyEngine
import Testing

@testable import Figures
@testable import Scenarios
@testable import TestSupport

/// The evaluation by the failover, its tokens, and the service's answers about them (R14.3; manual, Cloud Server Redundancy).
@Suite struct FailoverTests {
    private static let id = "h4gubfCFzJu81j/U2BJsdg=="

    struct Row: LabelledRow {
        let name: String
        /// The fields of the account and of the device.
        var account = "", device = ""
        /// The expectation about its token before the outage, and about the one from the failover.
        let primary, failover: String
    }

    static let unevaluated = [
        Row(
            name: "cloned, and the risk that comes of it", device: "flags: [cloned]",
            primary: "{verdict: fail, rejections: [cloned], lifetime: 120s}",
            failover: "{verdict: pass, rejections: [], flags: [], lifetime: 300s}"),
        Row(
            name: "cloned beside others", device: "flags: [cloned, frida]",
            primary: "{rejections: [cloned, frida]}",
            failover: "{verdict: fail, rejections: [frida], flags: [frida, risky-device], lifetime: 120s}"),
        Row(
            name: "observed SafetyNet flags", device: "flags: [safetynet-completed, safetynet-fail-token]",
            primary: "{verdict: fail, rejections: [safetynet-fail-token]}",
            failover: "{verdict: pass, flags: [], lifetime: 300s}"),
        Row(
            name: "SafetyNet flags that persist", account: "safetynet: {api-key: k}",
            device: "os: android, safetynet: fail-integrity",
            primary: "{verdict: fail, flags: [new-did, safetynet-completed, safetynet-fail-integrity, risky-device]}",
            failover: "{verdict: pass, flags: [], lifetime: 300s}"),
        Row(
            name: "SafetyNet that is missing", account: "policy: 'default,strict,default', safetynet: {api-key: k}",
            device: "os: android",
            primary: "{verdict: fail, rejections: [safetynet-missing]}",
            failover: "{verdict: pass, flags: []}"),
        Row(
            name: "filters that reject", account: "filters: [{name: f, key: ip, match: 1.2.3.4, reject: true}]",
            device: "attributes: {ip: 1.2.3.4}",
            primary: "{verdict: fail, rejections: [filter:f], filters: [f]}",
            failover: "{verdict: pass, rejections: [], filters: []}"),
        Row(
            name: "filters that make risky", account: "filters: [{name: f, key: ip, match: 1.2.3.4, risky: true}]",
            device: "attributes: {ip: 1.2.3.4}",
            primary: "{flags: [new-did, risky-device], filters: [f], lifetime: 120s}",
            failover: "{flags: [], filters: [], lifetime: 300s}"),
        Row(
            name: "sampling",
            account: "rules: [alt], sampling-percentage: 100, "
                + "devices: [{id: ++FilteredSecPolicy++w==, policy: 'alt,allow-root,default'}]",
            device: "flags: [rooted]",
            primary: "{verdict: pass, policy: 'alt,allow-root,default'}",
            failover: "{verdict: fail, policy: 'default,default,default'}"),
        Row(
            name: "filters that execute the filtered policy",
            account: "rules: [alt], filters: [{name: f, key: ip, match: x, exec-filtered-sec-policy: true}], "
                + "devices: [{id: ++FilteredSecPolicy++w==, policy: 'alt,blacklist,default'}]",
            device: "attributes: {ip: x}",
            primary: "{verdict: fail, rejections: [policy:blacklist]}",
            failover: "{verdict: pass, policy: 'default,default,default', filters: []}"),
    ]

    static let untold = [
        Row(
            name: "annotations of every flag", account: "policy: 'default,allow-root,all'", device: "flags: [rooted]",
            primary: "{annotations: [new-did, risky-device, rooted], arc: {passed: [rooted, new-did, risky-device]}}",
            failover: "{verdict: pass, annotations: none, arc: none}"),
        Row(
            name: "annotations of a failing token", account: "policy: 'default,default,frida'",
            device: "flags: [frida]", primary: "{annotations: [frida], arc: failed}",
            failover: "{verdict: fail, annotations: none, arc: none}"),
        Row(
            name: "annotations of a device's own policy",
            account: "devices: [{id: \(id), policy: 'default,default,all'}]",
            primary: "{annotations: [new-did], arc: passed}",
            failover: "{policy: 'default,default,all', annotations: none, arc: none}"),
    ]

    static let evaluated = [
        Row(
            name: "flags", device: "flags: [rooted, automated]",
            primary: "{rejections: [rooted], lifetime: 120s}",
            failover: "{verdict: fail, rejections: [rooted], flags: [rooted, automated, risky-device], lifetime: 120s}"),
        Row(
            name: "apps that are not registered", device: "registered: false",
            primary: "{rejections: [app-not-registered]}",
            failover: "{verdict: fail, rejections: [app-not-registered]}"),
        Row(
            name: "a ban that persisted", account: "devices: [{id: \(id), ban-mode: ban}]",
            primary: "{rejections: [did-ban]}", failover: "{verdict: fail, rejections: [did-ban]}"),
        Row(
            name: "a ban by a filter before the outage",
            account: "filters: [{name: f, key: ip, match: x, ban: true}]", device: "attributes: {ip: x}",
            primary: "{rejections: [did-ban], filters: [f]}", failover: "{verdict: fail, rejections: [did-ban]}"),
        Row(
            name: "an observed unban", device: "flags: [did-ban, did-unban]",
            primary: "{verdict: pass}", failover: "{verdict: pass, flags: [did-unban]}"),
        Row(
            name: "a device's own policy", account: "devices: [{id: \(id), policy: 'default,whitelist,default'}]",
            device: "flags: [rooted]", primary: "{verdict: pass}",
            failover: "{verdict: pass, policy: 'default,whitelist,default'}"),
        Row(
            name: "a device's own blacklist", account: "devices: [{id: \(id), policy: 'default,blacklist,default'}]",
            primary: "{rejections: [policy:blacklist]}", failover: "{verdict: fail, rejections: [policy:blacklist]}"),
        Row(
            name: "a custom policy", account: "reject-flags: {add: [automated]}", device: "flags: [automated]",
            primary: "{rejections: [automated]}",
            failover: "{verdict: fail, rejections: [automated], policy: 'default,custom,default'}"),
        Row(
            name: "the account's short lifetime", account: "policy: 'default,allow-raj-only-short-lifetime,default'",
            device: "flags: [rooted]", primary: "{verdict: pass, lifetime: 45s}",
            failover: "{verdict: pass, lifetime: 45s}"),
    ]

    @Test("R14.3 what it evaluates, and what not", arguments: unevaluated + untold + evaluated)
    func evaluates(_ row: Row) throws {
        try ScenarioText.expectToHold(
            """
            account: {\(row.account)}
            devices: {bob: {id: \(Self.id), \(row.device)}}
            steps:
              - {at: 0s, fetch: bob, expect: \(row.primary)}
              - {at: 60s, outage: primary, until: 10m}
              - {at: 120s, launch: bob}
              - {at: 120s, fetch: bob, expect: \(row.failover)}
            """)
    }

    @Test("R14.3 a ban of an entry counts at once, and persists") func pendingBan() throws {
        try ScenarioText.expectToHold(
            """
            account: {devices: [{id: \(Self.id), ban-mode: ban}]}
            devices: {bob: {id: \(Self.id)}}
            steps:
              - {at: 0s, outage: primary, until: 5m}
              - {at: 60s, fetch: bob, expect: {verdict: fail, rejections: [did-ban]}}
              - {at: 61s, approov: device -remove \(Self.id)}
              - {at: 10m, fetch: bob, expect: {attested: 1, verdict: fail, rejections: [did-ban]}}
            expect: {device-state: {bob: [did-ban]}, metrics: {fail: 1}}
            """)
    }

    @Test("R14.3 a ban by a filter waits for the primary service") func filtersBanNobody() throws {
        try ScenarioText.expectToHold(
            """
            account: {filters: [{name: f, key: ip, match: x, ban: true}]}
            devices: {bob: {attributes: {ip: x}}}
            steps:
              - {at: 0s, outage: primary, until: 5m}
              - {at: 60s, fetch: bob, expect: {verdict: pass}}
              - {at: 299s, fetch: bob, expect: {verdict: pass, cached: 1}}
              - {at: 360s, fetch: bob, expect: {verdict: fail, rejections: [did-ban], filters: [f]}}
            """)
    }

    @Test("R14.3 it counts no metrics") func noMetrics() throws {
        let output = try RunOutput(
            """
            account:
              policy: default,default,all
              filters: [{name: f, key: ip, match: x}]
            devices:
              good: {count: 3, os: android, attributes: {appid: com.app, app-version: "1", ip: x}}
              bad: {count: 2, os: ios, flags: [jailbroken], attributes: {appid: com.app}}
            steps:
              - {at: 0s, outage: primary, until: 1h}
              - {at: 1m, fetch: all, expect: {attested: 5, pass: 3, fail: 2, arc: none}}
              - {at: 59m, fetch: all, expect: {attested: 5}}
              - at: 1h
                launch: all
              - {at: 1h, fetch: good, expect: {attested: 3}}
            expect:
              metrics:
                {pass: 3, fail: 0, filter-f: 3, policy-default: 3, pass-app-and-com.app: 3, pass-appver-and-com.app-1: 3,
                 fail-app-ios-com.app: 0, rejection-flag-jailbroken: 0, hourly-pass: 3, daily-pass: 3, daily-fail: 0,
                 monthly-pass: 3, billing: 3}
            """)
        #expect(output.result.figures.devices.unique == 3)
        #expect(output.result.figures.attestations == 3)
        // Its decisions are written all the same (formats: one object an attestation).
        #expect(output.decisions.map { $0.arc == nil } == Array(repeating: true, count: 10) + [false, false, false])
        #expect(output.decisions.map { $0.annotations == nil } == output.decisions.map { $0.arc == nil })
        #expect(output.decisions.map(\.index) == Array(0..<13))
    }

    @Test("R13.2 a failing device counts once the primary service sees it") func hoursOfTheOutageStayEmpty() throws {
        let output = try RunOutput(
            """
            devices: {bob: {}}
            steps:
              - {at: 0s, fetch: bob}
              - {at: 59m, outage: primary, until: 2h}
              - {at: 90m, launch: bob}
              - {at: 90m, fetch: bob, expect: {attested: 1}}
              - {at: 2h, launch: bob}
              - {at: 2h, fetch: bob, expect: {attested: 1}}
            expect: {metrics: {pass: 2, hourly-pass: 1, daily-pass: 1}}
            """)
        let hours = output.result.figures.windows[.hourly] ?? []
        #expect(hours.map(\.start.description) == ["2020-01-01T00:00:00Z", "2020-01-01T02:00:00Z"])
    }
}

/// Checks that are made once at a launch, if the failover answers first (R8.1, R9.1, R14.3).
@Suite struct FailoverLaunchTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let account, device: String
        let steps: [String]
    }

    static let rows = [
        Row(
            testDescription: "R8.1 the failover does DeviceCheck, so the primary service waits for the next launch",
            account: "devicecheck: {team-id: T, key-id: K, bits: none}", device: "os: ios, devicecheck: unavailable",
            steps: [
                "{at: 0s, outage: primary, until: 10m}",
                "{at: 1m, fetch: bob, expect: {group: bob, flags: [new-did, devicecheck-unavailable]}}",
                "{at: 2m, set: {group: bob, devicecheck: available}}",
                "{at: 11m, fetch: bob, expect: {group: bob, attested: 1, flags: [devicecheck-unavailable]}}",
                "{at: 12m, launch: bob}",
                "{at: 12m, fetch: bob, expect: {group: bob, flags: [devicecheck-completed]}}",
            ]),
        Row(
            testDescription: "R8.1 a key that comes into force after the failover decided waits for the next launch",
            account: "propagation: 0s", device: "os: ios, devicecheck: available",
            steps: [
                "{at: 0s, outage: primary, until: 10m}",
                "{at: 1m, fetch: bob, expect: {group: bob, flags: [new-did]}}",
                "{at: 2m, approov: devicecheck -addAuthKey AuthKey_K.p8 -teamID T}",
                "{at: 11m, fetch: bob, expect: {group: bob, attested: 1, flags: [devicecheck-missing]}}",
                "{at: 12m, launch: bob}",
                "{at: 12m, fetch: bob, expect: {group: bob, flags: [devicecheck-completed]}}",
            ]),
        Row(
            testDescription: "R9.1 the failover does no SafetyNet, so the primary service tries again for that launch",
            account: "safetynet: {api-key: K}", device: "os: android, safetynet: unavailable",
            steps: [
                "{at: 0s, fetch: bob, expect: {group: bob, flags: [new-did, safetynet-unavailable]}}",
                "{at: 1m, set: {group: bob, safetynet: pass}}",
                "{at: 2m, outage: primary, until: 10m}",
                "{at: 4m, launch: bob}",
                "{at: 4m, fetch: bob, expect: {group: bob, attested: 1, flags: []}}",
                "{at: 11m, fetch: bob, expect: {group: bob, attested: 1, flags: [safetynet-completed]}}",
            ]),
    ]

    @Test("R8.1, R9.1, R14.3 what is due at a launch is done once, whoever answers first", arguments: rows)
    func isDoneOnce(_ row: Row) throws {
        let steps = row.steps.map { "  - \($0)\n" }.joined()
        let text = "scenario: s\naccount: {\(row.account)}\ndevices: {bob: {\(row.device)}}\nsteps:\n\(steps)"
        #expect(try ScenarioText.failures(text) == [])
    }
}
