import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

/// Expectations about the attestations behind calls, and development keys that are set (R21.5, R21.6).
@Suite struct CallExpectationTests {
    private static let account =
        "account: {propagation: 0s, features: [secure-strings, custom-jwt], secure-strings: {k: v}}"

    static let rows = ScenarioRow.table(
        """
        account: {propagation: 0s, features: [secure-strings, custom-jwt], secure-strings: {k: v}}
        == R21.6 why calls are rejected
        devices: {good: {}, bad: {count: 2, flags: [frida]}}
        - at: 0s
          secure-string: {group: all, key: k}
          expect:
            - {attested: 3, rejections: {frida: 2}}
            - {group: good, result: SUCCESS, rejections: [], arc: passed}
            - {group: bad, result: REJECTED, rejections: [frida], arc: failed}
        - at: 1s
          custom-jwt: {group: all, payload: '{}'}
          expect:
            - {attested: 3, rejections: {frida: 2}}
            - {group: good, rejections: [], arc: {status: passed}}
            - {group: bad, rejections: [frida], arc: {status: failed}}
        == R21.6 who attested, and who had the string
        devices: {bob: {}, offline: {}}
        - {at: 0s, network: {group: offline, state: none}}
        - at: 0s
          secure-string: {group: all, key: k}
          expect: [{attested: 1}, {group: offline, result: NO_NETWORK}]
        - {at: 1s, secure-string: {group: all, key: k}, expect: {attested: 0, result: {SUCCESS: 1, NO_NETWORK: 1}}}
        - {at: 2s, approov: policy -setARC off}
        - {at: 3s, custom-jwt: {group: bob, payload: '{}'}, expect: {attested: 1, arc: none}}
        == R21.5 a development key is set, and taken away
        account: {dev-key: letmein}
        devices: {bob: {registered: false}, amy: {registered: false, dev-key: letmein}}
        - at: 0s
          fetch: all
          expect: [{group: bob, rejections: [app-not-registered]}, {group: amy, verdict: pass}]
        - {at: 1s, set: {group: bob, dev-key: letmein}}
        - {at: 1s, set: {group: amy, dev-key: none}}
        # What was decided stays decided while its token lasts.
        - {at: 2s, fetch: all, expect: {cached: 2, pass: 1, fail: 1}}
        - at: 300s
          fetch: all
          expect: [{group: bob, verdict: pass}, {group: amy, rejections: [app-not-registered]}]
        - {at: 301s, set: {group: bob, dev-key: wrong}}
        - {at: 600s, fetch: bob, expect: {verdict: fail}}
        """)

    @Test("R21.5, R21.6 calls and keys", arguments: rows) func comesTo(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    private static func failing(_ expectation: String) -> String {
        """
        \(account)
        devices: {bob: {}, bad: {flags: [frida]}, offline: {}}
        steps:
          - {at: 0s, network: {group: offline, state: none}}
          - {at: 0s, secure-string: {group: bob, key: k}}
          - {at: 1s, secure-string: {group: all, key: k}, expect: \(expectation)}
        """
    }

    static let failures = [
        (
            "{group: bad, rejections: [rooted], arc: passed}",
            [
                "rejections of bad: expected [rooted], actual [frida] (device ID)",
                "arc of bad: expected passed, actual failed [frida, new-did, risky-device] (device ID)",
            ]
        ),
        (
            "{group: bob, rejections: []}",
            ["rejections of bob: expected [], actual no attestation, SUCCESS (device ID)"]
        ),
        (
            "{group: offline, attested: 0}",
            ["attested of offline: expected 0, actual 0 (vacuous: no call was answered)"]
        ),
        ("{attested: 2}", ["attested of all: expected 2, actual 1"]),
    ]

    @Test("R21.6 what else came of a call is said", arguments: failures)
    func saysWhatCame(_ expectation: String, _ expected: [String]) throws {
        let found = try ScenarioText.failures(Self.failing(expectation)).map {
            $0.replacing(/device [A-Za-z0-9+\/]{22}==/, with: "device ID")
        }
        #expect(found == expected)
    }

    @Test("R21.6 --update corrects what has one value") func corrections() throws {
        let rows = [
            ("{attested: 2}", DocumentValue.text("1")), ("{group: bad, rejections: []}", .texts(["frida"])),
            ("{rejections: {rooted: 1}}", .mapping([DocumentField("rooted", "0")])),
            ("{group: bob, rejections: []}", nil),
        ]
        for (expectation, correction) in rows {
            let results = try ScenarioText.run(Self.failing(expectation)).expectations
            #expect(results.map(\.correction?.value) == [correction], "\(expectation)")
        }
    }
}

/// The errors for calls, cancelled accounts and features, at their positions.
@Suite struct CallLoaderTests {
    static let rows: [LoaderRow] = [
        .steps("R21.2 nobody", "- {at: 0s, secure-string: ①{key: k}}", "① `group` is missing from `secure-string`"),
        .steps("R21.2 no key", "- {at: 0s, secure-string: ①{group: bob}}", "① `key` is missing from `secure-string`"),
        .steps(
            "R21.2 a key of the step that is none", "- {at: 0s, secure-string: {group: bob, key: k, ①value: v}}",
            "① unknown key `value` in `secure-string`"),
        .steps(
            "R21.2 a result that it cannot have",
            "- {at: 0s, secure-string: {group: bob, key: k}, expect: {result: ①BAD_URL}}",
            Problem(
                "①",
                "`result` must be `SUCCESS`, `NO_NETWORK`, `POOR_NETWORK`, `MITM_DETECTED`, `NO_APPROOV_SERVICE`, "
                    + "`REJECTED`, `DISABLED`, `UNKNOWN_KEY` or `BAD_KEY`, not `BAD_URL`")),
        .steps("R21.3 no payload", "- {at: 0s, custom-jwt: ①{group: bob}}", "① `payload` is missing from `custom-jwt`"),
        .steps(
            "R22.2 a kind that is none", "- {at: 0s, prove: {group: bob, kind: ①app}}",
            "① `kind` must be `integrity` or `device`, not `app`"),
        .steps(
            "R22.2 a proof that is none", "- {at: 0s, prove: {group: bob, kind: device}, expect: {proof: ①passed}}",
            "① `proof` must be `match`, `mismatch` or `none`, not `passed`"),
        .steps(
            "R20 an account that is not cancelled", "- {at: 0s, account: ①deleted}",
            "① `account` must be `cancelled`, not `deleted`"),
        .twoAccounts(
            "R20 which of several", "steps:\n- {at: 0s, account: ①cancelled}",
            "① `account: cancelled` needs `account`, because the scenario has several"),
        .head(
            "R21.1 a feature that is none", "account: {features: [①secure-string]}",
            Problem(
                "①",
                "a feature must be `secure-strings`, `custom-jwt`, `measurement` or `message-signing`, not "
                    + "`secure-string`", hint: "did you mean `secure-strings`?")),
        .head(
            "R21.1 a feature twice", "account: {features: [measurement, ①measurement]}",
            "① feature `measurement` exists already"),
        .head(
            "R21.2 a key that is too long", "account: {secure-strings: {①\(String(repeating: "k", count: 65)): x}}",
            "① a key of `secure-strings` has 1 to 64 characters"),
    ]

    @Test("R20–R22 says what is wrong", arguments: rows)
    func saysWhatIsWrong(_ row: LoaderRow) { row.expect(isLoaded: false) }
}
