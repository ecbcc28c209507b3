import Testing

@testable import TestSupport

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
            scenario: s
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
