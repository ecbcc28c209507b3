import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

@Suite struct ScenarioAccountTests {
    @Test func anAbsolutePathIsTakenAsItStands() throws {
        let folder = try TemporaryFolder()
        let account = try folder.write("account: prod\n", to: "prod.yaml")
        let path = try folder.write(
            "scenario: s\naccount: \(account)\nexpect: {metrics: {pass: 0}}\n", to: "deeper/s.yaml")
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.load(path: path, within: .anywhere, diagnostics: &diagnostics)
        #expect(scenario?.accounts.map(\.account.name) == ["prod"])
    }
}
