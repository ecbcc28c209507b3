import Testing

@testable import TestSupport

/// The form of a token that apps may log, in expectations (R14.6).
@Suite struct LoggableTests {
    private static func text(_ steps: String) -> String {
        """
        account:
          propagation: 0s
          apis: [{domain: a.com}, {domain: jwe.com, alg: A256GCMKW}, {domain: pins.com, type: pinOnly}]
        devices: {bob: {id: h4gubfCFzJu81j/U2BJsdg==}, bad: {flags: [frida]}}
        steps:
        \(steps)
        """
    }

    private static let mixed = "{group: bad, loggable: {check: failed, claims: {sip: any, did: any}}}"

    static let rows = [
        ScenarioRow(
            "R14.6 claims and the beginning of the signature, which shows whether it is valid",
            text(
                """
                  - at: 0s
                    fetch: all
                    domain: a.com
                    expect:
                      - {loggable: {error: none}}
                      - {group: bob, loggable: {check: passed, claims: {sip: any, did: h4gubfCFzJu81j/U2BJsdg==, pay: none}}}
                      - \(mixed)
                  - {at: 1s, bind: {group: bob, data: x}}
                  - at: 2s
                    request: bob
                    to: a.com
                    expect: {loggable: {claims: {pay: {data: x}, exp: 2020-01-01T00:05:12Z}}}
                """)),
        ScenarioRow(
            "R14.6 an error where there is none, or none that an app can read",
            text(
                """
                  - {at: 0s, fetch: all, domain: jwe.com, expect: {loggable: {error: JWE}}}
                  - {at: 1s, fetch: all, domain: pins.com, expect: {loggable: {error: UNPROTECTED_URL}}}
                  - {at: 2s, launch: all}
                  - {at: 2s, network: {group: all, state: poor}}
                  - {at: 3s, fetch: all, domain: a.com, expect: {loggable: {error: POOR_NETWORK}}}
                """)),
        ScenarioRow(
            "R14.6 an SDK that is too old for key IDs",
            """
            account: {propagation: 0s, apis: [{domain: a.com}]}
            devices: {old: {attributes: {sdk-version: 2.1.9}}, new: {attributes: {sdk-version: 2.2.0}}}
            steps:
              - {at: 0s, fetch: all, domain: a.com, expect: {loggable: {error: none, check: passed}}}
              - {at: 1s, approov: secret -setKeyID mine}
              - at: 300s
                fetch: all
                domain: a.com
                expect: [{group: old, loggable: {error: BAD_JWT_HEADER}}, {group: new, loggable: {check: passed}}]
            """),
    ]

    @Test("R14.6 what apps may log", arguments: rows) func comesTo(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    static let failures = [
        ("{check: failed}", "check: failed", "check: passed"), ("{error: JWE}", "error: JWE", "error: none"),
        ("{claims: {sip: none, did: any}}", "sip: none, did: any", "sip: …"),
    ]

    @Test("R14.6 what stands there instead", arguments: failures)
    func saysWhatStands(_ wanted: String, _ expected: String, _ actual: String) throws {
        let steps = "  - {at: 0s, fetch: bob, domain: a.com, expect: {loggable: \(wanted)}}"
        let found = try ScenarioText.failures("scenario: s\n\(Self.text(steps))\n").map {
            $0.replacing(#/sip: [A-Za-z0-9_-]{6} /#, with: "sip: … ")
        }
        #expect(
            found == ["loggable of all: expected \(expected), actual \(actual) (device h4gubfCFzJu81j/U2BJsdg==)"])
    }

    static let refused: [LoaderRow] = [
        .expectation(
            "R14.6 of any domain", "{loggable: ①{error: none}}",
            Problem("①", "`loggable` needs to know for which domain", hint: "add `domain` to the `fetch`")),
        .steps(
            "R14.6 nothing", "- {at: 0s, fetch: bob, domain: a.com, expect: {loggable: ①{}}}",
            Problem("①", "`loggable` says nothing to check")),
        .steps(
            "R14.6 a claim that is none",
            "- {at: 0s, fetch: bob, domain: a.com, expect: {loggable: {claims: {①sipp: any}}}}",
            Problem("①", "unknown key `sipp` in `claims`", hint: "did you mean `sip`?")),
        .steps(
            "R14.6 a check that is none", "- {at: 0s, fetch: bob, domain: a.com, expect: {loggable: {check: ①valid}}}",
            Problem("①", "`check` must be `passed` or `failed`, not `valid`")),
        .steps(
            "R14.6 of a call",
            "- {at: 0s, custom-jwt: {group: bob, payload: '{}'}, expect: {①loggable: {error: none}}}",
            Problem("①", "unknown key `loggable` in an expectation")),
    ]

    @Test("R14.6 says what is wrong", arguments: refused) func saysWhatIsWrong(_ row: LoaderRow) {
        let (found, expected, isLoaded) = row.outcome
        #expect(found == expected)
        #expect(!isLoaded)
    }
}
