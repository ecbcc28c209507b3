import Testing

@testable import Scenarios
@testable import TestSupport

/// DeviceCheck, SafetyNet and registration of groups, and the warnings about groups without them (R4.7, R8, R9, R15; formats:
/// Scenario).
@Suite struct ServiceGroupTests {
    private static func missing(_ group: String, _ service: String) -> String {
        "group `\(group)` has no `\(service)`, so its devices count as `\(service)-missing`"
    }

    private static let noEffect = "`registered` has no effect, because the account lists registrations"
    private static let decides = "`app-sig`, `appid` and `app-version` decide"

    static let warnings: [LoaderRow] = [
        .head(
            "no DeviceCheck", "account: {devicecheck: {team-id: T, key-id: K}}\ndevices: {①bob: {os: ios}}",
            Problem("①", missing("bob", "devicecheck"))),
        .head(
            "no SafetyNet", "account: {safetynet: {api-key: k}}\ndevices: {①bob: {os: android}}",
            Problem("①", missing("bob", "safetynet"))),
        .head(
            "neither, in several groups",
            "account: {safetynet: {api-key: k}, devicecheck: {team-id: T, key-id: K}}\n"
                + "devices: {①a: {os: android}, ②i: {os: ios}, x: {}, b: {os: android, safetynet: unavailable}}",
            Problem("①", missing("a", "safetynet")), Problem("②", missing("i", "devicecheck"))),
        .head(
            "registered where registrations are listed",
            "account: {registrations: []}\ndevices: {a: {registered: ①false}, b: {registered: ②true}, c: {}}",
            "① \(noEffect); hint: \(decides)", "② \(noEffect); hint: \(decides)"),
        .twoAccounts(
            "only what the group's own account has on",
            "devices: {one: {account: a, os: android}, two: {account: b, os: android}}"),
    ]

    static let silent: [LoaderRow] = [
        .head("nothing is on", "devices: {a: {os: android}, i: {os: ios}}"),
        .head(
            "the other system",
            "account: {safetynet: {api-key: k}, devicecheck: {team-id: T, key-id: K}}\n"
                + "devices: {a: {os: android, safetynet: pass}, i: {os: ios, devicecheck: available}}"),
        .head(
            "a system that nobody knows",
            "account: {safetynet: {api-key: k}, devicecheck: {team-id: T, key-id: K}}\ndevices: {x: {}}"),
        .head("only a team", "account: {team: T}\ndevices: {i: {os: ios}}"),
        .head(
            "observed results",
            "account: {safetynet: {api-key: k}, devicecheck: {team-id: T, key-id: K}}\n"
                + "devices: {a: {os: android, flags: [safetynet-completed]}, "
                + "b: {os: android, flags: [safetynet-unavailable]}, c: {os: ios, flags: [devicecheck-completed]}, "
                + "d: {os: ios, flags: [devicecheck-unavailable]}, e: {os: ios, flags: [devicecheck-failed]}}"),
        .head("registered where none are listed", "devices: {a: {registered: false}}"),
    ]

    @Test("R4.7 warns of what is probably not meant", arguments: warnings + silent)
    func warns(_ row: LoaderRow) { row.expect(isLoaded: true) }

    // R4.7: what the warnings say.
    @Test("R4.7 devices of such groups count as missing") func countAsMissing() throws {
        try ScenarioText.expectToHold(
            """
            account:
              policy: default,strict,default
              safetynet: {api-key: k}
              devicecheck: {team-id: T, key-id: K}
            devices: {a: {os: android}, i: {os: ios}, x: {}}
            steps:
              - at: 0s
                fetch: all
                expect:
                  - {group: a, rejections: [safetynet-missing], flags: [new-did, safetynet-missing]}
                  - {group: i, rejections: [devicecheck-missing], flags: [new-did, devicecheck-missing]}
                  - {group: x, verdict: pass, flags: [new-did]}
            """)
    }

    struct State: LabelledRow {
        let name, account, device, flags: String
    }

    private static let on = "devicecheck: {team-id: T, key-id: K, bits: bit0}, safetynet: {api-key: k}"

    private static func iPhone(_ name: String, _ state: String, gives flags: String, on account: String = on) -> State {
        State(name: name, account: account, device: "os: ios, devicecheck: \(state)", flags: flags)
    }

    private static func android(_ name: String, _ state: String, gives flags: String, on account: String = on) -> State
    {
        State(name: name, account: account, device: "os: android, safetynet: \(state)", flags: flags)
    }

    static let states = [
        iPhone("available", "available", gives: "devicecheck-completed"),
        iPhone("available, in full", "{state: available}", gives: "devicecheck-completed"),
        iPhone("unavailable", "unavailable", gives: "devicecheck-unavailable"),
        iPhone("invalid", "invalid", gives: "devicecheck-failed"),
        iPhone("invalid, whatever its bits", "{state: invalid, bits: 3}", gives: "devicecheck-failed"),
        State(
            name: "iOS, named by the `device` attribute", account: on,
            device: "devicecheck: available, attributes: {device: 'iOS, 13.5'}", flags: "devicecheck-completed"),
        iPhone("no bits", "{state: available, bits: 0}", gives: "devicecheck-completed"),
        iPhone("the bit", "{state: available, bits: 1}", gives: "devicecheck-completed, devicecheck-ban"),
        iPhone("the other bit", "{state: available, bits: 2}", gives: "devicecheck-completed"),
        iPhone("both bits", "{state: available, bits: 3}", gives: "devicecheck-completed, devicecheck-ban"),
        iPhone(
            "the other bit where it is used", "{state: available, bits: 2}",
            gives: "devicecheck-completed, devicecheck-ban", on: "devicecheck: {team-id: T, key-id: K, bits: bit1}"),
        iPhone(
            "no bits are used", "{state: available, bits: 3}", gives: "devicecheck-completed",
            on: "devicecheck: {team-id: T, key-id: K}"),
        // R8.3: the scenario starts in 2020-01.
        iPhone(
            "a bit of twelve months ago", "{state: available, bits: 1, changed: 2019-01}",
            gives: "devicecheck-completed, devicecheck-ban"),
        iPhone(
            "a bit of thirteen months ago", "{state: available, bits: 1, changed: 2018-12}",
            gives: "devicecheck-completed"),
        iPhone(
            "a bit of this month", "{state: available, bits: 1, changed: 2020-01}",
            gives: "devicecheck-completed, devicecheck-ban"),
        iPhone(
            "a bit of two months ago, where one counts", "{state: available, bits: 1, changed: 2019-11}",
            gives: "devicecheck-completed", on: "devicecheck: {team-id: T, key-id: K, bits: bit0, expiry: 1}"),
        iPhone(
            "a bit of one month ago, where one counts", "{state: available, bits: 1, changed: 2019-12}",
            gives: "devicecheck-completed, devicecheck-ban",
            on: "devicecheck: {team-id: T, key-id: K, bits: bit0, expiry: 1}"),
        android("pass", "pass", gives: "safetynet-completed"),
        android("fail-token", "fail-token", gives: "safetynet-completed, safetynet-fail-token, risky-device"),
        android(
            "fail-integrity", "fail-integrity", gives: "safetynet-completed, safetynet-fail-integrity, risky-device"),
        android("fail-profile", "fail-profile", gives: "safetynet-completed, safetynet-fail-profile, risky-device"),
        android("fail-cert without certificates", "fail-cert", gives: "safetynet-completed"),
        android(
            "fail-cert with certificates", "fail-cert", gives: "safetynet-completed, safetynet-fail-cert, risky-device",
            on: on + ", app-signing-certs: ['C0:F3:15:9B:A5:6C:A8:E1']"),
        android("no SafetyNet to be had", "unavailable", gives: "safetynet-unavailable"),
        iPhone("both are off", "{state: available, bits: 3}", gives: "", on: ""),
        android("SafetyNet is off", "fail-token", gives: "", on: ""),
    ]

    @Test("R8.2, R8.3, R9.2 what devices answer", arguments: states) func answers(_ row: State) throws {
        let flags = row.flags.isEmpty ? "new-did" : "new-did, \(row.flags)"
        try ScenarioText.expectToHold(
            """
            account: {\(row.account)}
            devices: {bob: {\(row.device)}}
            steps: [{at: 0s, fetch: bob, expect: {flags: [\(flags)]}}]
            """)
    }

    @Test("formats: Apple has the bits of every device of a group") func bitsOfAGroup() throws {
        try ScenarioText.expectToHold(
            """
            account: {devicecheck: {team-id: T, key-id: K, bits: bit0}}
            devices:
              banned: {count: 3, os: ios, devicecheck: {state: available, bits: 1}}
              good: {count: 2, os: ios, devicecheck: available}
            steps: [{at: 0s, fetch: all, expect: [{flags: {devicecheck-ban: 3}}, {group: good, pass: 2}]}]
            """)
    }

    static let teams = ScenarioRow.table(
        """
        devices: {bob: {os: ios, devicecheck: {state: available, bits: 1}}}
        == the team of the account
        account: {team: T}
        - {at: 0s, approov: devicecheck -addAuthKey AuthKey_K.p8 -bits bit0}
        - {at: 30s, fetch: bob, expect: {rejections: [devicecheck-ban]}}
        == the team that a later command brings
        - {at: 0s, fetch: bob, expect: {verdict: pass}}
        - {at: 1h, approov: devicecheck -addAuthKey AuthKey_K.p8 -teamID LATER -bits bit0}
        - {at: 2h, launch: bob}
        - {at: 2h, fetch: bob, expect: {rejections: [devicecheck-ban]}}
        == another team than the account's
        # R8.10: another team sees none of them.
        account: {team: T}
        - {at: 0s, approov: devicecheck -addAuthKey AuthKey_K.p8 -teamID OTHER -bits bit0}
        - {at: 30s, fetch: bob, expect: {verdict: pass, flags: [new-did, devicecheck-completed]}}
        == the first of two teams that commands bring
        - {at: 0s, approov: devicecheck -addAuthKey AuthKey_K.p8 -teamID ONE -bits bit0}
        - {at: 1m, approov: devicecheck -remove}
        - {at: 2m, approov: devicecheck -addAuthKey AuthKey_K.p8 -teamID TWO -bits bit0}
        - {at: 1h, fetch: bob, expect: {verdict: pass, flags: [new-did, devicecheck-completed]}}
        == a key without a team, and the team later (R8.3)
        account: {devicecheck: {key-id: K, bits: bit0}}
        - {at: 0s, fetch: bob, expect: {rejections: [devicecheck-ban]}}
        - {at: 1m, approov: devicecheck -addAuthKey AuthKey_K.p8 -teamID LATER -bits bit0}
        - {at: 1h, reinstall: bob}
        - {at: 1h, fetch: bob, expect: {rejections: [devicecheck-ban]}}
        == a team after more commands than are rehearsed (R8.3)
        - {at: 0s, approov: policy -setARC off, every: 1s, until: 20001s}
        - {at: 20010s, approov: devicecheck -addAuthKey AuthKey_K.p8 -teamID LATER -bits bit0}
        - {at: 20100s, fetch: bob, expect: {rejections: [devicecheck-ban]}}
        == each account's own team
        accounts: {a: {devicecheck: {team-id: T, key-id: K, bits: bit0}}, b: {}}
        devices:
          one: {account: a, os: ios, devicecheck: {state: available, bits: 1}}
          two: {account: b, os: ios, devicecheck: {state: available, bits: 1}}
        - {at: 0s, approov: devicecheck -addAuthKey AuthKey_K.p8 -teamID U -bits bit0, account: b}
        - {at: 30s, fetch: all, expect: {rejections: [devicecheck-ban]}}
        """)

    @Test("R8.3 the bits belong to the team of whatever account evaluates the devices") func bitsOfACandidate() throws {
        let scenario = try ScenarioText.load(
            """
            account: {team: T}
            devices: {bob: {os: ios, devicecheck: {state: available, bits: 1}}}
            steps:
              - {at: 0s, approov: devicecheck -addAuthKey AuthKey_K.p8 -teamID STEP -bits bit0}
              - {at: 1m, fetch: bob, expect: {verdict: pass}}
            """)
        #expect(scenario.developerTeams(ofAccount: 0) == ["T"])
        let other = try AccountText.account("team: U")
        #expect(scenario.replacingAccount(by: other).developerTeams(ofAccount: 0) == ["U"])
        let none = try AccountText.account("account: a")
        #expect(scenario.replacingAccount(by: none).developerTeams(ofAccount: 0) == ["account\na", "STEP"])
    }

    @Test("R8.10 Apple has bits from the start, for the first team of the account", arguments: teams)
    func bitsOfATeam(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }
}
