import Testing

@testable import TestSupport

/// The results of connecting to the pinning test URL of an account, and to the probe URL of a device (R18.7, R18.8).
@Suite struct PinningTestTests {
    private static let bob = ConnectionTests.bob
    static let rows = ScenarioRow.table(
        """
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:A]}], pinning-test-url: 'https://a.com:443'}
        backends: {a.com: {chain: [A, CA]}}
        devices: {bob: {pinning: compromised}}
        == R18.7 a system that connects though a pin forbids it
        devices: {bad: {pinning: compromised}, good: {pinning: sound},
          new: {pinning: compromised, attributes: {sdk-version: 2.4.0-bitcode}},
          old: {pinning: compromised, attributes: {sdk-version: 2.3.9}}}
        - at: 0s
          fetch: all
          expect:
            - {group: bad, verdict: fail, rejections: [pinning-tampered]}
            - {group: good, verdict: pass}
            - {group: new, rejections: [pinning-tampered]}
            - {group: old, verdict: pass}
        # It persists by install.
        - {at: 1s, approov: policy -removePinningTestURL}
        - {at: 2s, launch: bad}
        - {at: 2s, fetch: bad, expect: {verdict: fail}}
        - {at: 3s, reinstall: bad}
        - {at: 3s, fetch: bad, expect: {verdict: pass}}
        == R18.7 only the very first fetch of an install tries it
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:A]}]}
        - {at: 0s, fetch: bob, expect: {verdict: pass}}
        - {at: 1s, approov: "policy -setPinningTestURL https://mydomain.com:443"}
        - {at: 2s, launch: bob}
        - {at: 2s, fetch: bob, expect: {verdict: pass}}
        - {at: 3s, reinstall: bob}
        - {at: 3s, fetch: bob, expect: {verdict: fail}}
        == R18.7 versions are compared number by number
        devices: {new: {pinning: compromised, attributes: {sdk-version: 2.10.0}},
          old: {pinning: compromised, attributes: {sdk-version: 1.99.0}},
          odd: {pinning: compromised, attributes: {sdk-version: unknown}}}
        - at: 0s
          fetch: all
          expect: [{group: new, verdict: fail}, {group: old, verdict: pass}, {group: odd, verdict: fail}]
        # A new install of the app with another SDK.
        - {at: 1s, set: {group: old, attributes: {sdk-version: 2.4.0}}}
        - {at: 1s, launch: old}
        - {at: 1s, fetch: old, expect: {attested: 1, verdict: pass}}
        - {at: 2s, reinstall: old}
        - {at: 2s, fetch: old, expect: {verdict: fail, rejections: [pinning-tampered]}}
        == R18.7 the URL is a full one with `https`, perhaps with a port
        account: {propagation: 0s, apis: [{domain: a.com, pins: [key:A]}]}
        devices: {plain: {pinning: compromised}, bare: {pinning: compromised}, full: {pinning: compromised}}
        - {at: 0s, approov: "policy -setPinningTestURL http://a.com"}
        - {at: 0s, fetch: plain, expect: {verdict: pass}}
        - {at: 1s, approov: "policy -setPinningTestURL a.com:443"}
        - {at: 1s, fetch: bare, expect: {verdict: pass}}
        - {at: 2s, approov: "policy -setPinningTestURL https://a.com:8443/health"}
        - {at: 2s, fetch: full, expect: {verdict: fail, rejections: [pinning-tampered]}}
        == R18.7 without network it waits
        - {at: 0s, network: {group: bob, state: none}}
        - {at: 0s, fetch: bob, expect: {result: NO_NETWORK}}
        - {at: 1s, network: {group: bob, state: ok}}
        - {at: 1s, fetch: bob, expect: {verdict: fail, rejections: [pinning-tampered]}}
        """)

    @Test("R18.7 the pinning test", arguments: rows) func isPassed(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    @Test("R18.7 the URL is in force after the propagation, as other changes are") func testURLTakesItsTime() throws {
        let text = """
            devices: {early: {pinning: compromised}, late: {pinning: compromised}}
            steps:
              - {at: 0s, approov: "policy -setPinningTestURL https://a.com"}
              - {at: 29s, fetch: early, expect: {verdict: pass}}
              - {at: 30s, fetch: late, expect: {verdict: fail}}
            """
        #expect(try ScenarioText.failures(text) == [])
    }

    @Test("R18.8 what a device finds where its probe URL leads") func probe() throws {
        let output = try RunOutput(
            """
            account: {propagation: 0s, devices: [{id: \(Self.bob), probe-url: 'https://a.com:443'}]}
            backends: {a.com: {chain: [A, VZrq0IJk1XldOQlxjN0Fq9SVcuhP5VWQ7vMaiKCP3/0=]}}
            devices: {bob: {id: \(Self.bob)}}
            steps:
              - {at: 0s, fetch: bob, expect: {verdict: pass}}
              - {at: 1s, approov: device -getInfo \(Self.bob)}
              - {at: 2s, network: {group: bob, state: mitm, only: [a.com]}}
              - {at: 300s, fetch: bob, expect: {attested: 1}}
              - {at: 301s, approov: device -getInfo \(Self.bob)}
            """)
        let text = output.lines.joined(separator: "\n")
        // The pins are by sha256sum and base64, of `A` and of `MITM`.
        let chain = """
            probe-result:
              probe result for https://a.com:443:
               VZrq0IJk1XldOQlxjN0Fq9SVcuhP5VWQ7vMaiKCP3/0=: CN=A
               VZrq0IJk1XldOQlxjN0Fq9SVcuhP5VWQ7vMaiKCP3/0=: CN=unknown
            """
        let proxy = "probe-result:\n  probe result for https://a.com:443:\n   \(Self.mitm): CN=MITM"
        #expect(text.contains(chain))
        #expect(text.contains(proxy))
        #expect(text.ranges(of: "probe-result").count == 2)
    }

    private static let mitm = "m+jXplBqTUG7tXH1bPKaI7yeEyDZXu3zKpvBAaVfhIo="
}
