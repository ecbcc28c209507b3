import Testing

/// Which domains there are tokens for, while an account's domains change (R1.5, R14.1; manual, Managing API Domains).
@Suite struct DomainChangeTests {
    private static let usual = """
        account: {apis: [{domain: a.com}]}
        devices: {bob: {}, amy: {}}
        """

    static let additions = ScenarioRow.table(
        """
        \(usual)
        == an added domain is there at once
        - {at: 10s, fetch: bob, domain: b.com, expect: {result: UNKNOWN_URL}}
        - {at: 10s, approov: api -add b.com}
        - {at: 10s, fetch: bob, domain: b.com, expect: {result: SUCCESS, attested: 1}}
        - {at: 11s, fetch: bob, domain: a.com, expect: {result: SUCCESS, cached: 1}}
        == R1.5 in one second, the order of the file decides: the token of before is none for it
        account: {apis: [{domain: a.com}], propagation: 0s}
        - {at: 0s, fetch: bob, domain: a.com}
        - {at: 0s, approov: api -add b.com}
        - {at: 0s, fetch: bob, domain: b.com, expect: {attested: 1}}
        - {at: 0s, fetch: bob, domain: a.com, expect: {cached: 1}}
        == R1.5 and a removal of that second leaves the token that came before it
        account: {apis: [{domain: a.com}, {domain: b.com}], propagation: 0s}
        - {at: 0s, fetch: bob, domain: b.com}
        - {at: 0s, approov: api -remove b.com}
        - {at: 0s, fetch: bob, domain: b.com, expect: {cached: 1}}
        == a cached token from before does not stand for it
        - {at: 0s, fetch: all, domain: a.com, expect: {attested: 2}}
        - {at: 10s, approov: api -add b.com}
        - {at: 10s, fetch: bob, domain: a.com, expect: {cached: 1}}
        - {at: 11s, fetch: bob, domain: b.com, expect: {result: SUCCESS, attested: 1}}
        - {at: 12s, fetch: bob, domain: a.com, expect: {cached: 1}}
        - {at: 13s, fetch: bob, domain: b.com, expect: {cached: 1}}
        # Who did not ask for the new domain keeps the old token; the new one has a lifetime of its own.
        - {at: 299s, fetch: amy, domain: a.com, expect: {cached: 1}}
        - {at: 310s, fetch: bob, domain: b.com, expect: {cached: 1}}
        - {at: 311s, fetch: bob, domain: b.com, expect: {attested: 1}}
        == nor without network
        - {at: 0s, fetch: bob, domain: a.com}
        - {at: 10s, approov: api -add b.com}
        - {at: 11s, network: {group: bob, state: none}}
        - {at: 12s, fetch: bob, domain: a.com, expect: {result: SUCCESS, cached: 1}}
        - {at: 13s, fetch: bob, domain: b.com, expect: {result: NO_NETWORK}}
        == a cached token lives on for the domains that it is for
        - {at: 0s, fetch: bob, domain: a.com}
        - {at: 10s, approov: api -add b.com}
        - {at: 299s, fetch: bob, domain: a.com, expect: {cached: 1}}
        - {at: 300s, fetch: bob, domain: b.com, expect: {attested: 1}}
        == a key set's domain
        - {at: 0s, fetch: bob, domain: a.com}
        - {at: 5s, approov: keyset -kid mykey -add ES256}
        - {at: 10s, approov: api -add b.com -keySetKID mykey}
        - {at: 10s, fetch: bob, domain: b.com, expect: {result: SUCCESS, attested: 1}}
        == the demonstration domain
        - {at: 10s, approov: api -add shapes.approov.io}
        - {at: 10s, fetch: bob, domain: "https://shapes.approov.io/v1", expect: {result: SUCCESS, attested: 1}}
        == a domain for pins only
        - {at: 0s, fetch: bob, expect: {attested: 1}}
        - {at: 10s, fetch: bob, domain: p.com, expect: {result: UNKNOWN_URL}}
        - {at: 10s, approov: api -add p.com -pinOnly}
        - {at: 10s, fetch: all, domain: p.com, expect: {result: UNPROTECTED_URL}}
        - {at: 100s, fetch: all, domain: P.com, expect: {result: UNPROTECTED_URL}}
        """)

    static let removals = ScenarioRow.table(
        """
        \(usual)
        == a removed domain stays for the propagation
        account: {apis: [{domain: a.com}, {domain: b.com}]}
        - {at: 10s, approov: api -remove b.com}
        - {at: 10s, fetch: bob, domain: b.com, expect: {result: SUCCESS, attested: 1}}
        - {at: 39s, launch: bob}
        - {at: 39s, fetch: bob, domain: b.com, expect: {result: SUCCESS, attested: 1}}
        - {at: 40s, launch: bob}
        - {at: 40s, fetch: bob, domain: b.com, expect: {result: UNKNOWN_URL}}
        - {at: 40s, fetch: bob, domain: a.com, expect: {result: SUCCESS, attested: 1}}
        - {at: 41s, fetch: bob, domain: b.com, expect: {result: UNKNOWN_URL}}
        == a cached token for it lives on until it expires
        account: {apis: [{domain: a.com}, {domain: b.com}]}
        - {at: 0s, fetch: bob, domain: a.com}
        - {at: 10s, approov: api -remove b.com}
        - {at: 39s, fetch: amy, domain: b.com, expect: {attested: 1}}
        - {at: 40s, fetch: bob, domain: b.com, expect: {result: SUCCESS, cached: 1}}
        - {at: 299s, fetch: bob, domain: b.com, expect: {result: SUCCESS, cached: 1}}
        - {at: 300s, fetch: bob, domain: b.com, expect: {result: UNKNOWN_URL}}
        - {at: 338s, fetch: amy, domain: b.com, expect: {result: SUCCESS, cached: 1}}
        - {at: 339s, fetch: amy, domain: b.com, expect: {result: UNKNOWN_URL}}
        == a propagation of its own
        account: {propagation: 5s, apis: [{domain: a.com}, {domain: b.com}]}
        - {at: 10s, approov: api -remove b.com}
        - {at: 14s, fetch: bob, domain: b.com, expect: {result: SUCCESS}}
        - {at: 15s, fetch: amy, domain: b.com, expect: {result: UNKNOWN_URL}}
        == the last domain: then none is served (R14.2a)
        - {at: 0s, fetch: bob, domain: a.com}
        - {at: 10s, approov: api -remove a.com}
        - {at: 39s, fetch: amy, domain: x.com, expect: {result: UNKNOWN_URL}}
        - {at: 39s, fetch: amy, domain: a.com, expect: {result: SUCCESS, attested: 1}}
        - {at: 40s, launch: amy}
        - {at: 40s, fetch: amy, domain: x.com, expect: {result: UNKNOWN_URL}}
        - {at: 40s, fetch: amy, domain: a.com, expect: {result: UNKNOWN_URL}}
        # A cached token lives on.
        - {at: 41s, fetch: bob, domain: a.com, expect: {result: SUCCESS, cached: 1}}
        - {at: 42s, fetch: bob, domain: x.com, expect: {result: UNKNOWN_URL}}
        # A fetch that names no domain asks for none.
        - {at: 43s, fetch: amy, expect: {result: SUCCESS, attested: 1}}
        == an empty list serves none (R14.2a)
        account: {apis: []}
        - {at: 0s, fetch: bob, domain: a.com, expect: {result: UNKNOWN_URL}}
        - {at: 10s, approov: api -add a.com}
        - {at: 10s, fetch: bob, domain: a.com, expect: {result: SUCCESS, attested: 1}}
        - {at: 10s, fetch: amy, domain: x.com, expect: {result: UNKNOWN_URL}}
        == the first domain of an account without: then only that
        account: {}
        - {at: 0s, fetch: bob, domain: x.com, expect: {attested: 1}}
        - {at: 10s, approov: api -add a.com}
        - {at: 10s, fetch: amy, domain: a.com, expect: {result: SUCCESS, attested: 1}}
        - {at: 39s, launch: amy}
        - {at: 39s, fetch: amy, domain: x.com, expect: {result: SUCCESS, attested: 1}}
        - {at: 40s, launch: amy}
        - {at: 40s, fetch: amy, domain: x.com, expect: {result: UNKNOWN_URL}}
        - {at: 40s, fetch: amy, domain: a.com, expect: {result: SUCCESS, attested: 1}}
        - {at: 299s, fetch: bob, domain: x.com, expect: {result: SUCCESS, cached: 1}}
        - {at: 300s, fetch: bob, domain: x.com, expect: {result: UNKNOWN_URL}}
        """)

    // "If you wish to do this, simply remove the API domain first and then add it again."
    static let exchanges = ScenarioRow.table(
        """
        \(usual)
        == removed and added again at once: nobody notices
        account: {apis: [{domain: a.com}, {domain: b.com}]}
        - {at: 0s, fetch: bob, domain: b.com}
        - {at: 10s, approov: api -remove b.com}
        - {at: 20s, approov: api -add b.com -jwe}
        - {at: 39s, fetch: amy, domain: b.com, expect: {result: SUCCESS, attested: 1}}
        - {at: 45s, launch: amy}
        - {at: 45s, fetch: amy, domain: b.com, expect: {result: SUCCESS, attested: 1}}
        - {at: 60s, fetch: bob, domain: b.com, expect: {result: SUCCESS, cached: 1}}
        == removed and added again later
        account: {apis: [{domain: a.com}, {domain: b.com}]}
        - {at: 0s, fetch: amy, domain: b.com}
        - {at: 10s, approov: api -remove b.com}
        - {at: 45s, fetch: bob, domain: b.com, expect: {result: UNKNOWN_URL}}
        - {at: 45s, fetch: bob, domain: a.com, expect: {result: SUCCESS, attested: 1}}
        - {at: 50s, approov: api -add b.com}
        # The token of 45s came without one for it, that of 0s with one.
        - {at: 50s, fetch: bob, domain: b.com, expect: {result: SUCCESS, attested: 1}}
        - {at: 50s, fetch: amy, domain: b.com, expect: {result: SUCCESS, cached: 1}}
        == tokens become pins only
        account: {apis: [{domain: a.com}, {domain: b.com}]}
        - {at: 0s, fetch: bob, domain: b.com}
        - {at: 10s, approov: api -remove b.com}
        - {at: 10s, approov: api -add b.com -pinOnly}
        - {at: 40s, fetch: amy, domain: b.com, expect: {result: UNPROTECTED_URL}}
        - {at: 299s, fetch: bob, domain: b.com, expect: {result: SUCCESS, cached: 1}}
        - {at: 300s, fetch: bob, domain: b.com, expect: {result: UNPROTECTED_URL}}
        == pins only become tokens
        - {at: 0s, approov: api -add p.com -pinOnly}
        - {at: 1s, fetch: bob, domain: a.com, expect: {attested: 1}}
        - {at: 50s, approov: api -remove p.com}
        - {at: 50s, approov: api -add p.com}
        - {at: 50s, fetch: bob, domain: p.com, expect: {result: SUCCESS, attested: 1}}
        - {at: 80s, fetch: bob, domain: p.com, expect: {result: SUCCESS, cached: 1}}
        == R1.5 pins only become tokens at once, by a key that backends have
        account: {apis: [{domain: p.com, type: pinOnly}]}
        devices: {bob: {}}
        - {at: 0s, approov: api -remove p.com}
        - {at: 0s, approov: api -add p.com}
        - {at: 1s, fetch: bob, domain: p.com, expect: {result: SUCCESS, token: {signature: valid}}}
        - {at: 2s, request: bob, to: p.com, expect: {cached: 1, accepted: 1}}
        - {at: 31s, fetch: bob, domain: p.com, expect: {cached: 1, token: {signature: valid}}}
        == R1.5 a domain that was added and removed again is there until the removal is in force
        - {at: 0s, approov: api -add b.com}
        - {at: 1s, approov: api -remove b.com}
        - {at: 2s, fetch: bob, domain: b.com, expect: {result: SUCCESS, token: {signature: valid}}}
        """)

    static let accounts = ScenarioRow.table(
        """
        == each account has domains of its own
        accounts: {a: {apis: [{domain: a.com}]}, b: {apis: [{domain: b.com}]}, c: {}}
        devices: {one: {account: a}, two: {account: b}, three: {account: c}}
        - at: 0s
          fetch: all
          domain: a.com
          expect:
            [{group: one, result: SUCCESS}, {group: two, result: UNKNOWN_URL}, {group: three, result: SUCCESS}]
        - {at: 1s, approov: api -add a.com, account: b}
        - {at: 1s, fetch: two, domain: a.com, expect: {result: SUCCESS, attested: 1}}
        - {at: 1s, approov: api -add z.com, account: a}
        - {at: 1s, approov: api -remove a.com, account: a}
        - at: 300s
          fetch: all
          domain: a.com
          expect: [{group: one, result: UNKNOWN_URL}, {group: two, cached: 1}, {group: three, attested: 1}]
        """)

    @Test("R1.5, R14.1 domains come and go", arguments: additions + removals + exchanges + accounts)
    func comeAndGo(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }
}
