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
