import PolicyEngine
import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

/// The decisions of a scenario, as they are written.
@Suite struct ScenarioDecisionTests {
    /// The lines that a scenario writes.
    private static func decisions(_ text: String) throws -> [Substring] {
        let folder = try TemporaryFolder()
        var diagnostics = Diagnostics()
        let runner = ScenarioRunner(decisionsPath: folder.path("decisions"))
        _ = runner.run([try ScenarioText.load(text)], diagnostics: &diagnostics)
        try #require(diagnostics.all.isEmpty)
        let bytes = try #require(folder.bytes(of: "decisions"))
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    @Test("R1.5, R12.4 section Attestation Response Code: codes end and begin again with the command")
    func codesFollowTheCommand() throws {
        let lines = try Self.decisions(
            """
            scenario: Off and on
            devices: {bob: {os: android}}
            steps:
              - {at: 0s, fetch: bob}
              - {at: 1m, approov: policy -setARC off}
              - {at: 1m, launch: bob}
              - {at: 1m29s, fetch: bob}
              - {at: 1m29s, launch: bob}
              - {at: 1m30s, fetch: bob}
              - {at: 2m, approov: policy -setARC on}
              - {at: 2m, launch: bob}
              - {at: 2m30s, fetch: bob}
            """)
        let codes = [#""NOLOY2TX2C""#, #""JBTLZZJZLE""#, "null", #""JBTLZZJZLE""#]
        #expect(lines.count == codes.count)
        for (line, code) in zip(lines, codes) { #expect(line.hasSuffix(",\"arc\":\(code)}"), "\(line)") }
    }

    @Test("R12.4, R14.3 section Token Claims: tokens of the failover have no code") func failoverHasNoCodes() throws {
        let lines = try Self.decisions(
            """
            scenario: Outage
            devices: {bob: {os: android}}
            steps:
              - {at: 0s, fetch: bob}
              - {at: 1m, outage: primary, until: 5m}
              - {at: 2m, launch: bob}
              - {at: 2m, fetch: bob}
              - {at: 5m, launch: bob}
              - {at: 6m, fetch: bob}
            """)
        let codes = [#""NOLOY2TX2C""#, "null", #""JBTLZZJZLE""#]
        #expect(lines.count == codes.count)
        for (line, code) in zip(lines, codes) { #expect(line.hasSuffix(",\"arc\":\(code)}"), "\(line)") }
    }

    @Test("R2.3, R12.2 accounts that declare different flags have lines and codes of their own")
    func accountsDoNotShareNames() throws {
        let lines = try Self.decisions(
            """
            scenario: Two
            accounts:
              first: {account: one, flags: [{name: extra-a}]}
              second: {account: two, flags: [{name: extra-b}]}
            devices:
              ann: {account: first, os: android, flags: [extra-a]}
              bea: {account: second, os: android, flags: [extra-b]}
            steps:
              - {at: 0s, fetch: all}
            """)
        #expect(lines.count == 2)
        let expected = [("extra-a", "IRBMLWOYDK"), ("extra-b", "R7TRPUOM3A")]
        for (line, (flag, code)) in zip(lines, expected) {
            #expect(line.contains("\"flags\":[\"new-did\",\"\(flag)\"]"), "\(line)")
            #expect(line.hasSuffix(",\"arc\":\"\(code)\"}"), "\(line)")
        }
    }
}
