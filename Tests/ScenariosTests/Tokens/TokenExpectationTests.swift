import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

/// Expectations of scenarios about tokens themselves (formats: Scenario, `token`).
@Suite struct TokenExpectationTests {
    private static let bob = "h4gubfCFzJu81j/U2BJsdg=="

    private static func scenario(_ expectation: String, device: String = "", account: String = "") -> String {
        """
        scenario: s
        account:
          account: test-account
          policy: default,default,info
          apis: [{domain: a.com}, {domain: jwe.com, alg: A256GCMKW}, {domain: r.com, type: restricted}, {domain: k.com, type: keyset, kid: gone}]
        \(account)
        devices: {bob: {id: \(bob), os: android, attributes: {ip: 1.2.3.4}\(device)}}
        steps:
          - {at: 0s, bind: {group: bob, data: session-1}}
          - {at: 1m, fetch: bob, domain: a.com}
          - {at: 2m, fetch: bob, domain: a.com, expect: {token: \(expectation)}}

        """
    }

    /// Expectations that hold, and how reports word them.
    static let holding = [
        ("{alg: HS256}", "alg: HS256"), ("{kid: none}", "kid: none"), ("{signature: valid}", "signature: valid"),
        // Issued at 1m, with five minutes and ten seconds.
        ("{claims: {exp: 2020-01-01T00:06:10Z}}", "exp: 2020-01-01T00:06:10Z"),
        ("{claims: {did: \(bob)}}", "did: \(bob)"), ("{claims: {ip: 1.2.3.4}}", "ip: 1.2.3.4"),
        ("{claims: {anno: []}}", "anno: []"), ("{claims: {arc: any}}", "arc: any"),
        ("{claims: {aud: none, iss: none, mskid: none}}", "aud: none, iss: none, mskid: none"),
        ("{claims: {pay: {data: session-1}}}", "pay: hAl4KPwxqMjSkhDfSJAahd5/0BP2hrF7530b4py3qYs="),
        (
            "{claims: {pay: hAl4KPwxqMjSkhDfSJAahd5/0BP2hrF7530b4py3qYs=}}",
            "pay: hAl4KPwxqMjSkhDfSJAahd5/0BP2hrF7530b4py3qYs="
        ),
        ("{claims: {pay: any}, alg: HS256}", "alg: HS256, pay: any"),
    ]

    @Test(arguments: holding) func holds(text: String, shown: String) throws {
        let results = try ScenarioText.run(Self.scenario(text)).expectations
        #expect(results.map(\.passed) == [true])
        #expect(results.map(\.expected) == [shown] && results.map(\.actual) == [shown])
        #expect(results.map(\.message) == ["token of all"])
    }

    /// Expectations that do not, and what is there instead.
    static let failing = [
        ("{alg: RS256}", "alg: HS256"), ("{kid: mykey}", "kid: none"), ("{signature: invalid}", "signature: valid"),
        ("{claims: {exp: 2020-01-01T00:06:11Z}}", "exp: 2020-01-01T00:06:10Z"),
        ("{claims: {exp: none}}", "exp: 1577837170"),
        ("{claims: {ip: 1.2.3.5}}", "ip: 1.2.3.4"), ("{claims: {ip: none}}", "ip: 1.2.3.4"),
        ("{claims: {aud: a.com}}", "aud: none"), ("{claims: {anno: [xposed]}}", "anno: []"),
        ("{claims: {anno: none}}", "anno: []"),
        ("{claims: {mskid: any}}", "mskid: none"),
        ("{claims: {pay: {data: session-2}}}", "pay: hAl4KPwxqMjSkhDfSJAahd5/0BP2hrF7530b4py3qYs="),
    ]

    @Test(arguments: failing) func fails(text: String, actual: String) throws {
        let results = try ScenarioText.run(Self.scenario(text)).expectations
        #expect(results.map(\.passed) == [false])
        #expect(results.map(\.actual) == ["\(actual) (device \(Self.bob))"])
    }

    @Test func accountsDecideWhatIsClaimed() throws {
        let text = Self.scenario(
            "{signature: invalid, claims: {anno: [xposed, risky-device], aud: a.com, iss: test-account.approov.io, ip: none}}",
            device: ", flags: [xposed]", account: "  audience: on\n  issuer: on\n  ip-tracking: none")
        #expect(try ScenarioText.failures(text) == [])
    }

    @Test("R14.3 the failover's tokens leave out what it does not know") func failover() throws {
        let text = """
            account: {issuer: on, apis: [{domain: a.com}]}
            devices: {bob: {attributes: {ip: 1.2.3.4}}}
            steps:
              - {at: 0s, outage: primary}
              - {at: 1s, bind: {group: bob, data: x}}
              - at: 2m
                fetch: bob
                domain: https://a.com/path
                expect:
                  token: {signature: valid, claims: {arc: none, ip: none, anno: none, pay: none, mskid: none, iss: account.approov.io, did: any}}
            """
        #expect(try ScenarioText.failures(text) == [])
    }

    /// The tokens of every type of domain.
    static let domains = [
        ("a.com", "{alg: HS256, signature: valid}"),
        ("jwe.com", "{alg: A256GCMKW, signature: valid, claims: {ip: 1.2.3.4}}"),
        ("r.com", "{alg: HS256, kid: none, signature: valid}"),
    ]

    @Test(arguments: domains) func everyDomain(domain: String, expectation: String) throws {
        let text = Self.scenario(expectation).replacing("domain: a.com, expect", with: "domain: \(domain), expect")
        #expect(try ScenarioText.failures(text) == [])
        let failing = Self.scenario(
            expectation.replacing("valid", with: "invalid"), device: ", flags: [rooted]"
        ).replacing("domain: a.com, expect", with: "domain: \(domain), expect")
        #expect(try ScenarioText.failures(failing) == [])
    }

    @Test func aMissingKeyIsReported() throws {
        let text = Self.scenario("{alg: RS256}").replacing("domain: a.com, expect", with: "domain: k.com, expect")
        #expect(
            try ScenarioText.failures(text) == [
                "token of all: expected alg: RS256, actual no token: the key set has no key `gone` to make tokens for API "
                    + "domain `k.com` with (device \(Self.bob))"
            ])
    }

    @Test("R1.5 a new secret signs attestations from when it is in force") func secretsChange() throws {
        let text = """
            account: {apis: [{domain: a.com}]}
            devices: {bob: {id: \(Self.bob)}}
            steps:
              - {at: 0s, approov: secret -setKeyID first}
              - {at: 30s, fetch: bob, domain: a.com, expect: {token: {kid: first, signature: valid}}}
              - {at: 1m, approov: secret -change}
              - {at: 1m, approov: secret -setKeyID second}
              - {at: 1m, approov: secret -messageSigningKey change}
              - {at: 5m, fetch: bob, domain: a.com, expect: {token: {kid: first, claims: {mskid: none}}}}
              - {at: 6m, fetch: bob, domain: a.com, expect: {token: {kid: second, signature: valid, claims: {mskid: any}}}}
            """
        #expect(try ScenarioText.failures(text) == [])
    }

    @Test("R1.5 a cached token gains no claim of a change in its second") func claimsOfLaterChanges() throws {
        let text = """
            account: {apis: [{domain: a.com}], propagation: 0s}
            devices: {bob: {id: \(Self.bob)}}
            steps:
              - {at: 0s, fetch: bob, domain: a.com}
              - {at: 0s, approov: policy -setAudience on}
              - {at: 0s, approov: secret -messageSigningKey change}
              - {at: 0s, approov: secret -setKeyID new}
              - {at: 0s, fetch: bob, domain: a.com, expect: {cached: 1, token: {kid: none, claims: {aud: none, mskid: none}}}}
              - {at: 300s, fetch: bob, domain: a.com, expect: {token: {kid: new, claims: {aud: a.com, mskid: any}}}}
            """
        #expect(try ScenarioText.failures(text) == [])
    }

    @Test("R1.5 a domain that is added again before its first addition is in force is served as it was added last")
    func domainsChange() throws {
        let text = """
            scenario: s
            account: {apis: [{domain: a.com}]}
            devices: {bob: {id: \(Self.bob)}}
            steps:
              - {at: 1m, approov: api -add b.com}
              - {at: 61s, fetch: bob, domain: b.com, expect: {token: {alg: HS256}}}
              - {at: 62s, approov: api -remove b.com}
              - {at: 63s, approov: api -add b.com -jwe}
              - {at: 64s, fetch: bob, domain: b.com, expect: {attested: 0, token: {alg: HS256}}}
              - {at: 65s, launch: bob}
              - {at: 66s, fetch: bob, domain: b.com, expect: {token: {alg: A256GCMKW}}}

            """
        #expect(try ScenarioText.failures(text) == [])
    }

    @Test func keysOfScenariosFollowFromTheSeed() throws {
        let text = """
            scenario: s
            steps:
              - {at: 0s, approov: secret -change}
              - {at: 1s, approov: keyset -kid e -add ES256}
              - {at: 2s, approov: keyset -add HS256}
              - {at: 3s, approov: secret -messageSigningKey change}
              - {at: 4s, approov: secret -get base64}
              - {at: 5s, approov: secret -messageSigningKey get-raw}
              - {at: 6s, approov: keyset -list}
              - {at: 7s, approov: token -genExample a.com}
            expect: {metrics: {pass: 0}}

            """
        let first = try ScenarioText.run(text).printed
        #expect(try ScenarioText.run(text).printed == first)
        #expect(try ScenarioText.run(text, seed: 2).printed != first)
        #expect(first.contains(" e  alg:ES256") && first.contains(" 1  alg:HS256"))
    }

    @Test func whatCannotBeDrawnOrWrittenIsRefused() throws {
        for (command, reason) in [
            ("keyset -add RS256", "a key for `RS256` cannot be drawn from a seed"),
            ("secret -getJWK a.jwk", "the command writes a file, which only `scenario approov` can do"),
        ] {
            let text = "scenario: s\nsteps:\n  - {at: 0s, approov: \(command)}\nexpect: {metrics: {pass: 0}}\n"
            var diagnostics = Diagnostics()
            if let scenario = ScenarioLoader.load(
                YAMLParser.parse(SourceFile(path: "f", text: text)), diagnostics: &diagnostics)
            {
                _ = ScenarioRunner().run([scenario], diagnostics: &diagnostics)
            }
            #expect(diagnostics.all.contains { $0.message == reason }, "\(diagnostics.all)")
        }
    }

    static let mistakes = [
        LoaderRow.expectation(
            "without a domain", "{token: ①{alg: HS256}}",
            "① `token` needs a domain; hint: add `domain` to the `fetch`"),
        LoaderRow.expectation("no mapping", "{token: ①HS256}", "① `token` must be a mapping, not text"),
    ]

    @Test(arguments: mistakes) func mistakesAreReported(_ row: LoaderRow) {
        let (found, expected, isLoaded) = row.outcome
        #expect(found == expected && !isLoaded)
    }

    static let unsound = [
        ("{}", "`token` has nothing to check"), ("{claims: {}}", "`claims` has nothing to check"),
        ("{algorithm: HS256}", "unknown key `algorithm` in `token`"), ("{alg: none}", "`alg` must be"),
        ("{signature: good}", "`signature` must be `valid` or `invalid`"), ("{claims: {sub: x}}", "unknown key `sub`"),
        ("{claims: {anno: [roted]}}", "unknown flag `roted`"), ("{claims: {exp: 5}}", "`exp`"),
        ("{claims: {pay: {}}}", "`data` is missing"),
    ]

    @Test(arguments: unsound) func unsoundExpectationsAreRefused(text: String, reason: String) {
        var diagnostics = Diagnostics()
        _ = ScenarioLoader.load(
            YAMLParser.parse(SourceFile(path: "f", text: Self.scenario(text))), diagnostics: &diagnostics)
        #expect(diagnostics.hasErrors && diagnostics.all.contains { $0.message.contains(reason) }, "\(diagnostics.all)")
    }
}

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

    static let rows = ScenarioRow.table(
        """
        account:
          propagation: 0s
          apis: [{domain: a.com}, {domain: jwe.com, alg: A256GCMKW}, {domain: pins.com, type: pinOnly}]
        devices: {bob: {id: h4gubfCFzJu81j/U2BJsdg==}, bad: {flags: [frida]}}
        == R14.6 claims and the beginning of the signature, which shows whether it is valid
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
        == R14.6 an error where there is none, or none that an app can read
        - {at: 0s, fetch: all, domain: jwe.com, expect: {loggable: {error: JWE}}}
        - {at: 1s, fetch: all, domain: pins.com, expect: {loggable: {error: UNPROTECTED_URL}}}
        - {at: 2s, launch: all}
        - {at: 2s, network: {group: all, state: poor}}
        - {at: 3s, fetch: all, domain: a.com, expect: {loggable: {error: POOR_NETWORK}}}
        == R14.6 an SDK that is too old for key IDs
        account: {propagation: 0s, apis: [{domain: a.com}]}
        devices: {old: {attributes: {sdk-version: 2.1.9}}, new: {attributes: {sdk-version: 2.2.0}}}
        - {at: 0s, fetch: all, domain: a.com, expect: {loggable: {error: none, check: passed}}}
        - {at: 1s, approov: secret -setKeyID mine}
        - at: 300s
          fetch: all
          domain: a.com
          expect: [{group: old, loggable: {error: BAD_JWT_HEADER}}, {group: new, loggable: {check: passed}}]
        """)

    @Test("R14.6 what apps may log", arguments: rows) func comesTo(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    static let failures = [
        ("{check: failed}", "check: failed", "check: passed"), ("{error: JWE}", "error: JWE", "error: none"),
        ("{claims: {sip: none, did: any}}", "sip: none, did: any", "sip: …"),
    ]

    @Test("R14.6 the text instead", arguments: failures)
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
            "① `loggable` needs a domain; hint: add `domain` to the `fetch`"),
        .steps(
            "R14.6 nothing", "- {at: 0s, fetch: bob, domain: a.com, expect: {loggable: ①{}}}",
            "① `loggable` has nothing to check"),
        .steps(
            "R14.6 a claim that is none",
            "- {at: 0s, fetch: bob, domain: a.com, expect: {loggable: {claims: {①sipp: any}}}}",
            "① unknown key `sipp` in `claims`; hint: did you mean `sip`?"),
        .steps(
            "R14.6 a check that is none", "- {at: 0s, fetch: bob, domain: a.com, expect: {loggable: {check: ①valid}}}",
            "① `check` must be `passed` or `failed`, not `valid`"),
        .steps(
            "R14.6 of a call",
            "- {at: 0s, custom-jwt: {group: bob, payload: '{}'}, expect: {①loggable: {error: none}}}",
            "① unknown key `loggable` in an expectation"),
    ]

    @Test("R14.6 says what is wrong", arguments: refused)
    func saysWhatIsWrong(_ row: LoaderRow) { row.expect(isLoaded: false) }
}
