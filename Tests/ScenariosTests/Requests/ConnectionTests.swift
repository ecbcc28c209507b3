import Testing

/// Which pins apply, and which connections they let through (R18).
@Suite struct ConnectionTests {
    static let bob = "h4gubfCFzJu81j/U2BJsdg=="

    private static let usual = """
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:A]}]}
        backends: {a.com: {chain: [A, CA]}}
        devices: {bob: {}}
        """

    static let applied = ScenarioRow.table(
        """
        devices: {bob: {}}
        == R18.2 the host's own pins, else the managed roots; an empty list counts as none
        account: {propagation: 0s, apis: [{domain: own.com, pins: [key:A]}, {domain: roots.com}, {domain: empty.com, pins: []}, {domain: '*', pins: [key:CA]}]}
        backends: {own.com: {chain: [X, CA]}, roots.com: {chain: [X, CA]}, empty.com: {chain: [X, CA]}, sub.own.com: {chain: [X, Y]}}
        - {at: 0s, request: bob, to: own.com, expect: {blocked: 1}}
        - {at: 1s, request: bob, to: roots.com, expect: {accepted: 1}}
        - {at: 2s, request: bob, to: empty.com, expect: {accepted: 1}}
        - {at: 3s, serve: {roots.com: [X, Y], own.com: [A, Y]}}
        - {at: 4s, request: bob, to: roots.com, expect: {blocked: 1}}
        - {at: 5s, request: bob, to: OWN.com, expect: {accepted: 1}}
        == R18.2 names match exactly: a subdomain has none of its domain's pins
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:A]}, {domain: sub.a.com}]}
        backends: {sub.a.com: {chain: [X]}, a.com: {chain: [X]}}
        - {at: 0s, request: bob, to: sub.a.com, expect: {accepted: 1}}
        - {at: 0s, request: bob, to: a.com, expect: {blocked: 1}}
        """)

    static let pinModes = ScenarioRow.table(
        """
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:A]}, {domain: free.com}], devices: [{id: \(bob), pin-mode: blockAll}]}
        backends: {a.com: {chain: [A, CA]}, free.com: {chain: [F, CA]}}
        devices: {bob: {id: \(bob)}}
        == R18.3 pin changes nothing
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:A]}, {domain: free.com}, {domain: '*', pins: [key:CA]}], devices: [{id: \(bob), pin-mode: pin}]}
        - {at: 0s, request: bob, to: a.com, expect: {accepted: 1}}
        - {at: 0s, request: bob, to: free.com, expect: {accepted: 1}}
        == R18.3 unpin takes all away
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:A]}, {domain: free.com}, {domain: '*', pins: [key:CA]}], devices: [{id: \(bob), pin-mode: unpin}]}
        - {at: 0s, serve: {a.com: [X], free.com: [Y]}}
        - {at: 0s, request: bob, to: a.com, expect: {accepted: 1}}
        - {at: 0s, request: bob, to: free.com, expect: {accepted: 1}}
        == R18.3 block: no certificate has the pin
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:A]}, {domain: free.com}], devices: [{id: \(bob), pin-mode: block}]}
        devices: {bob: {id: \(bob)}, amy: {}}
        - at: 0s
          request: all
          to: a.com
          expect: [{group: bob, result: SUCCESS, blocked: 1}, {group: amy, accepted: 1}]
        - {at: 0s, request: all, to: free.com, expect: {accepted: 2}}
        - {at: 1s, approov: device -add \(bob) -pinMode pin}
        # Until the next attestation.
        - {at: 299s, request: bob, to: a.com, expect: {blocked: 1}}
        - {at: 300s, request: bob, to: a.com, expect: {accepted: 1}}
        == R18.3 blockAll: the same on every domain, and no token
        - {at: 0s, request: bob, to: free.com, expect: {result: MITM_DETECTED, not-sent: 1}}
        == R18.3 blockAll and a client that sends all the same
        devices: {bob: {id: \(bob), client: {on-failed-fetch: send}}}
        # Without a token it sets no pins (R19.2).
        - {at: 0s, request: bob, to: free.com, expect: {result: MITM_DETECTED, refused: 1}}
        - {at: 0s, request: bob, to: a.com, expect: {result: MITM_DETECTED, refused: 1}}
        """)

    static let readings = ScenarioRow.table(
        """
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:A]}]}
        backends: {a.com: {chain: [A, CA]}}
        == R18.4 when pins are read
        devices: {live: {}, changing: {client: {read-pins: config-change}}, launching: {client: {read-pins: launch}},
          fixed: {client: {static-pins: {a.com: [key:A]}}}}
        - {at: 0s, request: all, to: a.com, expect: {accepted: 4}}
        - {at: 1s, approov: pin -api a.com -add key:B}
        - {at: 1s, serve: {a.com: [B]}}
        - {at: 2s, request: all, to: a.com, expect: {blocked: 4}}
        - at: 300s
          request: all
          to: a.com
          expect: [{accepted: 2}, {group: launching, blocked: 1}, {group: fixed, blocked: 1}]
        - {at: 301s, launch: [launching, fixed]}
        - {at: 301s, request: [launching, fixed], to: a.com, expect: {accepted: 1, blocked: 1}}
        - {at: 302s, set: {group: fixed, client: {static-pins: {a.com: [key:B]}}}}
        - {at: 302s, request: fixed, to: a.com, expect: {attested: 1, accepted: 1}}
        == R18.4 on-force: the app starts anew and makes the request again
        devices: {relaunching: {client: {read-pins: launch, on-force: relaunch}}, ignoring: {client: {read-pins: launch}}}
        - {at: 0s, approov: pin -api a.com -add key:B}
        - {at: 0s, approov: pin -forceApplyPins}
        - {at: 0s, serve: {a.com: [B]}}
        - at: 1s
          request: all
          to: a.com
          expect:
            # Both fetches count, and the one request.
            - {group: relaunching, force-apply: 1, attested: 2, pass: 2, accepted: 1, result: {SUCCESS: 2}}
            - {group: ignoring, force-apply: 1, attested: 1, blocked: 1}
        == R18.4 on-force: what is said of each fetch is said of both
        devices: {bob: {client: {read-pins: launch, on-force: relaunch, config: app}}}
        - {at: 0s, approov: filter -add old -key attest-reason -matchValue expiry}
        - {at: 0s, approov: filter -add new -key attest-reason -matchValue launch}
        - {at: 1s, fetch: bob}
        - {at: 2s, approov: pin -api a.com -add key:B}
        - {at: 2s, approov: pin -forceApplyPins}
        # The fetch of the app as it was, and that of the app that was launched anew.
        - at: 301s
          request: bob
          to: a.com
          expect: {attested: 2, accepted: 1, force-apply: 1, config-changed: 1, filters: {old: 1, new: 1}}
        == R18.4 on-force: a fetch alone does it, too
        devices: {bob: {client: {read-pins: launch, on-force: relaunch}}}
        - {at: 0s, approov: pin -api a.com -add key:B}
        - {at: 0s, approov: pin -forceApplyPins}
        - {at: 0s, serve: {a.com: [B]}}
        - {at: 1s, fetch: bob, expect: {force-apply: 1}}
        - {at: 1s, request: bob, to: a.com, expect: {attested: 1, accepted: 1, force-apply: 0}}
        == R18.4 on-blocked: the app starts anew where newer pins are there
        devices: {bob: {client: {read-pins: launch, on-blocked: relaunch-if-pending}}}
        - {at: 0s, serve: {a.com: [B]}}
        - {at: 0s, request: bob, to: a.com, expect: {attested: 1, blocked: 1}}
        # Nothing was pending, so the token is still there.
        - {at: 1s, request: bob, to: a.com, expect: {cached: 1, blocked: 1}}
        - {at: 2s, approov: pin -api a.com -add key:B}
        - {at: 300s, request: bob, to: a.com, expect: {attested: 1, blocked: 1}}
        - {at: 301s, request: bob, to: a.com, expect: {attested: 1, accepted: 1}}
        == R18.4 pins of the app are for the domains that it names
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:A]}, {domain: b.com, pins: [key:B]}]}
        backends: {a.com: {chain: [S]}, b.com: {chain: [B]}}
        devices: {bob: {client: {static-pins: {A.com: [key:S]}}}}
        - {at: 0s, request: bob, to: a.com, expect: {accepted: 1}}
        - {at: 0s, request: bob, to: b.com, expect: {accepted: 1}}
        """)

    private static let compromised =
        "static: {pinning: compromised, client: {static-pins: {a.com: [key:A]}}}, bad: {pinning: compromised}, good: {}"

    static let connections = ScenarioRow.table(
        """
        \(usual)
        == R18.5 any certificate of the chain will do
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:X, key:CA]}]}
        - {at: 0s, request: bob, to: a.com, expect: {accepted: 1}}
        - {at: 0s, serve: {a.com: [A, OTHER-CA]}}
        - {at: 0s, request: bob, to: a.com, expect: {blocked: 1}}
        == R18.5 without pins: accept or refuse
        account: {propagation: 0s, apis: [{domain: a.com}]}
        devices: {bob: {}, strict: {client: {unpinned: refuse}}}
        - at: 0s
          request: all
          to: a.com
          expect: [{group: bob, accepted: 1}, {group: strict, result: SUCCESS, blocked: 1}]
        == R18.5 a client that ignores the managed roots
        account: {propagation: 0s, apis: [{domain: a.com}, {domain: '*', pins: [key:ROOT]}]}
        devices: {bob: {}, old: {client: {roots: ignored}}, older: {client: {roots: ignored, unpinned: refuse}}}
        - at: 0s
          request: all
          to: a.com
          expect: [{group: bob, blocked: 1}, {group: old, accepted: 1}, {group: older, blocked: 1}]
        == R18.5 compromised pinning connects whatever the pins say
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:A]}], devices: [{id: \(bob), pin-mode: block}]}
        devices: {bob: {id: \(bob), pinning: compromised}, \(compromised)}
        - {at: 0s, request: all, to: a.com, expect: {accepted: 4}}
        - {at: 1s, serve: {a.com: [B]}}
        - {at: 1s, request: all, to: a.com, expect: [{accepted: 3}, {group: good, blocked: 1}]}
        - {at: 2s, network: {group: all, state: mitm, only: [a.com], trusted: true}}
        - {at: 2s, request: all, to: a.com, expect: [{intercepted: 3}, {group: good, blocked: 1}]}
        # A proxy that the platform does not trust stays out.
        - {at: 3s, network: {group: all, state: mitm, only: [a.com]}}
        - {at: 3s, request: all, to: a.com, expect: {blocked: 4}}
        == R18.5 compromised pinning needs no pins
        account: {propagation: 0s, apis: [{domain: a.com}]}
        devices: {strict: {pinning: compromised, client: {unpinned: refuse}}, good: {client: {unpinned: refuse}}}
        - {at: 0s, request: all, to: a.com, expect: [{group: strict, accepted: 1}, {group: good, blocked: 1}]}
        == R18.5 every request connects anew
        - {at: 0s, request: bob, to: a.com, expect: {accepted: 1}}
        - {at: 1s, serve: {a.com: [B]}}
        - {at: 2s, request: bob, to: a.com, expect: {cached: 1, blocked: 1}}
        - {at: 3s, serve: {a.com: {chain: [A]}}}
        - {at: 4s, request: bob, to: a.com, expect: {cached: 1, accepted: 1}}
        """)

    static let proxies = ScenarioRow.table(
        """
        \(usual)
        == R18.6 a pin may be in a chain as such
        # Base64 of the SHA-256 of the letter A, by sha256sum.
        backends: {a.com: {chain: [VZrq0IJk1XldOQlxjN0Fq9SVcuhP5VWQ7vMaiKCP3/0=]}}
        - {at: 0s, request: bob, to: a.com, expect: {accepted: 1}}
        == R18.6 a proxy on the way to some domains
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:A]}, {domain: free.com}, {domain: b.com}]}
        devices: {trusting: {}, wary: {}}
        - {at: 0s, network: {group: trusting, state: mitm, only: [a.com, FREE.com], trusted: true}}
        - {at: 0s, network: {group: wary, state: mitm, only: [free.com]}}
        - {at: 1s, request: all, to: a.com, expect: [{group: trusting, blocked: 1}, {group: wary, accepted: 1}]}
        - at: 2s
          request: all
          to: free.com
          expect: [{result: SUCCESS}, {group: trusting, intercepted: 1}, {group: wary, blocked: 1}]
        - {at: 3s, request: all, to: b.com, expect: {accepted: 2}}
        - {at: 4s, network: {group: all, state: ok}}
        - {at: 5s, request: all, to: free.com, expect: {accepted: 2}}
        == R18.6 a proxy on the way to everything is on the way to the service
        account: {propagation: 0s, apis: [{domain: a.com}]}
        - {at: 0s, request: bob, to: a.com, expect: {accepted: 1}}
        - {at: 1s, network: {group: bob, state: mitm, trusted: true}}
        # The token is there still.
        - {at: 299s, request: bob, to: a.com, expect: {cached: 1, intercepted: 1}}
        - {at: 300s, request: bob, to: a.com, expect: {result: MITM_DETECTED, not-sent: 1}}
        == R18.6 a pin of what the proxy presents
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:A, key:MITM]}]}
        - {at: 0s, network: {group: bob, state: mitm, only: [a.com], trusted: true}}
        - {at: 1s, request: bob, to: a.com, expect: {intercepted: 1}}
        == R18.6 the service's own channel has pins of its own
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:GONE]}]}
        - {at: 0s, request: bob, to: a.com, every: 5m, until: 1h, expect: {result: SUCCESS, attested: 13, blocked: 13}}
        == R18.6 a backend of which nothing is said presents a key of its domain's name
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:a.com]}]}
        backends: {}
        - {at: 0s, request: bob, to: a.com, expect: {accepted: 1}}
        """)

    @Test(
        "R18.2–R18.6 pins and connections", arguments: applied + pinModes + readings + connections + proxies)
    func connects(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }
}
