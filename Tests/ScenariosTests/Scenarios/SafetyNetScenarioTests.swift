import Testing

@testable import TestSupport

/// SafetyNet over days, launches and installs (R9; manual, Google SafetyNet Integration).
///
/// Each row shows something that keys, steps or commands of a scenario add. Every outcome and quota is in
/// `SafetyNetTests`.
@Suite struct SafetyNetScenarioTests {
    private static let done = "[new-did, safetynet-completed]"
    private static let not = "[new-did, safetynet-unavailable]"

    static let quotas = [
        ScenarioRow(
            "days of UTC, not of the scenario (R9.3)",
            """
            start: 2020-06-30T23:59:30Z
            account: {safetynet: {api-key: k, daily-quota: 1}}
            devices:
              a: {os: android, safetynet: pass}
              b: {os: android, safetynet: pass}
              c: {os: android, safetynet: pass}
            steps:
              - {at: 0s, fetch: a, expect: {flags: \(done)}}
              - {at: 29s, fetch: b, expect: {flags: \(not)}}
              - {at: 30s, fetch: c, expect: {flags: \(done)}}
            """),
        ScenarioRow(
            "a key that two accounts use (R9.3)",
            """
            accounts:
              a: {safetynet: {api-key: k, daily-quota: 3}}
              b: {safetynet: {api-key: k, daily-quota: 3}}
              c: {safetynet: {api-key: other, daily-quota: 3}}
            devices:
              one: {account: a, count: 2, os: android, safetynet: pass}
              two: {account: b, count: 2, os: android, safetynet: pass}
              three: {account: c, count: 3, os: android, safetynet: pass}
            steps:
              - at: 0s
                fetch: all
                expect:
                  - {group: one, flags: \(done)}
                  - {group: two, flags: {safetynet-completed: 1, safetynet-unavailable: 1}}
                  - {group: three, flags: \(done)}
            """),
        // Five a minute by device; a reset gives a new ID.
        ScenarioRow(
            "the sixth of a device in a minute (R9.3)",
            """
            account: {safetynet: {api-key: k}}
            devices: {bob: {os: android, safetynet: pass}, amy: {os: android, safetynet: pass}}
            steps:
              - {at: 1s, fetch: bob, expect: {flags: \(done)}}
              - {at: 10s, factory-reset: bob}
              - {at: 10s, fetch: bob, expect: {flags: \(done)}}
              - {at: 20s, factory-reset: bob}
              - {at: 20s, fetch: bob, expect: {flags: \(done)}}
              - {at: 30s, factory-reset: bob}
              - {at: 30s, fetch: bob, expect: {flags: \(done)}}
              - {at: 40s, factory-reset: bob}
              - {at: 40s, fetch: bob, expect: {flags: \(done)}}
              - {at: 50s, factory-reset: bob}
              - {at: 50s, fetch: all, expect: [{group: bob, flags: \(not)}, {group: amy, flags: \(done)}]}
              - {at: 2m, launch: bob}
              - {at: 2m, fetch: bob, expect: {flags: [safetynet-completed]}}
            """),
    ]

    static let retries = [
        ScenarioRow(
            "what was not to be had is tried again at the next launch only (R9.1)",
            """
            account: {safetynet: {api-key: k}}
            devices: {bob: {os: android, safetynet: unavailable}}
            steps:
              - {at: 0s, fetch: bob, expect: {flags: \(not)}}
              - {at: 1s, set: {group: bob, safetynet: pass}}
              - {at: 300s, fetch: bob, every: 300s, until: 1h, expect: {attested: 12, flags: [safetynet-unavailable]}}
              - {at: 3601s, launch: bob}
              - {at: 3602s, fetch: bob, expect: {flags: [safetynet-completed]}}
            """),
        ScenarioRow(
            "what completed is not done again: launches, reinstalls, a new key (R9.1)",
            """
            account: {propagation: 0s, safetynet: {api-key: k, daily-quota: 1}}
            devices: {bob: {os: android, safetynet: fail-integrity}}
            steps:
              - {at: 0s, fetch: bob, expect: {rejections: [safetynet-fail-integrity]}}
              - {at: 1s, set: {group: bob, safetynet: pass}}
              - {at: 2s, launch: bob}
              - {at: 2s, fetch: bob, expect: {attested: 1, rejections: [safetynet-fail-integrity]}}
              - {at: 3s, reinstall: bob}
              - {at: 3s, fetch: bob, expect: {attested: 1, rejections: [safetynet-fail-integrity]}}
              - {at: 4s, approov: safetynet -set other}
              - {at: 5s, launch: bob}
              - {at: 5s, fetch: bob, expect: {attested: 1, rejections: [safetynet-fail-integrity]}}
              - {at: 6s, factory-reset: bob}
              - {at: 6s, fetch: bob, expect: {verdict: pass, flags: \(done)}}
            """),
        // R14.3: the failover does not do it.
        ScenarioRow(
            "a first fetch from the failover leaves it to do",
            """
            account: {safetynet: {api-key: k}}
            devices: {bob: {os: android, safetynet: fail-token}}
            steps:
              - {at: 0s, outage: primary, until: 5m}
              - {at: 60s, fetch: bob, expect: {verdict: pass}}
              - {at: 360s, fetch: bob, expect: {attested: 1, rejections: [safetynet-fail-token]}}
            """),
    ]

    @Test("R9 SafetyNet over time", arguments: quotas + retries) func safetyNet(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }
}
