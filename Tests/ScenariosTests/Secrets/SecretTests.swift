import Testing

@testable import Scenarios
@testable import TestSupport

/// Secure strings, custom JWT, development keys and message signatures (R21).
@Suite struct SecretTests {
    private static let strings = "features: [secure-strings], secure-strings: {api-key: from-the-account}"
    private static let long = String(repeating: "k", count: 65)

    static let features = ScenarioRow.table(
        """
        devices: {bob: {}}
        == R21.1 a call whose feature is off
        account: {propagation: 0s, features: [measurement]}
        - {at: 0s, secure-string: {group: bob, key: k}, expect: {result: DISABLED}}
        - {at: 0s, custom-jwt: {group: bob, payload: '{}'}, expect: {result: DISABLED}}
        == R21.1 nothing is on unless it is said
        account: {propagation: 0s, secure-strings: {k: v}}
        - {at: 0s, secure-string: {group: bob, key: k}, expect: {result: DISABLED}}
        """)

    static let secureStrings = ScenarioRow.table(
        """
        account: {propagation: 0s, features: [secure-strings], secure-strings: {api-key: from-the-account}}
        devices: {bob: {}}
        == R21.2 in this order
        devices: {bob: {flags: [frida]}, amy: {}}
        - {at: 0s, network: {group: all, state: none}}
        - {at: 0s, secure-string: {group: bob, key: ''}, expect: {result: BAD_KEY}}
        - {at: 0s, secure-string: {group: bob, key: \(long)}, expect: {result: BAD_KEY}}
        - {at: 0s, secure-string: {group: all, key: nothing}, expect: {result: {NO_NETWORK: 2}}}
        - {at: 1s, network: {group: all, state: poor}}
        - {at: 1s, secure-string: {group: bob, key: nothing}, expect: {result: POOR_NETWORK}}
        - {at: 2s, network: {group: all, state: ok}}
        - at: 2s
          secure-string: {group: all, key: nothing}
          expect: [{group: bob, result: REJECTED}, {group: amy, result: UNKNOWN_KEY}]
        - at: 3s
          secure-string: {group: all, key: api-key}
          expect: [{group: bob, result: REJECTED}, {group: amy, value: from-the-account}]
        == R21.2 a string of 64 characters, and the service's silence
        - {at: 0s, outage: all, until: 1m}
        - {at: 0s, secure-string: {group: bob, key: \(long.dropFirst())}, expect: {result: NO_APPROOV_SERVICE}}
        == R21.2 a string that the install has is there without network, for the token's lifetime
        devices: {bob: {}, risky: {flags: [cydia]}}
        - {at: 0s, approov: policy -removeRejectFlag cydia}
        - {at: 0s, secure-string: {group: all, key: api-key}, expect: {result: SUCCESS}}
        - {at: 1s, network: {group: all, state: none}}
        - {at: 119s, secure-string: {group: all, key: api-key}, expect: {value: from-the-account}}
        - at: 120s
          secure-string: {group: all, key: api-key}
          expect: [{group: bob, result: SUCCESS}, {group: risky, result: NO_NETWORK}]
        - {at: 299s, secure-string: {group: bob, key: api-key}, expect: {result: SUCCESS}}
        - {at: 300s, secure-string: {group: bob, key: api-key}, expect: {result: NO_NETWORK}}
        == R21.2 a fetch that passes brings all strings, for the lifetime of its token
        account: {propagation: 0s, features: [secure-strings], secure-strings: {a: 1, b: 2}}
        devices: {bob: {}, bad: {flags: [frida]}, old: {}}
        - {at: 0s, network: {group: old, state: none}}
        - {at: 0s, fetch: [bob, bad]}
        - {at: 1s, network: {group: all, state: none}}
        - at: 299s
          secure-string: {group: all, key: b}
          expect:
            - {group: bob, value: '2', attested: 0}
            - {group: bad, result: NO_NETWORK}
            - {group: old, result: NO_NETWORK}
        - {at: 300s, secure-string: {group: bob, key: a}, expect: {result: NO_NETWORK}}
        == R21.2 so does a call, and a request
        account: {propagation: 0s, apis: [{domain: a.com}], features: [secure-strings], secure-strings: {a: 1, b: 2}}
        devices: {bob: {}, amy: {}}
        - {at: 0s, secure-string: {group: bob, key: a}, expect: {value: '1', attested: 1}}
        - {at: 0s, request: amy, to: a.com}
        - {at: 1s, network: {group: all, state: none}}
        - {at: 2s, secure-string: {group: all, key: b}, expect: {value: '2', attested: 0}}
        - {at: 2s, secure-string: {group: bob, key: c}, expect: {result: NO_NETWORK}}
        == R21.2 a definition of the install's own lasts as long as it was had
        devices: {bob: {}}
        - {at: 0s, secure-string: {group: bob, key: api-key, define: mine}, expect: {value: mine}}
        - {at: 299s, launch: bob}
        - {at: 299s, fetch: bob, expect: {attested: 1}}
        - {at: 300s, network: {group: bob, state: none}}
        - {at: 300s, secure-string: {group: bob, key: api-key}, expect: {result: NO_NETWORK}}
        == R21.2 what an install defines is its own, until it is removed
        devices: {bob: {}, amy: {}}
        - {at: 0s, secure-string: {group: bob, key: api-key, define: mine}, expect: {value: mine}}
        - {at: 1s, secure-string: {group: amy, key: api-key}, expect: {value: from-the-account}}
        - {at: 2s, secure-string: {group: bob, key: other, define: too}, expect: {value: too}}
        - {at: 3s, launch: bob}
        - {at: 400s, secure-string: {group: bob, key: api-key}, expect: {value: mine}}
        - {at: 401s, secure-string: {group: bob, key: api-key, define: ''}, expect: {value: from-the-account}}
        - {at: 402s, secure-string: {group: bob, key: other, define: ''}, expect: {result: UNKNOWN_KEY}}
        - {at: 403s, secure-string: {group: bob, key: third, define: x}, expect: {value: x}}
        - {at: 404s, reinstall: bob}
        - {at: 405s, secure-string: {group: bob, key: third}, expect: {result: UNKNOWN_KEY}}
        == R21.2 a definition needs an attestation that passes
        devices: {bob: {flags: [automated]}}
        - {at: 0s, secure-string: {group: bob, key: k, define: one}, expect: {value: one}}
        - {at: 1s, approov: policy -addRejectFlag automated}
        - {at: 2s, secure-string: {group: bob, key: k}, expect: {value: one}}
        - {at: 3s, secure-string: {group: bob, key: k, define: two}, expect: {result: REJECTED}}
        - {at: 4s, approov: policy -removeRejectFlag automated}
        - {at: 300s, secure-string: {group: bob, key: k}, expect: {value: one}}
        """)

    static let customTokens = ScenarioRow.table(
        """
        account: {propagation: 0s, features: [custom-jwt]}
        devices: {bob: {}}
        == R21.3 in this order
        devices: {bob: {flags: [frida]}, amy: {}}
        - {at: 0s, network: {group: all, state: none}}
        - {at: 0s, custom-jwt: {group: bob, payload: '{"a": }'}, expect: {result: BAD_PAYLOAD}}
        - {at: 0s, custom-jwt: {group: bob, payload: '5'}, expect: {result: BAD_PAYLOAD}}
        - {at: 0s, custom-jwt: {group: bob, payload: '{}'}, expect: {result: NO_NETWORK}}
        - {at: 1s, network: {group: all, state: ok}}
        - {at: 1s, custom-jwt: {group: all, payload: '{}'}, expect: {result: {REJECTED: 1, SUCCESS: 1}}}
        == R21.3 claims of the payload and of the service, under the account's key
        account: {propagation: 0s, features: [custom-jwt], issuer: on}
        devices: {bob: {id: h4gubfCFzJu81j/U2BJsdg==}}
        - at: 10s
          custom-jwt: {group: bob, payload: '{"user": "amy", "did": "forged", "exp": 5}'}
          expect:
            result: SUCCESS
            token:
              alg: HS256
              signature: valid
              claims:
                user: amy
                did: h4gubfCFzJu81j/U2BJsdg==
                exp: 2020-01-01T00:05:20Z
                iss: account.approov.io
                other: none
        - {at: 11s, custom-jwt: {group: bob, payload: {user: bob}}, expect: {token: {claims: {user: bob}}}}
        == R21.3 claims of any JSON type
        - at: 0s
          custom-jwt:
            group: bob
            payload: '{"level": 5, "rate": 1.50, "paid": true, "left": null, "code": "007", "word": "true",
              "roles": ["a", 2, [false]], "shop": {"id": 9007199254740993, "name": "x"}, "empty": {}, "none": []}'
          expect:
            token:
              claims:
                level: 5
                rate: 15e-1
                paid: true
                left: null
                code: 007
                word: "true"
                roles: [a, 2, [false]]
                shop: {name: x, id: 9007199254740993.0}
                empty: {}
                none: []
                gone: none
        """)

    private static let signing = "apis: [{domain: a.com}]"

    static let signatures = ScenarioRow.table(
        """
        account: {propagation: 0s, apis: [{domain: a.com}]}
        devices: {silent: {client: {sign-messages: false}}}
        == R21.4 every call counts, with or without a key, for requests that carry a token
        devices: {bob: {}, silent: {client: {sign-messages: false}}, old: {attributes: {sdk-version: 2.4.9}}}
        - {at: 0s, request: all, to: a.com, every: 10s, until: 20s, expect: {attested: 3, cached: 6, accepted: 9}}
        - {at: 30s, request: all, to: unknown.com, expect: {result: UNKNOWN_URL}}
        expect: {metrics: {sdk-calls-message-signature: 3}}
        == R21.4 a backend checks signatures where tokens name a key
        devices: {signing: {}, silent: {client: {sign-messages: false}}, bad: {flags: [frida]}}
        - {at: 0s, request: all, to: a.com, expect: {accepted: 2, refused: 1}}
        - {at: 1s, approov: secret -messageSigningKey change}
        # Tokens from before name no key.
        - {at: 2s, request: silent, to: a.com, expect: {cached: 1, accepted: 1}}
        - at: 300s
          request: all
          to: a.com
          expect:
            - {group: signing, accepted: 1, token: {claims: {mskid: any}}}
            - {group: silent, refused: 1}
            - {group: bad, refused: 1}
        # Another key: what is signed with the one before is refused.
        - {at: 301s, approov: secret -messageSigningKey change}
        - {at: 302s, request: signing, to: a.com, expect: {cached: 1, refused: 1}}
        - {at: 600s, request: signing, to: a.com, expect: {attested: 1, accepted: 1}}
        # Without a key, backends check nothing.
        - {at: 601s, approov: secret -messageSigningKey clear}
        - {at: 602s, request: [signing, silent], to: a.com, expect: {accepted: 2}}
        # `signing` at 0s, 300s, 302s, 600s and 602s, and `bad`, which gets another key, at 0s and 300s: with a key or
        # without one.
        expect: {metrics: {sdk-calls-message-signature: 7}}
        == R21.4 tokens of the failover name no key
        - {at: 0s, approov: secret -messageSigningKey change}
        - {at: 10s, outage: primary}
        - {at: 1m, request: silent, to: a.com, expect: {attested: 1, accepted: 1}}
        == R21.4 an account whose features leave it out
        account: {propagation: 0s, features: [], apis: [{domain: a.com}]}
        - {at: 0s, approov: secret -messageSigningKey change}
        - {at: 1s, request: silent, to: a.com, expect: {accepted: 1, token: {claims: {mskid: none}}}}
        """)

    static let developmentKeys = ScenarioRow.table(
        """
        == R21.5 a development version is overlooked
        account: {propagation: 0s, dev-key: letmein}
        devices: {fake: {registered: false, flags: [emulator, frida, app-not-registered]}, right: {registered: false,
          flags: [emulator, ios-simulator, app-not-registered], dev-key: letmein}, wrong: {registered: false, dev-key: letmeout}}
        - at: 0s
          fetch: all
          expect:
            - {group: fake, rejections: [app-not-registered, frida, emulator]}
            - {group: right, verdict: pass, flags: [new-did]}
            - {group: wrong, rejections: [app-not-registered]}
        == R21.5 nothing else is
        account: {propagation: 0s, dev-key: letmein, registrations: []}
        devices: {rooted: {flags: [rooted], dev-key: letmein}, clean: {dev-key: letmein}}
        - at: 0s
          fetch: all
          expect: [{group: rooted, rejections: [rooted]}, {group: clean, verdict: pass}]
        """)

    /// Claims that are not those of `{"n": 5, "s": "5", "b": true, "l": [1, 2], "m": {"a": 1}}`, and what is there instead.
    static let others: [(claim: String, actual: String)] = [
        ("n: \"5\"", "n: 5"), ("n: 6", "n: 5"), ("n: -5", "n: 5"), ("n: 50", "n: 5"), ("n: 5.01", "n: 5"),
        ("s: 5", "s: \"5\""), ("b: \"true\"", "b: true"), ("b: false", "b: true"), ("b: null", "b: true"),
        ("l: [2, 1]", "l: [1,2]"), ("l: [1]", "l: [1,2]"), ("l: {a: 1}", "l: [1,2]"), ("m: {a: 2}", #"m: {"a":1}"#),
        ("m: {a: 1, b: 1}", #"m: {"a":1}"#), ("m: {}", #"m: {"a":1}"#), ("gone: null", "gone: none"),
        ("n: none", "n: 5"),
    ]

    @Test("R21.3 a claim of another type or value does not hold", arguments: others)
    func otherClaims(claim: String, actual: String) throws {
        let text = """
            account: {features: [custom-jwt]}
            devices: {bob: {}}
            steps:
              - at: 0s
                custom-jwt: {group: bob, payload: '{"n": 5, "s": "5", "b": true, "l": [1, 2], "m": {"a": 1}}'}
                expect: {token: {claims: {\(claim)}}}
            """
        let results = try ScenarioText.run(text).expectations
        #expect(results.map(\.passed) == [false])
        #expect(results.first?.actual.hasPrefix(actual + " (device") == true, "\(results.map(\.actual))")
    }

    @Test(
        "R21.1–R21.5 what accounts have beside tokens",
        arguments: features + secureStrings + customTokens + signatures + developmentKeys)
    func comesTo(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }
}
