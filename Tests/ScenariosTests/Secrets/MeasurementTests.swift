import Testing

@testable import PolicyEngine
@testable import TestSupport

/// Measurements beside tokens, and their proofs (R22).
@Suite struct MeasurementTests {
    private static let lock = "features: [measurement], apis: [{domain: lock.com, alg: A256GCMKW}, {domain: a.com}]"

    private static let usual = """
        account: {propagation: 0s, \(lock)}
        devices: {bob: {}}
        """

    static let tokens = ScenarioRow.table(
        """
        \(usual)
        == R22.1 it always attests anew, and its token carries the measurement
        - {at: 0s, fetch: bob, domain: lock.com, expect: {attested: 1, token: {claims: {imh: none, dmh: none, mpk: none}}}}
        - at: 1s
          fetch: bob
          domain: lock.com?measurement
          expect: {attested: 1, token: {alg: A256GCMKW, signature: valid, claims: {imh: any, dmh: any, mpk: any}}}
        - {at: 2s, fetch: bob, domain: 'https://LOCK.com/v1?measurement', expect: {attested: 1}}
        # What others get of that attestation carries none.
        - {at: 3s, fetch: bob, domain: lock.com, expect: {cached: 1, token: {claims: {imh: none}}}}
        - {at: 4s, request: bob, to: lock.com?measurement, expect: {attested: 1, accepted: 1}}
        - {at: 5s, network: {group: bob, state: none}}
        - {at: 6s, fetch: bob, domain: lock.com?measurement, expect: {result: NO_NETWORK}}
        """)

    private static let phone =
        "attributes: {device: 'Android 8.1.0, Nexus 5X, google, bullhead, en', app-version: '1.0'}"
    static let proofs = ScenarioRow.table(
        """
        \(usual)
        == R22.2 the same app on the same device proves it, without network, over launches
        devices: {bob: {\(phone)}}
        - {at: 0s, fetch: all, domain: lock.com?measurement}
        - {at: 1s, network: {group: bob, state: none}}
        - {at: 2s, launch: bob}
        - {at: 1h, prove: {group: bob, kind: integrity}, expect: {proof: match}}
        - {at: 1h, prove: {group: bob, kind: device}, expect: {proof: match}}
        - {at: 2h, network: {group: bob, state: ok}}
        - {at: 2h, fetch: bob}
        expect: {metrics: {sdk-calls-integrity-proof: 1, sdk-calls-device-proof: 1}}
        == R22.2 without a measurement there is nothing to prove
        devices: {bob: {}, bad: {flags: [frida]}}
        - {at: 0s, prove: {group: bob, kind: integrity}, expect: {proof: none}}
        - {at: 1s, fetch: all, domain: lock.com?measurement}
        # The backend hands on nothing of a token that is not valid.
        - {at: 2s, prove: {group: all, kind: device}, expect: {proof: {match: 1, none: 1}}}
        - {at: 3s, reinstall: bob}
        - {at: 4s, prove: {group: bob, kind: device}, expect: {proof: none}}
        == R22.2 what changes the integrity leaves the device alone
        devices: {version: {\(phone)}, signature: {\(phone)}, system: {\(phone)}, debugged: {\(phone)}, rooted: {\(phone)},
          tampered: {\(phone)}, framework: {\(phone)}, other: {\(phone)}}
        - {at: 0s, fetch: all, domain: lock.com?measurement}
        - {at: 1s, set: {group: version, attributes: {app-version: '1.1'}}}
        - {at: 1s, set: {group: signature, attributes: {app-sig: S}}}
        - {at: 1s, set: {group: system, attributes: {device: 'Android 9, Nexus 5X, google, bullhead, en'}}}
        - {at: 1s, set: {group: debugged, flags: [debug]}}
        - {at: 1s, set: {group: rooted, flags: [rooted]}}
        - {at: 1s, set: {group: tampered, flags: [memory-tampered]}}
        - {at: 1s, set: {group: framework, flags: [xposed]}}
        # Neither the language nor a flag of another kind is of the integrity.
        - at: 1s
          set:
            group: other
            flags: [automated]
            attributes: {device: 'Android 8.1.0, Nexus 5X, google, bullhead, de', ip: 1.2.3.4}
        - at: 2s
          prove: {group: all, kind: integrity}
          expect: [{proof: {mismatch: 7, match: 1}}, {group: other, proof: match}]
        - {at: 3s, prove: {group: all, kind: device}, expect: {proof: match}}
        == R22.2 another version of the SDK is another integrity, and has another key of proofs
        devices: {bob: {attributes: {sdk-version: 2.4.0}}, amy: {attributes: {sdk-version: 2.4.0}}}
        - {at: 0s, fetch: all, domain: lock.com?measurement}
        - {at: 1s, prove: {group: all, kind: integrity}, expect: {proof: match}}
        - {at: 2s, set: {group: bob, attributes: {sdk-version: 2.5.0}}}
        - at: 3s
          prove: {group: all, kind: integrity}
          expect: [{group: bob, proof: mismatch}, {group: amy, proof: match}]
        # What is measured of the device is of its hardware alone.
        - {at: 3s, prove: {group: all, kind: device}, expect: {proof: match}}
        - {at: 4s, fetch: all, domain: lock.com?measurement}
        - {at: 5s, prove: {group: all, kind: integrity}, expect: {proof: match}}
        == R22.2 other hardware
        devices: {bob: {\(phone)}, phone: {attributes: {device: 'iOS, 12.1.2, iPhone7,2, en_GB'}}}
        - {at: 0s, fetch: all, domain: lock.com?measurement}
        - {at: 1s, set: {group: bob, attributes: {device: 'Android 8.1.0, Pixel 2, google, walleye, en'}}}
        - {at: 1s, set: {group: phone, attributes: {device: 'iOS, 13.5.1, iPhone7,2, en_GB'}}}
        - at: 2s
          prove: {group: all, kind: device}
          expect: [{group: bob, proof: mismatch}, {group: phone, proof: match}]
        - {at: 2s, prove: {group: all, kind: integrity}, expect: {proof: mismatch}}
        == R22.2 the failover measures nothing
        - {at: 10s, outage: primary, until: 5m}
        - {at: 1m, fetch: bob, domain: lock.com?measurement, expect: {attested: 1, token: {claims: {imh: none}}}}
        - {at: 61s, prove: {group: bob, kind: integrity}, expect: {proof: none}}
        """)

    @Test("R22.1, R22.2 measurements and proofs", arguments: tokens + proofs) func comesTo(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    private static let plain =
        "a measurement needs encrypted tokens, and those of `a.com` are not; "
        + "hint: `alg: A256GCMKW` of the domain, or `api -add a.com -jwe`"

    static let refusals: [LoaderRow] = [
        .head(
            "R22.1 a domain without encrypted tokens",
            """
            account: {features: [measurement], apis: [{domain: a.com}]}
            devices: {bob: {}}
            steps:
            - {at: 0s, fetch: bob, domain: ①'a.com?measurement'}
            - {at: 1s, request: bob, to: ②'https://a.com/x?measurement'}
            """,
            "① \(plain)", "② \(plain)"),
        .head(
            "R22.1 an account without the feature",
            """
            account: {apis: [{domain: a.com, alg: A256GCMKW}]}
            devices: {bob: {}}
            steps: [{at: 0s, fetch: bob, domain: ①'a.com?measurement'}]
            """,
            Problem(
                "①", "a measurement of `a.com` needs the feature `measurement`",
                hint: "`features: [measurement]` in the account")),
        .head(
            "R22.1 before tokens are encrypted, and once they are no longer",
            """
            account: {propagation: 0s, features: [measurement], apis: [{domain: a.com}, {domain: b.com}]}
            devices: {bob: {}}
            steps:
            - {at: 0s, fetch: bob, domain: ①'a.com?measurement'}
            - {at: 1m, approov: api -remove a.com}
            - {at: 1m, approov: api -add a.com -jwe}
            - {at: 1m, request: bob, to: 'a.com?measurement', every: 1m, until: 2m}
            - {at: 1m, request: bob, to: ②'a.com?measurement', every: 1m, until: 5m}
            - {at: 3m, approov: api -remove a.com}
            - {at: 3m, fetch: bob, domain: ③'a.com?measurement'}
            """,
            "① \(plain)", "② \(plain)", "③ \(plain)"),
        .head(
            "R22.1 a domain whose tokens are encrypted only once the change is in force",
            """
            account: {features: [measurement], apis: [{domain: a.com}, {domain: b.com}]}
            devices: {bob: {}}
            steps:
            - {at: 0s, approov: api -remove a.com}
            - {at: 0s, approov: api -add a.com -jwe}
            - {at: 2s, fetch: bob, domain: ①'a.com?measurement'}
            - {at: 3s, fetch: bob, domain: ②'a.com?measurement', every: 1m, until: 10m}
            - {at: 29s, request: bob, to: ③'a.com?measurement'}
            - {at: 30s, fetch: bob, domain: 'a.com?measurement', every: 1m, until: 10m}
            """,
            "① \(plain)", "② \(plain)", "③ \(plain)"),
        .head(
            "R22.1 a key that a step adds, before it is in force",
            """
            account: {features: [measurement], apis: [{domain: a.com, type: keyset, kid: k}]}
            devices: {bob: {}}
            steps:
            - {at: 0s, approov: keyset -add A256GCMKW -kid k}
            - {at: 10s, fetch: bob, domain: ①'a.com?measurement'}
            - {at: 30s, fetch: bob, domain: 'a.com?measurement'}
            """,
            "① \(plain)"),
        .head(
            "R22.1 a domain whose tokens are encrypted no longer when it repeats after that",
            """
            account: {features: [measurement], apis: [{domain: a.com, alg: A256GCMKW}, {domain: b.com}]}
            devices: {bob: {}}
            steps:
            - {at: 0s, approov: api -remove a.com}
            - {at: 0s, approov: api -add a.com}
            - {at: 5s, fetch: bob, domain: 'a.com?measurement', every: 10s, until: 29s}
            - {at: 5s, fetch: bob, domain: ①'a.com?measurement', every: 1m, until: 70s}
            - {at: 6s, fetch: bob, domain: 'a.com?measurement', every: 1m, until: 65s}
            """,
            "① \(plain)"),
        .head(
            "R22.1 a key of the key set for signatures",
            """
            account: {features: [measurement], apis: []}
            devices: {bob: {}}
            steps:
            - {at: 0s, approov: keyset -add ES256 -kid k}
            - {at: 0s, approov: api -add a.com -keySetKID k}
            - {at: 1s, fetch: bob, domain: ①'a.com?measurement'}
            """,
            "① \(plain)"),
    ]

    @Test("R22.1 refused when the scenario is loaded", arguments: refusals)
    func refused(_ row: LoaderRow) { row.expect(isLoaded: false) }

    private static let measured =
        "fetch: bob, domain: lock.com?measurement, expect: {attested: 1, token: {alg: A256GCMKW, claims: {imh: any}}}"

    static let becoming = ScenarioRow.table(
        """
        account: {propagation: 0s, features: [measurement], apis: []}
        devices: {bob: {}}
        == R22.1 a domain whose tokens become encrypted
        - {at: 0s, approov: api -add lock.com -jwe}
        - {at: 1s, \(measured)}
        == R22.1 a key of the key set that a step adds
        account: {propagation: 0s, features: [measurement], apis: [{domain: lock.com, type: keyset, kid: k}]}
        - {at: 0s, approov: keyset -add A256GCMKW -kid k}
        - {at: 1s, \(measured)}
        == R22.1 a domain with a key of the key set
        - {at: 0s, approov: keyset -add A256GCMKW -kid k}
        - {at: 0s, approov: api -add lock.com -keySetKID k}
        - {at: 0s, \(measured)}
        == R22.1 a domain whose tokens are still encrypted
        account: {propagation: 30s, features: [measurement], apis: [{domain: lock.com, alg: A256GCMKW}]}
        - {at: 0s, approov: api -remove lock.com}
        - {at: 0s, approov: api -add lock.com}
        - {at: 5s, \(measured)}
        - {at: 29s, \(measured)}
        == R22.1 an added domain, which is served at once
        account: {propagation: 30s, features: [measurement], apis: []}
        - {at: 0s, approov: api -add lock.com -jwe}
        - {at: 0s, \(measured)}
        """)

    @Test("R22.1 at the moment of the fetch tokens are encrypted", arguments: becoming)
    func encryptedLater(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    @Test("R22.2 `mpk` belongs to the SDK's version") func proofKeys() {
        func key(_ sdk: String, hardware: String = "phone", salt: String = "s") -> [UInt8] {
            Measurement(app: ["app"], hardware: [hardware], salt: salt, account: "a", sdk: sdk).proofKey
        }
        #expect(key("2.4.0") == key("2.4.0", hardware: "other", salt: "t"))
        #expect(key("2.4.0") != key("2.5.0"))
        #expect(key("2.4.0").count == 16)
    }
}
