import Testing

@testable import TestSupport

/// The pin of a domain that is added, and what it does to devices when the certificate changes (R18.2a).
@Suite struct AddedDomainTests {
    static let rotations = ScenarioRow.table(
        """
        account: {apis: [{domain: a.com}]}
        devices: {bob: {}}
        == R18.2a a domain is added and its chain rotated: devices are blocked until the new pin reaches them
        backends: {b.com: {chain: [OLD, CA]}}
        - {at: 0s, approov: api -add b.com}
        - {at: 30s, request: bob, to: b.com, expect: {accepted: 1, config-changed: 1}}
        - {at: 31s, serve: {b.com: [NEW, CA]}}
        - {at: 32s, request: bob, to: b.com, expect: {cached: 1, blocked: 1}}
        - {at: 33s, approov: pin -api b.com -add key:NEW}
        - {at: 63s, launch: bob}
        - {at: 63s, request: bob, to: b.com, expect: {attested: 1, accepted: 1}}
        == R18.2a, R17.1 the pin travels with the revision, which the domain itself does not wait for
        backends: {b.com: {chain: [OLD]}}
        - {at: 0s, approov: api -add b.com}
        - {at: 1s, serve: {b.com: [NEW]}}
        - {at: 29s, request: bob, to: b.com, expect: {attested: 1, accepted: 1}}
        - {at: 328s, request: bob, to: b.com, expect: {cached: 1, accepted: 1}}
        - {at: 329s, request: bob, to: b.com, expect: {attested: 1, blocked: 1}}
        == R18.2a, R18.6 a backend of which nothing is said presents the key that is called as its domain
        - {at: 0s, approov: api -add B.com}
        - {at: 30s, request: bob, to: b.com, expect: {accepted: 1}}
        - {at: 31s, serve: {b.com: [NEW]}}
        - {at: 32s, request: bob, to: b.com, expect: {blocked: 1}}
        - {at: 33s, serve: {b.com: [NEW, b.com]}}
        - {at: 34s, request: bob, to: b.com, expect: {accepted: 1}}
        == R18.2a it is the leaf of the chain at that time
        backends: {b.com: {chain: [OLD, CA]}}
        - {at: 0s, serve: {b.com: [MIDDLE, CA]}}
        - {at: 1s, approov: api -add b.com -pinOnly}
        - {at: 31s, fetch: bob}
        - {at: 32s, serve: {b.com: [OLD, CA]}}
        - {at: 33s, request: bob, to: b.com, expect: {blocked: 1}}
        - {at: 34s, serve: {b.com: [MIDDLE, OTHER]}}
        - {at: 35s, request: bob, to: b.com, expect: {blocked: 0}}
        == R18.2a no pin is added where none is asked for, nor for the demonstration domain
        - {at: 0s, approov: api -add b.com -pinType none}
        - {at: 0s, approov: api -add shapes.approov.io}
        - {at: 30s, fetch: bob}
        - {at: 31s, serve: {b.com: [NEW], shapes.approov.io: [NEW]}}
        - {at: 32s, request: bob, to: b.com, expect: {blocked: 0}}
        - {at: 32s, request: bob, to: shapes.approov.io, expect: {blocked: 0}}
        == R18.2a managed pins follow the chain, so that a proxy is kept out
        account: {apis: [{domain: a.com}, {domain: shapes.approov.io, type: restricted, pins: [key:OLD]}]}
        backends: {shapes.approov.io: {chain: [NEW, CA]}}
        - {at: 0s, request: bob, to: shapes.approov.io, expect: {accepted: 1}}
        - {at: 1s, serve: {shapes.approov.io: [NEWER]}}
        - {at: 1s, request: bob, to: shapes.approov.io, expect: {accepted: 1}}
        - {at: 2s, network: {group: bob, state: mitm, only: [shapes.approov.io, a.com], trusted: true}}
        - {at: 2s, request: bob, to: shapes.approov.io, expect: {blocked: 1}}
        - {at: 2s, request: bob, to: a.com, expect: {intercepted: 1}}
        """)

    @Test(arguments: rotations) func blocks(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    @Test("R18.2a, R25.2 an added domain is watched, and a rotation is reported") func monitoring() throws {
        let scenario = { (type: String) in
            """
            scenario: s
            account: {monitoring: {emails: [ops@a.com]}, apis: [{domain: a.com}]}
            devices: {bob: {}}
            steps:
              - {at: 0s, approov: "api -add b.com\(type)"}
              - {at: 14m, serve: {b.com: [NEW]}}
              - {at: 16m, fetch: bob}

            """
        }
        for (type, count) in [("", 1), (" -pinType local", 0), (" -pinType none", 0)] {
            #expect(
                try ScenarioText.failures(scenario(type) + "expect: {vacuous: allowed, notifications: \(count)}\n")
                    == [], "\(type)")
        }
    }

    private static func loaded(_ name: String, _ steps: String, _ problems: Problem...) -> LoaderRow {
        LoaderRow(
            name,
            "scenario: s\naccount: {apis: [{domain: a.com}]}\nbackends: {b.com: {chain: [OLD]}}\nsteps:\n\(steps)\n"
                + "expect: {metrics: {pass: 0}}\n", problems)
    }

    // printf OLD | openssl dgst -sha256 -binary | base64
    private static let old = "CZ2Qy+5i+J5keOFT6zJA78vkrCIxvtw+hFSbvqq6h+g="

    static let rehearsals = [
        loaded(
            "the pin that the leaf gave can be removed, once",
            "- {at: 1s, approov: api -add b.com}\n- {at: 2s, approov: pin -api b.com -remove key:OLD}\n"
                + "- {at: 3s, approov: ①pin -api b.com -remove key:OLD}",
            "① API domain `b.com` has no pin `\(old)`"),
        loaded(
            "the pin of a chain that came before the domain",
            "- {at: 0s, serve: {b.com: [OLD, CA]}}\n- {at: 1s, approov: api -add b.com}\n"
                + "- {at: 2s, approov: ①pin -api b.com -add key:OLD}",
            "① pin `\(old)` of `b.com` exists already"),
    ]

    @Test("R18.2a steps are tried with the chains of their time", arguments: rehearsals)
    func rehearsal(_ row: LoaderRow) { row.expect(isLoaded: false) }
}

/// The probe URL of the filtered policy's entry (R18.8).
@Suite struct FilteredProbeTests {
    private static let bob = "h4gubfCFzJu81j/U2BJsdg=="

    // M, Custom Filtered Security Policy: "However, the -probeURL value is applied."
    static let filteredProbes: [(account: String, probes: Bool)] = [
        ("devices: [\(filteredEntry)], filters: [\(executing)]", true),
        (
            "rules: [r], devices: [\(filteredEntry.dropLast()), policy: 'r,default,default'}], filters: [\(executing)]",
            true
        ),
        (
            "devices: [\(filteredEntry)], filters: [\(executing.replacing("exec-filtered-sec-policy", with: "risky"))]",
            false
        ),
        ("devices: [\(filteredEntry)], filters: [\(executing.replacing("192.0.2.7", with: "192.0.2.8"))]", false),
        ("devices: [\(filteredEntry)], sampling-percentage: 100", true),
        // A device with a policy of its own is not subject to the filtered one, and one with a probe URL probes that.
        (
            "devices: [\(filteredEntry), {id: \(bob), policy: 'default,whitelist,all'}], filters: [\(executing)]", false
        ),
        ("devices: [{id: '++FilteredSecPolicy++w=='}], filters: [\(executing)]", false),
    ]
    private static let filteredEntry = "{id: '++FilteredSecPolicy++w==', probe-url: 'https://a.com:443'}"
    private static let executing =
        "{name: f, key: ip, match: 192.0.2.7, capture-device-info: true, exec-filtered-sec-policy: true}"

    // The URL comes with the answer, and what is found there with the next attestation.
    static let seenProbes = ScenarioRow.table(
        """
        account: {propagation: 0s, devices: [\(filteredEntry)], filters: [\(executing), {name: seen, key: probe-result, regex: 'CN=MITM', reject: true}]}
        backends: {a.com: {chain: [A]}}
        devices: {bob: {attributes: {ip: 192.0.2.7}}, amy: {attributes: {ip: 192.0.2.8}}}
        == R18.8 filters see what was found at the attestation before
        - {at: 0s, fetch: all, expect: {verdict: pass}}
        - {at: 1s, network: {group: all, state: mitm, only: [a.com], trusted: true}}
        - {at: 300s, fetch: all, expect: {verdict: pass}}
        - {at: 301s, network: {group: all, state: ok}}
        - at: 600s
          fetch: all
          expect: [{group: bob, rejections: ['filter:seen']}, {group: amy, verdict: pass}]
        - {at: 900s, fetch: all, expect: {verdict: pass}}
        == R18.8 a device that the filtered policy is not for any more shows it once
        - {at: 0s, network: {group: bob, state: mitm, only: [a.com], trusted: true}}
        - {at: 0s, fetch: bob, expect: {verdict: pass}}
        - {at: 1s, set: {group: bob, attributes: {ip: 192.0.2.9}}}
        - {at: 300s, fetch: bob, expect: {rejections: ['filter:seen']}}
        - {at: 600s, fetch: bob, expect: {verdict: pass}}
        == R18.8 a new install has found nothing
        - {at: 0s, network: {group: bob, state: mitm, only: [a.com], trusted: true}}
        - {at: 0s, fetch: bob, expect: {verdict: pass}}
        - {at: 1s, reinstall: bob}
        - {at: 300s, fetch: bob, expect: {verdict: pass}}
        """)

    @Test("R18.8 filters see the results of probes", arguments: seenProbes) func filtersSee(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    @Test("R18.8, R7.3 the probe URL of the filtered policy is applied", arguments: filteredProbes)
    func filteredProbe(row: (account: String, probes: Bool)) throws {
        let output = try RunOutput(
            """
            account: {propagation: 0s, \(row.account)}
            backends: {a.com: {chain: [A]}}
            devices: {bob: {id: \(Self.bob), attributes: {ip: 192.0.2.7}}}
            steps:
              - {at: 0s, fetch: bob, expect: {attested: 1}}
              - {at: 1s, approov: device -getInfo new-did}
            """)
        let text = output.lines.joined(separator: "\n")
        #expect(text.contains("ip: 192.0.2.7"))
        let result = """
            probe-result:
              probe result for https://a.com:443:
               VZrq0IJk1XldOQlxjN0Fq9SVcuhP5VWQ7vMaiKCP3/0=: CN=A
            """
        #expect(text.contains(result) == row.probes && text.contains("probe-result") == row.probes)
    }
}

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
