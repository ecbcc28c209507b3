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
