import Synchronization
import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

@Suite struct ScenarioRunnerTests {
    private static func scenario(_ name: String, regex: String = "x") throws -> Scenario {
        let text = """
            scenario: \(name)
            account: {filters: [{name: slow, key: user-property, regex: '\(regex)'}]}
            devices: {crowd: {count: 3, attributes: {user-property: '\(String(repeating: "a", count: 60))!'}}}
            steps:
              - {at: 0s, fetch: all, every: 10m, until: 20m, expect: {pass: 9}}
            """
        var diagnostics = Diagnostics()
        let document = YAMLParser.parse(SourceFile(path: "\(name).yaml", text: text))
        return try #require(ScenarioLoader.load(document, diagnostics: &diagnostics))
    }

    @Test func tellsHowFarItIsOverAllScenarios() throws {
        let shown = Mutex<[Progress.Position]>([])
        let runner = ScenarioRunner(progress: Progress { position in shown.withLock { $0.append(position) } })
        var diagnostics = Diagnostics()
        let results = runner.run([try Self.scenario("one"), try Self.scenario("two")], diagnostics: &diagnostics)
        #expect(results.map(\.passed) == [true, true])
        let positions = shown.withLock { $0 }
        #expect(positions.map(\.records) == [3, 6, 9, 12, 15, 18])
        #expect(positions.map(\.share) == [0, 0.25, 0.5, 0.5, 0.75, 1])
        #expect(positions.allSatisfy { $0.unit == "fetches" })
    }

    @Test("R7.2 a limit that was hit is warned about once by filter") func warnsOfLimits() throws {
        var diagnostics = Diagnostics()
        let runner = ScenarioRunner()
        let results = runner.run([try Self.scenario("slow", regex: "(a+)+$")], diagnostics: &diagnostics)
        #expect(results.map(\.passed) == [true])
        #expect(diagnostics.all.map(\.severity) == [.warning])
        let message = "the regex of filter `slow` hit its match limit 9 times; that counts as no match"
        #expect(diagnostics.all.map(\.message) == [message])
    }
}
