internal import Accounts
package import Documents
internal import Figures
package import PolicyEngine
package import Replay

/// Compares two accounts on the population of a scenario: it is run twice, step by step, and what each client gets in the one
/// run is compared with what it gets in the other: fetches, requests, strings, custom JWTs and proofs (R19a).
package struct ScenarioComparison {
    private let scenario: Scenario
    private let accounts: (before: Account, after: Account)
    /// When the change is made, in seconds from the start; `nil` where the account after is in force from the start.
    package var changeTime: Int?
    /// Goes before the scenario's own seed.
    package var seed: UInt64?
    /// The decided rules on which the change itself rests.
    package var decidedRules: DecidedRules = []

    /// Compares two accounts on a scenario that has one.
    package init(_ scenario: Scenario, before: Account, after: Account) {
        (self.scenario, accounts) = (scenario, (before, after))
    }

    /// The reason why the change cannot be made during the scenario; `nil` if it can.
    package var refusal: Diagnostic? {
        guard let changeTime else { return nil }
        let changing = scenario.steps.first {
            $0.at < changeTime && ($0.action as? CommandStep)?.command.changesAccount == true
        }
        if let changing {
            return Diagnostic(
                file: scenario.file, position: changing.position,
                message: "the scenario changes the account itself before the change that is compared",
                hint: "an earlier time, or a scenario that does not")
        }
        guard accounts.before.catalogue.declaredNames == accounts.after.catalogue.declaredNames else {
            return Diagnostic(file: scenario.file, message: "flags cannot be declared during a scenario")
        }
        return nil
    }

    /// The result of a comparison.
    package struct Result: Sendable {
        /// The comparison; nothing but the scenario itself can fail, and then its diagnostics say so.
        package var summary: ComparisonSummary
        /// The course of the change through the devices; empty if nothing was compared.
        package let timeline: ChangeTimeline
        /// Why no client ever met the change, in words: lower case, no final period; `nil` where one did.
        package let unmet: String?
    }

    /// Runs the scenario on both sides, compares, and follows how the change reaches the devices.
    package func run() -> Result {
        var diagnostics = Diagnostics()
        let unchanged = scenario.replacingAccount(by: accounts.before)
        var before = ScenarioRun(unchanged, ScenarioRunner(seed: seed), keepsResults: true)
        var after = ScenarioRun(
            changeTime == nil ? scenario.replacingAccount(by: accounts.after, inPlaceOf: accounts.before) : unchanged,
            ScenarioRunner(seed: seed), keepsResults: true)
        let made = scenario.start + (changeTime ?? 0)
        let inForce = changeTime == nil ? made : made + accounts.after.propagation
        var comparing = ResultComparison(
            [accounts.before, accounts.after], inForce: changeTime == nil ? nil : inForce,
            attributes: &before.service.symbols.attributes)
        var timeline = ChangeTimelineCollector(made: made, inForce: inForce)
        var isMade = changeTime == nil
        for occurrence in before.timeline {
            // Before what happens at the same time.
            if !isMade, scenario.start + occurrence.time >= made {
                after.service.change(to: accounts.after, at: made)
                isMade = true
            }
            before.perform(occurrence, diagnostics: &diagnostics)
            after.perform(occurrence, diagnostics: &diagnostics)
            before.compare(with: after, in: &comparing)
            timeline.count(before: before.received, after: after.received, at: after.time)
        }
        if let excess = after.searchExcess ?? before.searchExcess { diagnostics.add(excess.diagnostic) }
        guard !diagnostics.hasErrors else {
            return Result(
                summary: ComparisonSummary(diagnostics: diagnostics), timeline: timeline.timeline, unmet: nil)
        }
        let unmet = comparing.isMet ? nil : unmet(isMade: isMade, made: made, inForce: inForce)
        return Result(
            summary: summary(of: comparison(of: before, after, comparing), timeline, diagnostics),
            timeline: timeline.timeline, unmet: unmet)
    }

    private func summary(
        of comparison: Comparison, _ timeline: ChangeTimelineCollector, _ diagnostics: Diagnostics
    ) -> ComparisonSummary {
        var (comparison, diagnostics) = (comparison, diagnostics)
        // Every device had its tokens before a change during the scenario; what counts is how it ends.
        if changeTime != nil {
            (comparison.changes.lockedOut, comparison.changes.letIn) = timeline.lasting
        }
        for filter in comparison.limitedFilters { diagnostics.add(filter.limitWarning(file: scenario.file)) }
        return ComparisonSummary(comparison: comparison, attributes: scenario.attributes, diagnostics: diagnostics)
    }

    private func unmet(isMade: Bool, made: Instant, inForce: Instant) -> String {
        if !isMade { return "the change is made at \(made), after the last step" }
        return changeTime == nil
            ? "there is no attestation" : "no device attests from \(inForce) on, when the change is in force"
    }

    private func comparison(
        of before: ScenarioRun, _ after: ScenarioRun, _ comparing: ResultComparison
    ) -> Comparison {
        var changes = comparing.collector.figures(
            catalogue: before.service.symbols.catalogue, sides: (before.side, after.side)
        ).finished
        changes.decidedRules = [before, after].reduce(comparing.decidedRules) {
            $0.union($1.decidedRules(of: $1.devices.installs.joined()))
        }
        changes.attested = (before.record.counts.attested, after.record.counts.attested)
        changes.clients = comparing.clients.figures { before.service.deviceID(of: $0) }
        // Here it is known how often devices fetch.
        changes.rejected.fetches = changes.rejected.events
        changes.accepted.fetches = changes.accepted.events
        return Comparison(
            before: Comparison.Side(figures: before.service.figures),
            after: Comparison.Side(figures: after.service.figures),
            accounts: ComparedAccounts(
                before: accounts.before, after: accounts.after, decidedRules: decidedRules),
            changes: changes, isCapture: false)
    }
}

// A run that goes side by side with another one.
extension ScenarioRun {
    /// Compares what clients got in the latest step with what they got in the other run.
    fileprivate func compare(with other: ScenarioRun, in comparison: inout ResultComparison) {
        for (mine, theirs) in zip(received, other.received) {
            let install = devices.installs[mine.group][mine.number]
            var attestation = install.attestation
            attestation.time = time
            comparison.count(
                before: mine, after: theirs, attestation, on: install.evidence.system,
                sides: { (side, other.side) })
        }
    }

    /// The engine and the numbering, by which names are found.
    fileprivate var side: ComparedSide { ComparedSide(engine: service.engine, symbols: service.symbols) }
}

extension Scenario {
    /// The same scenario with another account from the start; for scenarios with one.
    ///
    /// - Parameter earlier: The account before the change; the backends of domains that the change removes are as they were
    ///   under it (R19.4). `nil` where it is no change.
    package func replacingAccount(by account: Account, inPlaceOf earlier: Account? = nil) -> Scenario {
        var copy = self
        copy.accounts = [NamedAccount(name: accounts.first?.name ?? "", account: account, replaced: earlier)]
        return copy
    }
}
