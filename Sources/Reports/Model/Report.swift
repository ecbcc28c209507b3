package import Documents
package import Figures
package import Scenarios

/// The result of a run or a replay: one value behind every form of report.
package struct Report: Sendable {
    /// The scenarios that were run; none for a replay.
    package var scenarios: [ScenarioResult] = []
    /// The counts.
    package var figures: Figures
    /// The frequency of devices' fetches, if captures of fetches were read.
    package var fetches: FetchFigures?
    /// The costs of wrong verdicts on labelled devices; `nil` where none were given.
    package var labelCost: LabelCost?
    /// The name of the account; empty if it has none, or if there are several.
    package var account = ""
    /// The level of the intervals that are reported; `nil` for none.
    package var confidence: ConfidenceLevel?
    /// The version of the tool; empty where it does not matter.
    package var version = ""
    /// The files of scenarios by their paths, for forms that show the lines of what failed.
    package var sources: [String: SourceFile] = [:]
    /// The exercised parts of the rules and the accounts, if coverage was asked for.
    package var coverage: Coverage?
    /// The changes of the accounts that are noticed, and those that are not, if mutants were asked for.
    package var mutants: MutationReport?

    /// The scenarios that were left out since a change does not affect them; `nil` where nobody asked for that.
    package var leftOut: [LeftOutScenario]?
    /// True if figures of several scenarios are shown, taken together, though their accounts may have nothing to do with each other.
    package var showsTotals = false
    /// The records that the captures were narrowed to; `nil` for all of their records.
    package var narrowed: NarrowedRecords?
    /// The effects of assumptions about signals; `nil` where nothing was assumed.
    package var assumed: AssumptionFigures?
    /// The summaries, account by account.
    package var summaries: [AccountSummary] = []

    /// The options of a command that explains a device of a scenario, behind the device; `nil` where none finds it.
    package var explanationOptions: String? = ""

    package init(figures: Figures, scenarios: [ScenarioResult] = [], fetches: FetchFigures? = nil) {
        self.figures = figures
        self.scenarios = scenarios
        self.fetches = fetches
    }

    /// One side of a comparison.
    init(_ side: Comparison.Side) { self.init(figures: side.figures, fetches: side.fetches) }

    /// True if scenarios were run, or would have been.
    var isOfScenarios: Bool { !scenarios.isEmpty || leftOut != nil }

    /// True if nothing but fetches was read, so that there are no decisions.
    var isOfFetchesAlone: Bool { fetches.map { $0.weights == nil } ?? false }
}
