import Documents
import Testing

@testable import Figures
@testable import Reports
@testable import Scenarios
@testable import TestSupport

/// All that a run of a scenario gives; a filter that matched nothing is none of it.
struct PlainRun {
    let result: ScenarioResult
    let output: Output

    /// The outputs that can be compared, byte by byte.
    struct Output: Equatable {
        let report, decisions: String
        let log, printed, diagnostics: [String]
    }

    init(_ scenario: Scenario) throws {
        let folder = try TemporaryFolder()
        var found = Diagnostics()
        let runner = ScenarioRunner(isVerbose: true, decisionsPath: folder.path("decisions"), keepsSeries: true)
        result = try #require(runner.run([scenario], diagnostics: &found).first)
        var figures = result.figures
        figures.filters.removeAll { $0.matched == 0 && $0.limitHits == 0 }
        let bytes = JSONReport.bytes(of: Report(figures: figures, scenarios: [result]))
        output = Output(
            report: String(decoding: bytes, as: UTF8.self), decisions: folder["decisions"] ?? "", log: result.log,
            printed: result.printed, diagnostics: MarkedText.found(found))
    }

    /// True if the scenario can be run under its account, and holds.
    static func passes(_ scenario: Scenario) -> Bool {
        var found = Diagnostics()
        let results = ScenarioRunner().run([scenario], diagnostics: &found)
        return !found.hasErrors && results.allSatisfy(\.passed)
    }

    /// The results that clients get in each step of a scenario, one after another.
    static func received(_ scenario: Scenario) -> [[Received]] {
        var (run, diagnostics) = (ScenarioRun(scenario, keepsResults: true), Diagnostics())
        return Array(run.timeline).map { occurrence in
            run.perform(occurrence, diagnostics: &diagnostics)
            return run.received
        }
    }

    /// The first devices that attested.
    var devices: [String] {
        output.decisions.matches(of: #/"device-id":"([^"]+)"/#).prefix(5).map { String($0.1) }
    }
}
