import PolicyEngine
import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

@Suite struct ScenarioAccountTests {
    private static func scenario(_ account: String) -> String {
        "scenario: s\naccount: \(account)\nexpect: {metrics: {pass: 0}}\n"
    }

    @Test func anAccountFileIsLookedForBesideTheScenario() throws {
        let folder = try TemporaryFolder()
        try folder.write("account: prod\npolicy: default,allow-root,risk\n", to: "accounts/prod.yaml")
        let path = try folder.write(Self.scenario("accounts/prod.yaml"), to: "s.yaml")
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.load(path: path, diagnostics: &diagnostics)
        #expect(diagnostics.isEmpty)
        #expect(scenario?.accounts.map(\.account.policy.description) == ["default,allow-root,risk"])
    }

    @Test func anAbsolutePathIsTakenAsItStands() throws {
        let folder = try TemporaryFolder()
        let account = try folder.write("account: prod\n", to: "prod.yaml")
        let path = try folder.write(Self.scenario(account), to: "deeper/s.yaml")
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.load(path: path, within: .anywhere, diagnostics: &diagnostics)
        #expect(scenario?.accounts.map(\.account.name) == ["prod"])
    }

    @Test func mistakesInAnAccountFileStandInThatFile() throws {
        let folder = try TemporaryFolder()
        try folder.write("account: prod\npolcy: default,allow-root,risk\nbilling-day: 0\n", to: "prod.yaml")
        let path = try folder.write("scenario: s\nseed: x\naccount: prod.yaml\nexpect: {}\n", to: "s.yaml")
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.load(path: path, diagnostics: &diagnostics)
        #expect(scenario == nil)
        let found = diagnostics.all.map {
            folder.relative("\($0.file):\($0.position?.description ?? ""): \($0.message)")
        }
        #expect(
            found == [
                "s.yaml:2:7: `seed` must be a whole number of at least 0, not `x`",
                "prod.yaml:2:1: unknown key `polcy` in the account",
                "prod.yaml:3:14: `billing-day` must be a whole number from 1 to 28, not `0`",
            ])
    }

    @Test func anAccountFileThatDoesNotExistIsNamed() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.scenario("prod.yaml"), to: "s.yaml")
        var diagnostics = Diagnostics()
        #expect(ScenarioLoader.load(path: path, diagnostics: &diagnostics) == nil)
        let found = diagnostics.all.map { folder.relative($0.rendered) }
        #expect(
            found == [
                "s.yaml:2:10: error: account file `prod.yaml`: no such file or directory\n  account: prod.yaml\n"
                    + "           ^"
            ])
    }

    @Test func aScenarioThatDoesNotExistIsAnError() {
        var diagnostics = Diagnostics()
        #expect(ScenarioLoader.load(path: "/nowhere/s.yaml", diagnostics: &diagnostics) == nil)
        #expect(diagnostics.all.map(\.rendered) == ["/nowhere/s.yaml: error: no such file or directory"])
    }
}

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
