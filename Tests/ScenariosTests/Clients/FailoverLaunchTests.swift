import Testing

@testable import TestSupport

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
            testDescription: "R8.1 a key that comes into force after the failover judged waits for the next launch",
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
