internal import Documents
package import PolicyEngine
package import Replay

/// Compares two accounts on the population of a scenario: it is run twice, step by step, and each fetch of the one run is
/// compared with the same fetch of the other.
package struct ScenarioComparison {
    private let scenario: Scenario
    private let accounts: (before: Account, after: Account)
    private let seed: UInt64?

    /// - Parameters:
    ///   - scenario: A scenario with one account.
    ///   - before: The account before the change, from the start.
    ///   - after: The account after the change, from the start.
    ///   - seed: Goes before the scenario's own.
    package init(_ scenario: Scenario, before: Account, after: Account, seed: UInt64? = nil) {
        self.scenario = scenario
        accounts = (before, after)
        self.seed = seed
    }

    /// Runs the scenario on both sides, and compares.
    ///
    /// - Throws: Nothing is written, so nothing can fail but the scenario itself; then the diagnostics say so.
    package func run() -> ComparisonSummary {
        var diagnostics = Diagnostics()
        var before = ScenarioRun(scenario.replacingAccount(by: accounts.before), seed: seed, keepsFetches: true)
        var after = ScenarioRun(scenario.replacingAccount(by: accounts.after), seed: seed, keepsFetches: true)
        var comparing = before.comparison(with: accounts.after)
        for occurrence in Timeline(scenario.steps) {
            before.perform(occurrence, diagnostics: &diagnostics)
            after.perform(occurrence, diagnostics: &diagnostics)
            before.compare(with: after, in: &comparing)
        }
        guard !diagnostics.hasErrors else { return ComparisonSummary(diagnostics: diagnostics) }
        var changes = comparing.collector.figures(catalogue: before.catalogue).settled
        changes.attested = (before.attested, after.attested)
        // Here it is known how often devices fetch.
        changes.rejected.fetches = changes.rejected.events
        changes.accepted.fetches = changes.accepted.events
        let comparison = Comparison(
            before: Comparison.Side(figures: before.figures), after: Comparison.Side(figures: after.figures),
            accounts: accounts, changes: changes, isCapture: false)
        for filter in comparison.limitedFilters { diagnostics.add(filter.limitWarning(file: scenario.file)) }
        return ComparisonSummary(
            comparison: comparison, attributes: scenario.attributes, diagnostics: diagnostics)
    }
}
