import Testing

@testable import TestSupport

/// When what commands change about services, certificates and registrations is in force (R1.5).
@Suite struct ServicePropagationTests {
    private static func phones(_ account: String) -> String {
        "account: {\(account)}\n"
            + "devices: {one: {os: ios, devicecheck: available}, two: {os: ios, devicecheck: available}}\nsteps:\n"
    }

    static let deviceCheck = [
        ScenarioRow(
            "a key that is added",
            phones("") + """
                  - {at: 100s, approov: devicecheck -addAuthKey AuthKey_K.p8 -teamID T}
                  - {at: 129s, fetch: one, expect: {flags: [new-did]}}
                  - {at: 130s, fetch: two, expect: {flags: [new-did, devicecheck-completed]}}
                """),
        ScenarioRow(
            "a key that is added, and an app that is running (R8.1)",
            phones("policy: 'default,strict,default'") + """
                  - {at: 0s, fetch: one, expect: {verdict: pass, flags: [new-did]}}
                  - {at: 100s, approov: devicecheck -addAuthKey AuthKey_K.p8 -teamID T}
                  - {at: 299s, fetch: one, expect: {cached: 1, flags: [new-did]}}
                  - {at: 300s, fetch: one, expect: {verdict: fail, rejections: [devicecheck-missing]}}
                  - {at: 900s, fetch: one, expect: {attested: 1, rejections: [devicecheck-missing]}}
                  - {at: 901s, launch: one}
                  - {at: 901s, fetch: one, expect: {verdict: pass, flags: [devicecheck-completed]}}
                """),
        ScenarioRow(
            "a key that is removed (R8.7)",
            phones("devicecheck: {team-id: T, key-id: K}") + """
                  - {at: 100s, approov: devicecheck -remove}
                  - {at: 129s, fetch: one, expect: {flags: [new-did, devicecheck-completed]}}
                  - {at: 130s, fetch: two, expect: {flags: [new-did]}}
                  - {at: 500s, fetch: one, expect: {flags: [devicecheck-completed]}}
                """),
        ScenarioRow(
            "bits that are used from now on",
            phones("devicecheck: {team-id: T, key-id: K}").replacing(
                "devicecheck: available}", with: "devicecheck: {state: available, bits: 1}}")
                    + """
                      - {at: 100s, approov: devicecheck -addAuthKey AuthKey_K.p8 -bits bit0}
                      - {at: 129s, fetch: one, expect: {flags: [new-did, devicecheck-completed]}}
                      - {at: 130s, fetch: two, expect: {flags: [new-did, devicecheck-completed, devicecheck-ban]}}
                    """),
    ]

    private static func droids(_ account: String, _ safetyNet: String = "pass") -> String {
        "account: {\(account)}\n"
            + "devices: {one: {os: android, safetynet: \(safetyNet)}, two: {os: android, safetynet: \(safetyNet)}}\n"
            + "steps:\n"
    }

    static let safetyNet = [
        ScenarioRow(
            "a key that is set",
            droids("") + """
                  - {at: 100s, approov: safetynet -set k}
                  - {at: 129s, fetch: one, expect: {flags: [new-did]}}
                  - {at: 130s, fetch: two, expect: {flags: [new-did, safetynet-completed]}}
                  # R9.1: at the next attestation, without a launch.
                  - {at: 428s, fetch: one, expect: {cached: 1, flags: [new-did]}}
                  - {at: 429s, fetch: one, expect: {attested: 1, flags: [safetynet-completed]}}
                """),
        ScenarioRow(
            "a key that is removed (R9.1)",
            droids("safetynet: {api-key: k}", "fail-integrity") + """
                  - {at: 100s, approov: safetynet -remove}
                  - {at: 129s, fetch: one, expect: {verdict: fail, rejections: [safetynet-fail-integrity]}}
                  - {at: 130s, fetch: two, expect: {verdict: pass, flags: [new-did]}}
                  - {at: 500s, fetch: one, expect: {attested: 1, rejections: [safetynet-fail-integrity]}}
                """),
    ]

    // "The impact is only for apps which are started 30 seconds or more after the change."
    static let certificates = [
        ScenarioRow(
            "a certificate that is added",
            droids("safetynet: {api-key: k}", "fail-cert") + """
                  - {at: 100s, approov: "appsigncert -add C0:F3:15:9B:A5:6C:A8:E1"}
                  - {at: 129s, launch: one}
                  - {at: 130s, launch: two}
                  - {at: 200s, fetch: one, expect: {verdict: pass, flags: [new-did, safetynet-completed]}}
                  - {at: 200s, fetch: two, expect: {verdict: fail, rejections: [safetynet-fail-cert]}}
                """),
        ScenarioRow(
            "a certificate that is added, and an app that goes on",
            droids("safetynet: {api-key: k}", "fail-cert") + """
                  - {at: 0s, fetch: one, expect: {verdict: pass, flags: [new-did, safetynet-completed]}}
                  - {at: 100s, approov: "appsigncert -add C0:F3:15:9B:A5:6C:A8:E1"}
                  - {at: 1000s, fetch: two, expect: {verdict: pass, flags: [new-did, safetynet-completed]}}
                """),
        ScenarioRow(
            "the last certificate that is removed",
            droids("safetynet: {api-key: k}, app-signing-certs: ['C0:F3:15:9B:A5:6C:A8:E1']", "fail-cert") + """
                  - {at: 100s, approov: "appsigncert -remove C0:F3:15:9B:A5:6C:A8:E1"}
                  - {at: 129s, launch: one}
                  - {at: 130s, launch: two}
                  - {at: 200s, fetch: one, expect: {verdict: fail, rejections: [safetynet-fail-cert]}}
                  - {at: 200s, fetch: two, expect: {verdict: pass, flags: [new-did, safetynet-completed]}}
                """),
        ScenarioRow(
            "one of two certificates that is removed",
            droids(
                "safetynet: {api-key: k}, app-signing-certs: ['C0:F3:15:9B:A5:6C:A8:E1', '00:11:22:33:44:55:66:77']",
                "fail-cert")
                    + """
                      - {at: 100s, approov: "appsigncert -remove C0:F3:15:9B:A5:6C:A8:E1"}
                      - {at: 130s, launch: one}
                      - {at: 200s, fetch: one, expect: {verdict: fail, rejections: [safetynet-fail-cert]}}
                    """),
    ]

    private static let apps = """
        account:
          registrations:
            - {app-sig: S=, appid: a, app-version: "1", added: 2019-01-01T00:00:00Z}
            - {app-sig: S=, appid: a, app-version: "2", added: 2019-12-31T23:59:00Z}
        devices:
          old: {attributes: {app-sig: S=, appid: a, app-version: "1"}}
          new: {attributes: {app-sig: S=, appid: a, app-version: "2"}}
        steps:

        """

    // "With a delay of up to 30 seconds"; "running apps may already hold a cached Approov token".
    static let registrations = [
        ScenarioRow(
            "a registration that is removed",
            apps + """
                  - {at: 0s, fetch: new, expect: {verdict: pass}}
                  - {at: 100s, approov: registration -remove S=a-1}
                  - {at: 129s, fetch: old, expect: {verdict: pass}}
                  - {at: 428s, fetch: old, expect: {cached: 1, verdict: pass}}
                  - {at: 429s, fetch: old, expect: {verdict: fail, rejections: [app-not-registered]}}
                  - {at: 429s, fetch: new, expect: {attested: 1, verdict: pass}}
                """),
        ScenarioRow(
            "a registration that is removed, to the second",
            apps + """
                  - {at: 100s, approov: registration -remove S=a-1}
                  - {at: 129s, fetch: old, expect: {verdict: pass}}
                  - {at: 130s, launch: old}
                  - {at: 130s, fetch: old, expect: {verdict: fail, flags: [app-not-registered]}}
                """),
        ScenarioRow(
            "old registrations that are removed",
            apps + """
                  - {at: 100s, approov: "registration -removeMatching a,1d"}
                  - {at: 129s, fetch: old, expect: {verdict: pass}}
                  - {at: 130s, launch: old}
                  - {at: 130s, fetch: all, expect: [{group: old, verdict: fail}, {group: new, verdict: pass}]}
                """),
        ScenarioRow(
            "registrations that grow old enough in the meantime",
            apps + """
                  - {at: 60s, approov: "registration -removeMatching a,1m"}
                  - {at: 89s, fetch: all, expect: {verdict: pass}}
                  - {at: 90s, launch: all}
                  - {at: 90s, fetch: all, expect: {verdict: fail, rejections: [app-not-registered]}}
                """),
    ]

    @Test("R1.5 in force after 30 s", arguments: deviceCheck + safetyNet + certificates + registrations)
    func inForce(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }
}
