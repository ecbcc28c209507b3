import Testing

@testable import TestSupport

/// When what commands change about services, certificates and registrations is in force (R1.5).
@Suite struct ServicePropagationTests {
    static let deviceCheck = ScenarioRow.table(
        """
        account: {devicecheck: {team-id: T, key-id: K}}
        devices: {one: {os: ios, devicecheck: available}, two: {os: ios, devicecheck: available}}
        == a key that is added
        account: {}
        - {at: 100s, approov: devicecheck -addAuthKey AuthKey_K.p8 -teamID T}
        - {at: 129s, fetch: one, expect: {flags: [new-did]}}
        - {at: 130s, fetch: two, expect: {flags: [new-did, devicecheck-completed]}}
        == a key that is added, and an app that is running (R8.1)
        account: {policy: 'default,strict,default'}
        - {at: 0s, fetch: one, expect: {verdict: pass, flags: [new-did]}}
        - {at: 100s, approov: devicecheck -addAuthKey AuthKey_K.p8 -teamID T}
        - {at: 299s, fetch: one, expect: {cached: 1, flags: [new-did]}}
        - {at: 300s, fetch: one, expect: {verdict: fail, rejections: [devicecheck-missing]}}
        - {at: 900s, fetch: one, expect: {attested: 1, rejections: [devicecheck-missing]}}
        - {at: 901s, launch: one}
        - {at: 901s, fetch: one, expect: {verdict: pass, flags: [devicecheck-completed]}}
        == a key that is removed (R8.7)
        - {at: 100s, approov: devicecheck -remove}
        - {at: 129s, fetch: one, expect: {flags: [new-did, devicecheck-completed]}}
        - {at: 130s, fetch: two, expect: {flags: [new-did]}}
        - {at: 500s, fetch: one, expect: {flags: [devicecheck-completed]}}
        == bits that are used from now on
        devices: {one: {os: ios, devicecheck: {state: available, bits: 1}}, two: {os: ios, devicecheck: {state: available, bits: 1}}}
        - {at: 100s, approov: devicecheck -addAuthKey AuthKey_K.p8 -bits bit0}
        - {at: 129s, fetch: one, expect: {flags: [new-did, devicecheck-completed]}}
        - {at: 130s, fetch: two, expect: {flags: [new-did, devicecheck-completed, devicecheck-ban]}}
        """)

    static let safetyNet = ScenarioRow.table(
        """
        == a key that is set
        account: {}
        devices: {one: {os: android, safetynet: pass}, two: {os: android, safetynet: pass}}
        - {at: 100s, approov: safetynet -set k}
        - {at: 129s, fetch: one, expect: {flags: [new-did]}}
        - {at: 130s, fetch: two, expect: {flags: [new-did, safetynet-completed]}}
        # R9.1: at the next attestation, without a launch.
        - {at: 428s, fetch: one, expect: {cached: 1, flags: [new-did]}}
        - {at: 429s, fetch: one, expect: {attested: 1, flags: [safetynet-completed]}}
        == a key that is removed (R9.1)
        account: {safetynet: {api-key: k}}
        devices: {one: {os: android, safetynet: fail-integrity}, two: {os: android, safetynet: fail-integrity}}
        - {at: 100s, approov: safetynet -remove}
        - {at: 129s, fetch: one, expect: {verdict: fail, rejections: [safetynet-fail-integrity]}}
        - {at: 130s, fetch: two, expect: {verdict: pass, flags: [new-did]}}
        - {at: 500s, fetch: one, expect: {attested: 1, rejections: [safetynet-fail-integrity]}}
        """)

    // "The impact is only for apps which are started 30 seconds or more after the change."
    static let certificates = ScenarioRow.table(
        """
        account: {safetynet: {api-key: k}}
        devices: {one: {os: android, safetynet: fail-cert}, two: {os: android, safetynet: fail-cert}}
        == a certificate that is added
        - {at: 100s, approov: "appsigncert -add C0:F3:15:9B:A5:6C:A8:E1"}
        - {at: 129s, launch: one}
        - {at: 130s, launch: two}
        - {at: 200s, fetch: one, expect: {verdict: pass, flags: [new-did, safetynet-completed]}}
        - {at: 200s, fetch: two, expect: {verdict: fail, rejections: [safetynet-fail-cert]}}
        == a certificate that is added, and an app that continues
        - {at: 0s, fetch: one, expect: {verdict: pass, flags: [new-did, safetynet-completed]}}
        - {at: 100s, approov: "appsigncert -add C0:F3:15:9B:A5:6C:A8:E1"}
        - {at: 1000s, fetch: two, expect: {verdict: pass, flags: [new-did, safetynet-completed]}}
        == the last certificate that is removed
        account: {safetynet: {api-key: k}, app-signing-certs: ['C0:F3:15:9B:A5:6C:A8:E1']}
        - {at: 100s, approov: "appsigncert -remove C0:F3:15:9B:A5:6C:A8:E1"}
        - {at: 129s, launch: one}
        - {at: 130s, launch: two}
        - {at: 200s, fetch: one, expect: {verdict: fail, rejections: [safetynet-fail-cert]}}
        - {at: 200s, fetch: two, expect: {verdict: pass, flags: [new-did, safetynet-completed]}}
        == one of two certificates that is removed
        account: {safetynet: {api-key: k}, app-signing-certs: ['C0:F3:15:9B:A5:6C:A8:E1', '00:11:22:33:44:55:66:77']}
        - {at: 100s, approov: "appsigncert -remove C0:F3:15:9B:A5:6C:A8:E1"}
        - {at: 130s, launch: one}
        - {at: 200s, fetch: one, expect: {verdict: fail, rejections: [safetynet-fail-cert]}}
        """)

    // "With a delay of up to 30 seconds"; "running apps may already hold a cached Approov token".
    static let registrations = ScenarioRow.table(
        """
        account:
          registrations:
            - {app-sig: S=, appid: a, app-version: "1", added: 2019-01-01T00:00:00Z}
            - {app-sig: S=, appid: a, app-version: "2", added: 2019-12-31T23:59:00Z}
        devices:
          old: {attributes: {app-sig: S=, appid: a, app-version: "1"}}
          new: {attributes: {app-sig: S=, appid: a, app-version: "2"}}
        == a registration that is removed
        - {at: 0s, fetch: new, expect: {verdict: pass}}
        - {at: 100s, approov: registration -remove S=a-1}
        - {at: 129s, fetch: old, expect: {verdict: pass}}
        - {at: 428s, fetch: old, expect: {cached: 1, verdict: pass}}
        - {at: 429s, fetch: old, expect: {verdict: fail, rejections: [app-not-registered]}}
        - {at: 429s, fetch: new, expect: {attested: 1, verdict: pass}}
        == a registration that is removed, to the second
        - {at: 100s, approov: registration -remove S=a-1}
        - {at: 129s, fetch: old, expect: {verdict: pass}}
        - {at: 130s, launch: old}
        - {at: 130s, fetch: old, expect: {verdict: fail, flags: [app-not-registered]}}
        == old registrations that are removed
        - {at: 100s, approov: "registration -removeMatching a,1d"}
        - {at: 129s, fetch: old, expect: {verdict: pass}}
        - {at: 130s, launch: old}
        - {at: 130s, fetch: all, expect: [{group: old, verdict: fail}, {group: new, verdict: pass}]}
        == registrations that grow old enough in the meantime
        - {at: 60s, approov: "registration -removeMatching a,1m"}
        - {at: 89s, fetch: all, expect: {verdict: pass}}
        - {at: 90s, launch: all}
        - {at: 90s, fetch: all, expect: {verdict: fail, rejections: [app-not-registered]}}
        """)

    @Test("R1.5 in force after 30 s", arguments: deviceCheck + safetyNet + certificates + registrations)
    func inForce(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }
}

/// Commands of a scenario that its accounts would refuse are errors at their positions, before anything runs.
@Suite struct ServiceRehearsalTests {
    private static let noFile = "certificate `nowhere.der`: no such file or directory"

    private static func account(_ name: String, _ account: String, _ steps: String, _ problems: Problem...) -> LoaderRow
    {
        LoaderRow(
            name, "scenario: s\naccount: {\(account)}\nsteps:\n\(steps)\nexpect: {metrics: {pass: 0}}\n", problems)
    }

    static let refused: [LoaderRow] = [
        .command(
            "a key without a team", "①devicecheck -addAuthKey AuthKey_X.p8",
            "① `-addAuthKey` needs `-teamID`; hint: the developer account shows the team ID"),
        .command("no DeviceCheck key", "①devicecheck -remove", "① there is no DeviceCheck key"),
        .command("no SafetyNet key", "①safetynet -remove", "① there is no SafetyNet API key"),
        .command("a domain", "①api -remove a.com", "① there is no API domain `a.com`"),
        .command(
            "a certificate", "①\"appsigncert -remove C0:F3:15:9B:A5:6C:A8:E1\"",
            "① there is no app signing certificate `C0:F3:15:9B:A5:6C:A8:E1`"),
        .command(
            "a certificate's file", "①appsigncert -add nowhere.der",
            "① \(noFile); hint: a fingerprint can be given instead"),
        .command("a registration", "①registration -remove S=a-1", "① there is no registration `S=a-1`"),
        .command("registrations", "①\"registration -removeMatching a,30d\"", "① no registration of `a` is 30d old"),
    ]

    static let later: [LoaderRow] = [
        account(
            "a key that is removed twice", "devicecheck: {team-id: T, key-id: K}",
            "- {at: 0s, approov: devicecheck -remove}\n- {at: 1s, approov: ①devicecheck -remove}",
            "① there is no DeviceCheck key"),
        account(
            "a key of SafetyNet that is removed twice", "",
            "- {at: 0s, approov: safetynet -set k}\n- {at: 1s, approov: safetynet -remove}\n"
                + "- {at: 2s, approov: ①safetynet -remove}", "① there is no SafetyNet API key"),
        account(
            "a certificate that is added twice", "",
            "- {at: 0s, approov: 'appsigncert -add C0:F3:15:9B:A5:6C:A8:E1'}\n"
                + "- {at: 1s, approov: ①'appsigncert -add C0:F3:15:9B:A5:6C:A8:E1:00'}",
            "① app signing certificate `C0:F3:15:9B:A5:6C:A8:E1` exists already"),
        account(
            "a domain that is added twice", "apis: [{domain: b.com}]",
            "- {at: 0s, approov: api -add a.com}\n- {at: 1s, approov: ①api -add A.com}",
            "① API domain `A.com` exists already"),
        account(
            "a domain that is removed twice", "apis: [{domain: a.com}, {domain: b.com}]",
            "- {at: 0s, approov: api -remove a.com}\n- {at: 1s, approov: ①api -remove a.com}",
            "① there is no API domain `a.com`; hint: did you mean `b.com`?"),
        account(
            "a registration that is removed twice", "registrations: [{app-sig: S=, appid: a}]",
            "- {at: 0s, approov: registration -remove S=a-*}\n- {at: 1s, approov: ①registration -remove S=a-*}",
            "① there is no registration `S=a-*`"),
        // Time goes by from step to step: at 0s it is a minute old, at 1m two.
        account(
            "registrations that are not old enough yet",
            "registrations: [{app-sig: S=, appid: a, added: 2019-12-31T23:59:00Z}]",
            "- {at: 0s, approov: ①'registration -removeMatching a,90s'}\n"
                + "- {at: 1m, approov: 'registration -removeMatching a,90s'}",
            "① no registration of `a` is 1m30s old"),
        account(
            "several mistakes, all of them reported", "",
            "- {at: 0s, approov: ①api -remove a.com}\n- {at: 0s, approov: ②safetynet -remove}\n"
                + "- {at: 0s, approov: ③registration -remove x}",
            "① there is no API domain `a.com`", "② there is no SafetyNet API key",
            "③ there is no registration `x`"),
    ]

    @Test("formats: is refused at its position", arguments: refused + later)
    func saysWhatIsWrong(_ row: LoaderRow) { row.expect(isLoaded: false) }

    static let taken: [LoaderRow] = [
        account(
            "what an earlier command made possible", "team: T",
            "- {at: 0s, approov: devicecheck -addAuthKey AuthKey_K.p8}\n- {at: 0s, approov: devicecheck -remove}\n"
                + "- {at: 0s, approov: safetynet -set k}\n- {at: 0s, approov: safetynet -remove}\n"
                + "- {at: 0s, approov: 'appsigncert -add C0:F3:15:9B:A5:6C:A8:E1'}\n"
                + "- {at: 0s, approov: 'appsigncert -remove C0:F3:15:9B:A5:6C:A8:E1'}\n"
                + "- {at: 0s, approov: registration -list}"),
        account(
            "the first domain and the last", "",
            "- {at: 0s, approov: ①api -add a.com}\n- {at: 0s, approov: ②api -remove a.com}",
            "① from now on only `a.com` is served; before, every domain was",
            "② the account lists no API domain any more, so none is served"),
        account(
            "registrations that grew old", "registrations: [{app-sig: S=, appid: a, added: 2020-01-01T00:00:00Z}]",
            "- {at: 1h, approov: 'registration -removeMatching a,59m59s'}"),
    ]

    @Test("formats: is taken, with warnings", arguments: taken)
    func takesWhatMayBe(_ row: LoaderRow) { row.expect(isLoaded: true) }

    @Test("formats: each account is rehearsed apart") func accounts() {
        let row = LoaderRow.twoAccounts(
            "",
            "steps:\n- {at: 0s, approov: safetynet -set k, account: a}\n"
                + "- {at: 1s, approov: safetynet -remove, account: a}\n"
                + "- {at: 1s, approov: ①safetynet -remove, account: b}",
            "① there is no SafetyNet API key")
        #expect(row.outcome.found == row.outcome.expected)
    }
}
