import Testing

@testable import TestSupport

/// The outcomes of requests (R19).
@Suite struct RequestTests {
    private static let usual = """
        account: {propagation: 0s, apis: [{domain: a.com}, {domain: pins.com, type: pinOnly}]}
        backends: {}
        """

    static let bindings = ScenarioRow.table(
        """
        \(usual)
        == R19.1 a request without the header is not sent, and nothing is fetched
        devices: {bob: {client: {binding-header: Authorization}}, amy: {}}
        - at: 0s
          request: all
          to: a.com
          data: none
          expect: [{group: bob, not-sent: 1, attested: 0, vacuous: allowed}, {group: amy, accepted: 1}]
        == R19.1 the header's value is bound: another one makes another token
        devices: {bob: {client: {binding-header: Authorization}}}
        - {at: 0s, request: bob, to: a.com, data: one, expect: {attested: 1, accepted: 1, token: {claims: {pay: {data: one}}}}}
        - {at: 1s, request: bob, to: a.com, data: one, expect: {cached: 1, accepted: 1}}
        - {at: 2s, request: bob, to: a.com, data: two, expect: {attested: 1, accepted: 1, token: {claims: {pay: {data: two}}}}}
        == R19.1 without `data` each device has a value of its own
        devices: {bob: {id: h4gubfCFzJu81j/U2BJsdg==, client: {binding-header: Authorization}}}
        - at: 0s
          request: bob
          to: a.com
          expect: {accepted: 1, token: {claims: {pay: {data: h4gubfCFzJu81j/U2BJsdg==}}}}
        - {at: 1s, request: bob, to: a.com, expect: {cached: 1, accepted: 1}}
        """)

    static let fetches = ScenarioRow.table(
        """
        \(usual)
        devices: {bob: {}, old: {client: {on-failed-fetch: send}}}
        == R19.2 domains without tokens are requested without one
        - {at: 0s, request: all, to: unknown.com, expect: {result: UNKNOWN_URL, accepted: 2}}
        - {at: 0s, request: all, to: pins.com, expect: {result: UNPROTECTED_URL, accepted: 2}}
        == R19.2 the plugin of 2018 sets no pins where no token came
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:a.com]}, {domain: p.com, type: pinOnly, pins: [key:p.com]}]}
        devices: {new: {}, old: {client: {on-failed-fetch: send}}, fixed: {client: {on-failed-fetch: send, static-pins: {a.com: [key:a.com], p.com: [key:p.com]}}}}
        - {at: 0s, network: {group: all, state: mitm, only: [a.com, p.com], trusted: true}}
        # With a token the pins are set.
        - {at: 0s, request: all, to: a.com, expect: {result: SUCCESS, blocked: 3}}
        - {at: 1s, network: {group: all, state: mitm, trusted: true}}
        - {at: 1s, launch: all}
        - at: 1s
          request: all
          to: a.com
          expect:
            - {result: MITM_DETECTED}
            - {group: new, not-sent: 1}
            - {group: old, intercepted: 1}
            - {group: fixed, blocked: 1}
        # No token is asked of these, and no pins are set, either.
        - at: 2s
          request: all
          to: p.com
          expect:
            - {result: UNPROTECTED_URL}
            - {group: new, blocked: 1}
            - {group: old, intercepted: 1}
            - {group: fixed, blocked: 1}
        - {at: 3s, outage: all}
        - {at: 4s, network: {group: all, state: ok}}
        - {at: 4s, serve: {a.com: [B]}}
        - at: 4s
          request: all
          to: a.com
          expect:
            - {result: NO_APPROOV_SERVICE}
            - {group: new, blocked: 1}
            - {group: old, refused: 1}
            - {group: fixed, blocked: 1}
        expect: {requests: {old: {blocked: 1, intercepted: 2, refused: 1}}}
        == R19.2 so are they where the service is down
        - {at: 0s, outage: primary, until: 2m}
        - {at: 1s, request: all, to: a.com, expect: {result: NO_APPROOV_SERVICE, refused: 2}}
        == R19.2 any other failure ends it, but not for the plugin of 2018
        - {at: 0s, network: {group: all, state: mitm, trusted: true}}
        - at: 0s
          request: all
          to: a.com
          expect: [{result: MITM_DETECTED}, {group: bob, not-sent: 1}, {group: old, intercepted: 1}]
        - {at: 1s, network: {group: all, state: none}}
        - at: 1s
          request: all
          to: a.com
          expect: [{result: NO_NETWORK}, {group: bob, not-sent: 1}, {group: old, no-connection: 1}]
        - {at: 2s, network: {group: all, state: poor}}
        - at: 2s
          request: all
          to: a.com
          expect: [{result: POOR_NETWORK}, {group: bob, not-sent: 1}, {group: old, no-connection: 1}]
        """)

    static let connections = ScenarioRow.table(
        """
        \(usual)
        devices: {bob: {}}
        == R19.3 a token in the cache does not make a network
        - {at: 0s, request: bob, to: a.com, expect: {accepted: 1}}
        - {at: 1s, network: {group: bob, state: none}}
        - {at: 2s, request: bob, to: a.com, expect: {cached: 1, no-connection: 1}}
        - {at: 3s, network: {group: bob, state: poor}}
        - {at: 4s, request: bob, to: a.com, expect: {cached: 1, no-connection: 1}}
        == R19.3 untrusted: blocked; trusted and unpinned: intercepted
        - {at: 0s, network: {group: bob, state: mitm, only: [a.com]}}
        - {at: 0s, request: bob, to: a.com, expect: {blocked: 1}}
        - {at: 1s, network: {group: bob, state: mitm, only: [a.com], trusted: true}}
        - {at: 1s, request: bob, to: a.com, expect: {intercepted: 1}}
        """)

    static let backends = ScenarioRow.table(
        """
        account: {propagation: 0s, apis: [{domain: a.com}, {domain: pins.com, type: pinOnly}]}
        devices: {bob: {}}
        == R19.4 a token of a device that failed is refused, and no token, too
        backends: {}
        devices: {bad: {flags: [frida]}, good: {}}
        - at: 0s
          request: all
          to: a.com
          expect: [{result: SUCCESS}, {group: bad, refused: 1}, {group: good, accepted: 1}]
        == R19.4 the emergency switch
        backends: {}
        devices: {bad: {flags: [frida]}, good: {}}
        - {at: 0s, serve: {a.com: {token: ignored}}}
        - {at: 0s, request: all, to: a.com, expect: {accepted: 2}}
        - {at: 1s, serve: {a.com: {token: required}}}
        - {at: 1s, request: all, to: a.com, expect: {cached: 2, accepted: 1, refused: 1}}
        == R19.4 hosts that get no tokens want none, unless it is said
        backends: {strict.com: {token: required}, pins.com: {chain: [P]}}
        - {at: 0s, request: bob, to: pins.com, expect: {result: UNPROTECTED_URL, accepted: 1}}
        - {at: 0s, request: bob, to: unknown.com, expect: {result: UNKNOWN_URL, accepted: 1}}
        - {at: 0s, request: bob, to: strict.com, expect: {result: UNKNOWN_URL, refused: 1}}
        - {at: 1s, approov: api -add unknown.com}
        - {at: 1s, outage: all, until: 2s}
        - {at: 1s, request: bob, to: unknown.com, expect: {result: NO_APPROOV_SERVICE, refused: 1}}
        # A domain that is removed leaves its backend as it was.
        - {at: 2s, approov: api -remove unknown.com}
        - {at: 2s, request: bob, to: unknown.com, expect: {result: UNKNOWN_URL, refused: 1}}
        - {at: 3s, approov: api -add unknown.com -pinOnly}
        - {at: 3s, request: bob, to: unknown.com, expect: {result: UNPROTECTED_URL, accepted: 1}}
        == R19.4 an account without a list has tokens for every host
        account: {propagation: 0s, issuer: off}
        backends: {}
        devices: {bad: {flags: [frida]}}
        - {at: 0s, request: bad, to: any.com, expect: {result: SUCCESS, refused: 1}}
        == R19.4 a domain that was removed and added again has the keys that are in force
        account: {propagation: 30s, apis: [{domain: a.com}, {domain: b.com}]}
        - {at: 0s, approov: api -remove a.com}
        - {at: 1m, approov: secret -change}
        - {at: 2m, approov: api -add a.com}
        # The addition is in force at 2m30s.
        - {at: 2m, request: bob, to: a.com, expect: {attested: 1, accepted: 1}}
        - {at: 149s, request: bob, to: a.com, expect: {cached: 1, accepted: 1}}
        - {at: 150s, request: bob, to: a.com, expect: {cached: 1, accepted: 1}}
        # Another secret, before and after it is in force.
        - {at: 151s, approov: secret -change}
        - {at: 180s, request: bob, to: a.com, expect: {cached: 1, accepted: 1}}
        - {at: 181s, request: bob, to: a.com, expect: {cached: 1, refused: 1}}
        == R19.4 so it has while the removal is not in force, and when its tokens become encrypted
        account: {propagation: 30s, apis: [{domain: a.com}, {domain: b.com}]}
        - {at: 0s, approov: api -remove a.com}
        - {at: 1s, approov: api -add a.com -jwe}
        - {at: 2s, request: bob, to: a.com, expect: {attested: 1, accepted: 1, token: {alg: HS256}}}
        # The removal is in force, and the addition served at once.
        - {at: 30s, launch: bob}
        - {at: 30s, request: bob, to: a.com, expect: {attested: 1, accepted: 1, token: {alg: A256GCMKW}}}
        - {at: 31s, request: bob, to: a.com, expect: {cached: 1, accepted: 1}}
        == R19.4 the backend has the keys of the account that is in force
        backends: {}
        - {at: 0s, request: bob, to: a.com, expect: {accepted: 1}}
        - {at: 1s, approov: secret -change}
        - {at: 2s, request: bob, to: a.com, expect: {cached: 1, refused: 1}}
        - {at: 300s, request: bob, to: a.com, expect: {attested: 1, accepted: 1}}
        == R1.5, R19.4 in one second, the order of the file decides
        backends: {}
        - {at: 0s, request: bob, to: a.com, expect: {accepted: 1}}
        - {at: 0s, approov: secret -change}
        - {at: 0s, request: bob, to: a.com, expect: {cached: 1, refused: 1}}
        - {at: 300s, request: bob, to: a.com, expect: {attested: 1, accepted: 1}}
        == R1.5 a message signing key of that second, likewise: the token names none, and needs no signature
        devices: {bob: {client: {sign-messages: false}}}
        backends: {}
        - {at: 0s, request: bob, to: a.com, expect: {accepted: 1}}
        - {at: 0s, approov: secret -messageSigningKey change}
        - {at: 0s, request: bob, to: a.com, expect: {cached: 1, accepted: 1}}
        - {at: 300s, request: bob, to: a.com, expect: {attested: 1, refused: 1}}
        == R19.4 keys of encrypted tokens are others
        account: {propagation: 0s, apis: [{domain: a.com, alg: A256GCMKW}]}
        backends: {}
        - {at: 0s, request: bob, to: a.com, expect: {accepted: 1}}
        - {at: 1s, approov: secret -change}
        - {at: 2s, request: bob, to: a.com, expect: {cached: 1, accepted: 1}}
        - {at: 3s, approov: secret -change -jwe}
        - {at: 4s, request: bob, to: a.com, expect: {cached: 1, refused: 1}}
        == R19.4 a removed domain: no token, and the backend wants one still
        backends: {}
        - {at: 0s, request: bob, to: a.com, expect: {accepted: 1}}
        - {at: 1s, approov: api -remove a.com}
        - {at: 2s, request: bob, to: a.com, expect: {cached: 1, accepted: 1}}
        - {at: 300s, request: bob, to: a.com, expect: {result: UNKNOWN_URL, refused: 1}}
        - {at: 301s, approov: api -add a.com}
        - {at: 301s, request: bob, to: a.com, expect: {attested: 1, accepted: 1}}
        """)

    static let outcomes = ScenarioRow.table(
        """
        \(usual)
        == R19.5 a policy change neither blocks nor stops: the request goes out and is refused
        devices: {bob: {flags: [automated]}}
        - {at: 0s, request: bob, to: a.com, expect: {result: SUCCESS, accepted: 1}}
        - {at: 1s, approov: policy -addRejectFlag automated}
        - {at: 299s, request: bob, to: a.com, expect: {cached: 1, accepted: 1}}
        - {at: 300s, request: bob, to: a.com, expect: {result: SUCCESS, verdict: fail, refused: 1}}
        == R19.5, R19.6 how long devices are blocked
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:a.com]}, {domain: free.com}]}
        devices: {bob: {}, amy: {client: {static-pins: {a.com: [key:S]}}}}
        - {at: 0s, request: all, to: a.com, every: 10s, until: 10s}
        - {at: 11s, serve: {a.com: [B]}}
        - {at: 12s, request: all, to: a.com, expect: {blocked: 2}}
        - {at: 40s, request: all, to: a.com, expect: {blocked: 2}}
        - {at: 60s, serve: {a.com: [a.com]}}
        # From 12s to 62s.
        - {at: 62s, request: bob, to: a.com, expect: {accepted: 1}}
        - {at: 63s, serve: {a.com: [B]}}
        - {at: 64s, request: bob, to: a.com, expect: {blocked: 1}}
        # From 64s to 70s: accepted is accepted, whatever the domain.
        - {at: 70s, request: bob, to: free.com, expect: {accepted: 1}}
        expect:
          requests:
            accepted: 4
            blocked: 7
            refused: 0
            not-sent: 0
            no-connection: 0
            intercepted: {at-most: 0}
            blocked-devices: 2
            still-blocked: 1
            longest-blocked: 50s
            bob: {blocked-devices: 1, still-blocked: 0, accepted: 4, blocked: 3, longest-blocked: {at-least: 50s}}
            amy: {blocked-devices: 1, still-blocked: 1, blocked: 4, longest-blocked: 0s}
        """)

    @Test(
        "R19.1–R19.6 what becomes of requests", arguments: bindings + fetches + connections + backends + outcomes)
    func comesTo(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    private static let counted = """
        scenario: s
        account: {apis: [{domain: a.com, pins: [key:B]}]}
        devices: {stock: {count: 3}}
        steps:
          - {at: 0s, request: stock, to: a.com, expect: {blocked: 2}}
        expect: {requests: {blocked-devices: 2, longest-blocked: 1h, stock: {still-blocked: {at-most: 2}}}}

        """

    @Test("R19.6 what does not hold is said") func mismatches() throws {
        #expect(
            try ScenarioText.failures(Self.counted) == [
                "blocked of all: expected 2, actual 3", "blocked-devices of all: expected 2, actual 3",
                "longest-blocked of all: expected 1h, actual 0s",
                "still-blocked of stock: expected at most 2, actual 3",
            ])
    }

    @Test("R19.6 nothing is asked for where no request was made") func vacuous() throws {
        let text = """
            devices: {bob: {}, amy: {}}
            steps:
              - {at: 0s, request: bob, to: a.com, expect: {refused: {at-least: 0}}}
            expect: {requests: {amy: {intercepted: 0}, intercepted: 0, blocked: {at-least: 0}}}
            """
        #expect(
            try ScenarioText.failures(text) == [
                "refused of all: expected at least 0, actual 0 (vacuous: any count would satisfy it)",
                "intercepted of amy: expected 0, actual 0 (vacuous: no request was made)",
                "blocked of all: expected at least 0, actual 0 (vacuous: any count would satisfy it)",
            ])
    }
}
