import Foundation
import Testing

@testable import Documents
@testable import Figures
@testable import Reports
@testable import Scenarios
@testable import TestSupport

@Suite struct DeterminismTests {
    private static let text = """
        scenario: s
        devices:
          stock:
            count: 60
            flag-rates: {rooted: 30%, xposed: 20%, frida: 10%}
            attributes: {ip: 10.0.0.0/8, appid: {choose: {a: 50%, b: 50%}}, device: "Android 9", app-version: "1"}
          others: {count: 40, os: ios, flag-rates: {jailbroken: 40%}}
        steps:
          - {at: 0s, fetch: all, every: 1m, until: 20m, expect: {pass: 1, flags: {rooted: 0}}}
          - {at: 5m, approov: filter -add f -key ip -matchValue ^10.1 -regex -ban}
          - {at: 6m, reinstall: others}
          - {at: 7m, set: {group: stock, flags: [debug], attributes: {ip: 10.0.0.0/8}}}
        expect: {metrics: {pass: 0, fail: 0}}

        """

    /// The report in both forms and the decisions of a run.
    private static func outputs(seed: UInt64) throws -> [[UInt8]] {
        let folder = try TemporaryFolder()
        var diagnostics = Diagnostics()
        let runner = ScenarioRunner(seed: seed, isVerbose: true, decisionsPath: folder.path("decisions"))
        let results = runner.run([try ScenarioText.load(text)], diagnostics: &diagnostics)
        var figures = Figures()
        for result in results { figures.merge(result.figures) }
        let report = Report(figures: figures, scenarios: results)
        let decisions = try Data(contentsOf: URL(filePath: folder.path("decisions")))
        return [
            Array(TextWriter().text(of: report.sections(isVerbose: true)).utf8), JSONReport.bytes(of: report),
            Array(decisions),
        ]
    }

    @Test func oneSeedGivesTheSameBytes() throws {
        let (first, second) = (try Self.outputs(seed: 3), try Self.outputs(seed: 3))
        #expect(first.allSatisfy { $0.count > 1000 })
        #expect(first == second)
    }

    @Test func anotherSeedGivesOthers() throws {
        let (first, second) = (try Self.outputs(seed: 3), try Self.outputs(seed: 4))
        for (one, other) in zip(first, second) { #expect(one != other) }
    }

    @Test func theSeedOfTheScenarioCountsUnlessAnotherIsGiven() throws {
        let seeded = Self.text.replacing("scenario: s\n", with: "scenario: s\nseed: 9\n")
        let own = try ScenarioText.run(seeded).figures.metrics
        #expect(try ScenarioText.run(Self.text, seed: 9).figures.metrics == own)
        #expect(try ScenarioText.run(seeded, seed: 10).figures.metrics != own)
    }
}
