import Testing

/// Bans of hardware, from the YAML of a scenario to the verdict (R8; manual, Permanent Device Banning, Automatic Device
/// Banning, Clearing All Device State).
///
/// Each row shows something that keys, steps or commands of a scenario add. The evaluation of every bit, month and answer by
/// the engine is in `DeviceCheckTests`.
@Suite struct DeviceCheckScenarioTests {
    private static let id = "h4gubfCFzJu81j/U2BJsdg=="

    private static let completed = "{verdict: pass, flags: [new-did, devicecheck-completed]}"
    private static let banned =
        "{verdict: fail, rejections: [devicecheck-ban], flags: [new-did, devicecheck-completed, devicecheck-ban]}"

    private static let usual = """
        account: {propagation: 0s, devicecheck: {team-id: T, key-id: K, bits: both}}
        devices: {bob: {id: \(id), os: ios, devicecheck: available}}
        """

    static let reinstalls = ScenarioRow.table(
        """
        \(usual)
        == the third reinstall bans, and so do all after it (R8.5)
        - {at: 0s, fetch: bob, expect: \(completed)}
        - {at: 10s, reinstall: bob}
        - {at: 10s, fetch: bob, expect: \(completed)}
        - {at: 20s, reinstall: bob}
        - {at: 20s, fetch: bob, expect: \(completed)}
        - {at: 30s, reinstall: bob}
        - {at: 30s, fetch: bob, expect: \(banned)}
        - {at: 40s, reinstall: bob}
        - {at: 40s, fetch: bob, expect: \(banned)}
        # It is the ID's, too.
        - {at: 1h, launch: bob}
        - {at: 1h, fetch: bob, expect: {verdict: fail, flags: [devicecheck-completed, devicecheck-ban]}}
        expect: {device-state: {bob: [devicecheck-completed, devicecheck-ban]}}
        == launches, reinstalls that keep the ID, and installs that never ask do not count (R8.5)
        - {at: 0s, fetch: bob, expect: \(completed)}
        - {at: 10s, reinstall: {group: bob, keep-id: true}}
        - {at: 10s, fetch: bob, expect: {flags: [devicecheck-completed]}}
        - {at: 20s, launch: bob}
        - {at: 20s, fetch: bob, expect: {flags: [devicecheck-completed]}}
        - {at: 30s, reinstall: {group: bob, keep-id: true}}
        - {at: 30s, fetch: bob, expect: {verdict: pass}}
        - {at: 40s, reinstall: {group: bob, keep-id: true}}
        - {at: 40s, fetch: bob, expect: {verdict: pass}}
        - {at: 50s, reinstall: bob}
        - {at: 51s, reinstall: bob}
        - {at: 52s, reinstall: bob}
        - {at: 53s, fetch: bob, expect: \(completed)}
        == the count continues from what Apple has
        devices: {bob: {id: \(id), os: ios, devicecheck: {state: available, bits: 1}}}
        - {at: 0s, fetch: bob, expect: \(completed)}
        - {at: 10s, reinstall: bob}
        - {at: 10s, fetch: bob, expect: \(banned)}
        """)

    static let expiries = ScenarioRow.table(
        """
        account: {propagation: 0s, devicecheck: {team-id: T, key-id: K, bits: both}}
        == a count of thirteen months ago starts again
        # R8.3: more than twelve months back from 2020-01.
        devices: {bob: {id: \(id), os: ios, devicecheck: {state: available, bits: 2, changed: 2018-12}}}
        - {at: 0s, fetch: bob, expect: \(completed)}
        - {at: 10s, reinstall: bob}
        - {at: 10s, fetch: bob, expect: \(completed)}
        - {at: 20s, reinstall: bob}
        - {at: 20s, fetch: bob, expect: \(completed)}
        - {at: 30s, reinstall: bob}
        - {at: 30s, fetch: bob, expect: \(banned)}
        == a count of twelve months ago continues
        devices: {bob: {id: \(id), os: ios, devicecheck: {state: available, bits: 2, changed: 2019-01}}}
        - {at: 0s, fetch: bob, expect: \(banned)}
        == a ban by a bit ends with its expiry, for new IDs only
        account: {propagation: 0s, devicecheck: {team-id: T, key-id: K, bits: bit0, expiry: 1}}
        devices: {bob: {id: \(id), os: ios, devicecheck: {state: available, bits: 1}}}
        - {at: 0s, fetch: bob, expect: \(banned)}
        - {at: 50d, reinstall: bob}
        - {at: 50d, fetch: bob, expect: \(banned)}
        - {at: 60d, fetch: bob, expect: {rejections: [devicecheck-ban]}}
        - {at: 61d, reinstall: bob}
        - {at: 61d, fetch: bob, expect: \(completed)}
        """)

    static let bits = ScenarioRow.table(
        """
        \(usual)
        == a ban follows the hardware (R8.4)
        account: {propagation: 0s, devicecheck: {team-id: T, key-id: K, bits: bit0}}
        - {at: 0s, fetch: bob, expect: \(completed)}
        - {at: 1s, approov: device -add \(id) -banMode ban}
        - {at: 300s, fetch: bob, expect: {rejections: [did-ban], flags: [did-ban, devicecheck-completed]}}
        - {at: 301s, approov: device -remove \(id)}
        - {at: 302s, reinstall: bob}
        - {at: 302s, fetch: bob, expect: \(banned)}
        == an unban starts the count again (R8.6)
        devices: {bob: {id: \(id), os: ios, devicecheck: {state: available, bits: 2}}}
        - {at: 0s, fetch: bob, expect: \(banned)}
        - {at: 1s, approov: device -add latest -banMode unban}
        - {at: 300s, fetch: bob, expect: {verdict: pass, flags: [did-unban, devicecheck-completed]}}
        - {at: 310s, reinstall: bob}
        - {at: 310s, fetch: bob, expect: \(completed)}
        - {at: 320s, reinstall: bob}
        - {at: 320s, fetch: bob, expect: \(completed)}
        - {at: 330s, reinstall: bob}
        - {at: 330s, fetch: bob, expect: \(banned)}
        == without a key new IDs are not looked up, and with one again they are (R8.7)
        account: {propagation: 0s, devicecheck: {team-id: T, key-id: K, bits: bit0}}
        devices: {bob: {id: \(id), os: ios, devicecheck: {state: available, bits: 1}}}
        - {at: 0s, fetch: bob, expect: \(banned)}
        - {at: 1s, approov: devicecheck -remove}
        - {at: 2s, launch: bob}
        - {at: 2s, fetch: bob, expect: {rejections: [devicecheck-ban]}}
        - {at: 3s, reinstall: bob}
        - {at: 3s, fetch: bob, expect: {verdict: pass, flags: [new-did]}}
        - {at: 4s, approov: devicecheck -addAuthKey AuthKey_K.p8 -bits bit0}
        - {at: 5s, launch: bob}
        - {at: 5s, fetch: bob, expect: {rejections: [devicecheck-ban]}}
        """)

    static let clearings = ScenarioRow.table(
        """
        \(usual)
        == clearing twice before the device asks counts once
        devices: {bob: {id: \(id), os: ios, devicecheck: {state: available, bits: 1}}}
        - {at: 0s, fetch: bob, expect: \(completed)}
        - {at: 1s, approov: device -clearDeviceState}
        - {at: 2s, approov: device -clearDeviceState}
        - {at: 300s, fetch: bob, expect: \(banned)}
        == a ban of the ID alone is cleared (R6.5)
        account: {propagation: 0s, devicecheck: {team-id: T, key-id: K, bits: none}}
        - {at: 0s, fetch: bob, expect: \(completed)}
        - {at: 1s, approov: device -add \(id) -banMode ban}
        - {at: 300s, fetch: bob, expect: {rejections: [did-ban]}}
        - {at: 301s, approov: device -remove \(id)}
        - {at: 302s, approov: device -clearDeviceState}
        - {at: 600s, fetch: bob, expect: \(completed)}
        """)

    private static func accounts(_ a: String, _ b: String) -> String {
        """
        accounts:
          a: {propagation: 0s, devicecheck: {key-id: K, \(a)}, filters: [{name: f, key: ip, match: x, ban: true}]}
          b: {propagation: 0s, devicecheck: {key-id: K, \(b)}}
        devices:
          one: {account: a, os: ios, devicecheck: available, physical: p}
          two: {account: b, os: ios, devicecheck: available, physical: p}
        steps:

        """
    }

    private static let ban = """
          - {at: 0s, fetch: all, expect: \(completed)}
          - {at: 10s, set: {group: one, attributes: {ip: x}}}
          - {at: 300s, fetch: one, expect: {rejections: [did-ban]}}
          - {at: 310s, reinstall: two}

        """

    static let teams = ScenarioRow.table(
        """
        devices:
          one: {account: a, os: ios, devicecheck: available, physical: p}
          two: {account: b, os: ios, devicecheck: available, physical: p}
        accounts:
          a: {propagation: 0s, devicecheck: {key-id: K, team-id: T, bits: bit0}, filters: [{name: f, key: ip, match: x, ban: true}]}
          b: {propagation: 0s, devicecheck: {key-id: K, team-id: T, bits: bit0}}
        == two accounts of one team see each other's bits (R8.10)
        - {at: 0s, fetch: all, expect: \(completed)}
        - {at: 10s, set: {group: one, attributes: {ip: x}}}
        - {at: 300s, fetch: one, expect: {rejections: [did-ban]}}
        - {at: 310s, reinstall: two}
        - {at: 311s, fetch: two, expect: \(banned)}
        == a running app of the other account continues (R8.1)
        - {at: 0s, fetch: all, expect: \(completed)}
        - {at: 10s, set: {group: one, attributes: {ip: x}}}
        - {at: 300s, fetch: one, expect: {rejections: [did-ban]}}
        - {at: 310s, launch: two}
        - {at: 311s, fetch: two, expect: {verdict: pass, flags: [devicecheck-completed]}}
        == two accounts that name no team share nothing (R8.10)
        accounts:
          a: {account: one, devicecheck: {key-id: K, bits: both}}
          b: {account: two, devicecheck: {key-id: K, bits: both}}
        - {at: 0s, fetch: all, expect: \(completed)}
        - {at: 1s, reinstall: all}
        - {at: 2s, fetch: all, expect: \(completed)}
        - {at: 3s, reinstall: all}
        - {at: 4s, fetch: all, expect: \(completed)}
        - {at: 5s, reinstall: all}
        - {at: 6s, fetch: all, expect: \(banned)}
        """)

    @Test("R8 bans of hardware", arguments: reinstalls + expiries + bits + clearings + teams)
    func bans(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }
}

/// SafetyNet over days, launches and installs (R9; manual, Google SafetyNet Integration).
///
/// Each row shows something that keys, steps or commands of a scenario add. Every outcome and quota is in
/// `SafetyNetTests`.
@Suite struct SafetyNetScenarioTests {
    private static let done = "[new-did, safetynet-completed]"
    private static let not = "[new-did, safetynet-unavailable]"

    static let quotas = ScenarioRow.table(
        """
        == days of UTC, not of the scenario (R9.3)
        start: 2020-06-30T23:59:30Z
        account: {safetynet: {api-key: k, daily-quota: 1}}
        devices:
          a: {os: android, safetynet: pass}
          b: {os: android, safetynet: pass}
          c: {os: android, safetynet: pass}
        - {at: 0s, fetch: a, expect: {flags: \(done)}}
        - {at: 29s, fetch: b, expect: {flags: \(not)}}
        - {at: 30s, fetch: c, expect: {flags: \(done)}}
        == a key that two accounts use (R9.3)
        accounts:
          a: {safetynet: {api-key: k, daily-quota: 3}}
          b: {safetynet: {api-key: k, daily-quota: 3}}
          c: {safetynet: {api-key: other, daily-quota: 3}}
        devices:
          one: {account: a, count: 2, os: android, safetynet: pass}
          two: {account: b, count: 2, os: android, safetynet: pass}
          three: {account: c, count: 3, os: android, safetynet: pass}
        - at: 0s
          fetch: all
          expect:
            - {group: one, flags: \(done)}
            - {group: two, flags: {safetynet-completed: 1, safetynet-unavailable: 1}}
            - {group: three, flags: \(done)}
        == the sixth of a device in a minute (R9.3)
        # Five a minute by device; a reset gives a new ID.
        account: {safetynet: {api-key: k}}
        devices: {bob: {os: android, safetynet: pass}, amy: {os: android, safetynet: pass}}
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
        """)

    static let retries = ScenarioRow.table(
        """
        account: {safetynet: {api-key: k}}
        == what was not to be had is tried again at the next launch only (R9.1)
        devices: {bob: {os: android, safetynet: unavailable}}
        - {at: 0s, fetch: bob, expect: {flags: \(not)}}
        - {at: 1s, set: {group: bob, safetynet: pass}}
        - {at: 300s, fetch: bob, every: 300s, until: 1h, expect: {attested: 12, flags: [safetynet-unavailable]}}
        - {at: 3601s, launch: bob}
        - {at: 3602s, fetch: bob, expect: {flags: [safetynet-completed]}}
        == what completed is not done again: launches, reinstalls, a new key (R9.1)
        account: {propagation: 0s, safetynet: {api-key: k, daily-quota: 1}}
        devices: {bob: {os: android, safetynet: fail-integrity}}
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
        == a first fetch from the failover leaves it to do
        # R14.3: the failover does not do it.
        devices: {bob: {os: android, safetynet: fail-token}}
        - {at: 0s, outage: primary, until: 5m}
        - {at: 60s, fetch: bob, expect: {verdict: pass}}
        - {at: 360s, fetch: bob, expect: {attested: 1, rejections: [safetynet-fail-token]}}
        """)

    @Test("R9 SafetyNet over time", arguments: quotas + retries) func safetyNet(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }
}
