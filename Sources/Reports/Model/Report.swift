package import Documents
package import Replay
package import Scenarios

/// The result of a run or a replay: one value behind every form of report.
package struct Report: Sendable {
    /// The scenarios that were run; none for a replay.
    package var scenarios: [ScenarioResult] = []
    /// What was counted.
    package var figures: Figures
    /// How often devices fetched, where captures of fetches were read.
    package var fetches: FetchFigures?
    /// The name of the account; empty where it has none, or where there are several.
    package var account = ""
    /// The version of the tool; empty where it does not matter.
    package var version = ""
    /// The files of scenarios by their paths, for forms that show the lines of what failed.
    package var sources: [String: SourceFile] = [:]
    /// What of the rules and the accounts was exercised, where that was asked for.
    package var coverage: Coverage?
    /// Which changes of the accounts are noticed, where that was asked for.
    package var mutants: MutationReport?

    /// The scenarios that were left out since a change does not affect them; `nil` where nobody asked for that.
    package var leftOut: [LeftOutScenario]?
    /// What summaries say, account by account.
    package var summaries: [AccountSummary] = []

    package init(figures: Figures, scenarios: [ScenarioResult] = [], fetches: FetchFigures? = nil) {
        self.figures = figures
        self.scenarios = scenarios
        self.fetches = fetches
    }

    /// One side of a comparison.
    init(_ side: Comparison.Side) { self.init(figures: side.figures, fetches: side.fetches) }

    /// Whether nothing but fetches was read, so that there are no decisions.
    var isOfFetchesAlone: Bool { fetches.map { $0.weights == nil } ?? false }
}
