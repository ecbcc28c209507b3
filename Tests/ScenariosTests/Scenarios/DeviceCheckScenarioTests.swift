import Testing

@testable import TestSupport

/// Bans of hardware, from the YAML of a scenario to the verdict (R8; manual, Permanent Device Banning, Automatic Device
/// Banning, Clearing All Device State).
@Suite struct DeviceCheckScenarioTests {
    private static let id = "h4gubfCFzJu81j/U2BJsdg=="

    private static func phone(_ settings: String, _ state: String = "available") -> String {
        "account: {propagation: 0s, devicecheck: {team-id: T, key-id: K, \(settings)}}\n"
            + "devices: {bob: {id: \(id), os: ios, devicecheck: \(state)}}\nsteps:\n"
    }

    private static let completed = "{verdict: pass, flags: [new-did, devicecheck-completed]}"
    private static let banned =
        "{verdict: fail, rejections: [devicecheck-ban], flags: [new-did, devicecheck-completed, devicecheck-ban]}"

    static let reinstalls = [
        ScenarioRow(
            "the third reinstall bans, and so do all after it (R8.5)",
            phone("bits: both") + """
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
                """),
        ScenarioRow(
            "launches, and reinstalls that keep the ID, do not count (R8.5)",
            phone("bits: both") + """
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
                  - {at: 50s, fetch: bob, expect: \(completed)}
                """),
        ScenarioRow(
            "installs that never ask do not count",
            phone("bits: both") + """
                  - {at: 0s, fetch: bob}
                  - {at: 10s, reinstall: bob}
                  - {at: 11s, reinstall: bob}
                  - {at: 12s, reinstall: bob}
                  - {at: 13s, fetch: bob, expect: \(completed)}
                """),
        ScenarioRow(
            "the count goes on from what Apple has",
            phone("bits: both", "{state: available, bits: 1}") + """
                  - {at: 0s, fetch: bob, expect: \(completed)}
                  - {at: 10s, reinstall: bob}
                  - {at: 10s, fetch: bob, expect: \(banned)}
                """),
        ScenarioRow(
            "a count of three that Apple has bans at once (R8.5)",
            phone("bits: both", "{state: available, bits: 2}") + "  - {at: 0s, fetch: bob, expect: \(banned)}\n"),
        ScenarioRow(
            "without counting (R8.8)",
            phone("bits: none", "{state: available, bits: 3}") + """
                  - {at: 0s, fetch: bob, expect: \(completed)}
                  - {at: 10s, reinstall: bob}
                  - {at: 10s, fetch: bob, expect: \(completed)}
                """),
    ]

    static let expiries = [
        // R8.3: more than twelve months back from 2020-01.
        ScenarioRow(
            "a count of thirteen months ago starts again",
            phone("bits: both", "{state: available, bits: 2, changed: 2018-12}") + """
                  - {at: 0s, fetch: bob, expect: \(completed)}
                  - {at: 10s, reinstall: bob}
                  - {at: 10s, fetch: bob, expect: \(completed)}
                  - {at: 20s, reinstall: bob}
                  - {at: 20s, fetch: bob, expect: \(completed)}
                  - {at: 30s, reinstall: bob}
                  - {at: 30s, fetch: bob, expect: \(banned)}
                """),
        ScenarioRow(
            "a count of twelve months ago goes on",
            phone("bits: both", "{state: available, bits: 2, changed: 2019-01}")
                + "  - {at: 0s, fetch: bob, expect: \(banned)}\n"),
        // 2020-01, 2021-02, 2022-03, 2023-04: thirteen months from one to the next.
        ScenarioRow(
            "reinstalls thirteen months apart never ban",
            phone("bits: both") + """
                  - {at: 0s, fetch: bob}
                  - {at: 400d, reinstall: bob}
                  - {at: 400d, fetch: bob, expect: \(completed)}
                  - {at: 800d, reinstall: bob}
                  - {at: 800d, fetch: bob, expect: \(completed)}
                  - {at: 1190d, reinstall: bob}
                  - {at: 1190d, fetch: bob, expect: \(completed)}
                """),
        // 2020-01, 2020-12, 2021-11, 2022-10: eleven months from one to the next.
        ScenarioRow(
            "reinstalls eleven months apart do",
            phone("bits: both") + """
                  - {at: 0s, fetch: bob}
                  - {at: 335d, reinstall: bob}
                  - {at: 335d, fetch: bob, expect: \(completed)}
                  - {at: 670d, reinstall: bob}
                  - {at: 670d, fetch: bob, expect: \(completed)}
                  - {at: 1005d, reinstall: bob}
                  - {at: 1005d, fetch: bob, expect: \(banned)}
                """),
        ScenarioRow(
            "a ban by a bit ends with its expiry, for new IDs only",
            phone("bits: bit0, expiry: 1", "{state: available, bits: 1}") + """
                  - {at: 0s, fetch: bob, expect: \(banned)}
                  - {at: 50d, reinstall: bob}
                  - {at: 50d, fetch: bob, expect: \(banned)}
                  - {at: 60d, fetch: bob, expect: {rejections: [devicecheck-ban]}}
                  - {at: 61d, reinstall: bob}
                  - {at: 61d, fetch: bob, expect: \(completed)}
                """),
    ]

    static let bits = [
        ScenarioRow(
            "a ban follows the hardware (R8.4)",
            phone("bits: bit0") + """
                  - {at: 0s, fetch: bob, expect: \(completed)}
                  - {at: 1s, approov: device -add \(id) -banMode ban}
                  - {at: 300s, fetch: bob, expect: {rejections: [did-ban], flags: [did-ban, devicecheck-completed]}}
                  - {at: 301s, approov: device -remove \(id)}
                  - {at: 302s, reinstall: bob}
                  - {at: 302s, fetch: bob, expect: \(banned)}
                """),
        ScenarioRow(
            "without bits it does not (R8.8)",
            phone("bits: none") + """
                  - {at: 0s, fetch: bob, expect: \(completed)}
                  - {at: 1s, approov: device -add \(id) -banMode ban}
                  - {at: 300s, fetch: bob, expect: {rejections: [did-ban]}}
                  - {at: 302s, reinstall: bob}
                  - {at: 302s, fetch: bob, expect: \(completed)}
                """),
        ScenarioRow(
            "a ban where installs are counted (R8.5)",
            phone("bits: both") + """
                  - {at: 0s, fetch: bob, expect: \(completed)}
                  - {at: 1s, approov: device -add \(id) -banMode ban}
                  - {at: 300s, fetch: bob, expect: {rejections: [did-ban]}}
                  - {at: 302s, reinstall: bob}
                  - {at: 302s, fetch: bob, expect: \(banned)}
                """),
        ScenarioRow(
            "a ban by a filter (R8.4)",
            """
            account:
              devicecheck: {team-id: T, key-id: K, bits: bit1}
              filters: [{name: bad, key: ip, match: x, ban: true}]
            devices: {bob: {os: ios, devicecheck: available, attributes: {ip: x}}}
            steps:
              - {at: 0s, fetch: bob, expect: {rejections: [did-ban], flags: [new-did, devicecheck-completed, did-ban]}}
              - {at: 1s, set: {group: bob, attributes: {ip: "y"}}}
              - {at: 2s, reinstall: bob}
              - {at: 2s, fetch: bob, expect: \(banned)}
            """),
        ScenarioRow(
            "an unban lifts both (R8.6)",
            phone("bits: bit0", "{state: available, bits: 1}") + """
                  - {at: 0s, fetch: bob, expect: \(banned)}
                  - {at: 1s, approov: device -add \(id) -banMode unban}
                  - {at: 300s, fetch: bob, expect: {verdict: pass, flags: [did-unban, devicecheck-completed]}}
                  - {at: 301s, reinstall: bob}
                  - {at: 301s, fetch: bob, expect: \(completed)}
                """),
        ScenarioRow(
            "an unban starts the count again (R8.6)",
            phone("bits: both", "{state: available, bits: 2}") + """
                  - {at: 0s, fetch: bob, expect: \(banned)}
                  - {at: 1s, approov: device -add latest -banMode unban}
                  - {at: 300s, fetch: bob, expect: {verdict: pass, flags: [did-unban, devicecheck-completed]}}
                  - {at: 310s, reinstall: bob}
                  - {at: 310s, fetch: bob, expect: \(completed)}
                  - {at: 320s, reinstall: bob}
                  - {at: 320s, fetch: bob, expect: \(completed)}
                  - {at: 330s, reinstall: bob}
                  - {at: 330s, fetch: bob, expect: \(banned)}
                """),
        ScenarioRow(
            "without a key new IDs are not looked up, and with one again they are (R8.7)",
            phone("bits: bit0", "{state: available, bits: 1}") + """
                  - {at: 0s, fetch: bob, expect: \(banned)}
                  - {at: 1s, approov: devicecheck -remove}
                  - {at: 2s, launch: bob}
                  - {at: 2s, fetch: bob, expect: {rejections: [devicecheck-ban]}}
                  - {at: 3s, reinstall: bob}
                  - {at: 3s, fetch: bob, expect: {verdict: pass, flags: [new-did]}}
                  - {at: 4s, approov: devicecheck -addAuthKey AuthKey_K.p8 -bits bit0}
                  - {at: 5s, launch: bob}
                  - {at: 5s, fetch: bob, expect: {rejections: [devicecheck-ban]}}
                """),
    ]

    static let clearings = [
        ScenarioRow(
            "where installs are counted, clearing counts as one (R8.9)",
            phone("bits: both") + """
                  - {at: 0s, fetch: bob, expect: \(completed)}
                  - {at: 1s, approov: device -clearDeviceState}
                  - {at: 300s, fetch: bob, expect: \(completed)}
                  - {at: 301s, approov: device -clearDeviceState}
                  - {at: 600s, fetch: bob, expect: \(completed)}
                  - {at: 601s, approov: device -clearDeviceState}
                  - {at: 900s, fetch: bob, expect: \(banned)}
                """),
        ScenarioRow(
            "clearing twice before the device asks counts once",
            phone("bits: both", "{state: available, bits: 1}") + """
                  - {at: 0s, fetch: bob, expect: \(completed)}
                  - {at: 1s, approov: device -clearDeviceState}
                  - {at: 2s, approov: device -clearDeviceState}
                  - {at: 300s, fetch: bob, expect: \(banned)}
                """),
        ScenarioRow(
            "Apple's bits are not cleared (R6.5)",
            phone("bits: bit0", "{state: available, bits: 1}") + """
                  - {at: 0s, fetch: bob, expect: \(banned)}
                  - {at: 1s, approov: device -clearDeviceState}
                  - {at: 300s, fetch: bob, expect: \(banned)}
                """),
        ScenarioRow(
            "a ban of the ID alone is cleared (R6.5)",
            phone("bits: none") + """
                  - {at: 0s, fetch: bob, expect: \(completed)}
                  - {at: 1s, approov: device -add \(id) -banMode ban}
                  - {at: 300s, fetch: bob, expect: {rejections: [did-ban]}}
                  - {at: 301s, approov: device -remove \(id)}
                  - {at: 302s, approov: device -clearDeviceState}
                  - {at: 600s, fetch: bob, expect: \(completed)}
                """),
    ]

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

    static let teams = [
        ScenarioRow(
            "two accounts of one team see each other's bits (R8.10)",
            accounts("team-id: T, bits: bit0", "team-id: T, bits: bit0") + ban
                + "  - {at: 311s, fetch: two, expect: \(banned)}\n"),
        ScenarioRow(
            "with a bit each, they do not stand in each other's way (R8.4)",
            accounts("team-id: T, bits: bit0", "team-id: T, bits: bit1") + ban
                + "  - {at: 311s, fetch: two, expect: \(completed)}\n"),
        ScenarioRow(
            "of two teams (R8.10)",
            accounts("team-id: T, bits: bit0", "team-id: U, bits: bit0") + ban
                + "  - {at: 311s, fetch: two, expect: \(completed)}\n"),
        ScenarioRow(
            "a running app of the other account goes on (R8.1)",
            accounts("team-id: T, bits: bit0", "team-id: T, bits: bit0")
                + ban.replacing("reinstall: two", with: "launch: two")
                + "  - {at: 311s, fetch: two, expect: {verdict: pass, flags: [devicecheck-completed]}}\n"),
        // The manual advises against it: an install of either counts for both.
        ScenarioRow(
            "two accounts of one team that count installs (R8.10)",
            accounts("team-id: T, bits: both", "team-id: T, bits: both") + """
                  - {at: 0s, fetch: one, expect: \(completed)}
                  - {at: 1s, fetch: two, expect: \(completed)}
                  - {at: 2s, reinstall: all}
                  - {at: 3s, fetch: one, expect: \(completed)}
                  - {at: 4s, fetch: two, expect: \(banned)}
                """),
        ScenarioRow(
            "two accounts that name no team share nothing (R8.10)",
            """
            accounts:
              a: {account: one, devicecheck: {key-id: K, bits: both}}
              b: {account: two, devicecheck: {key-id: K, bits: both}}
            devices:
              one: {account: a, os: ios, devicecheck: available, physical: p}
              two: {account: b, os: ios, devicecheck: available, physical: p}
            steps:
              - {at: 0s, fetch: all, expect: \(completed)}
              - {at: 1s, reinstall: all}
              - {at: 2s, fetch: all, expect: \(completed)}
              - {at: 3s, reinstall: all}
              - {at: 4s, fetch: all, expect: \(completed)}
              - {at: 5s, reinstall: all}
              - {at: 6s, fetch: all, expect: \(banned)}
            """),
    ]

    @Test("R8 bans of hardware", arguments: reinstalls + expiries + bits + clearings + teams)
    func bans(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }
}
