internal import Accounts
package import Documents
internal import Figures
internal import PolicyEngine
internal import Replay

/// Which changes of accounts some scenarios notice.
package struct MutationReport: Sendable {
    /// The changes, in the order of the scenarios and of what the accounts hold.
    package var mutants: [Mutant] = []

    /// A change of an account.
    package struct Mutant: Hashable, Sendable {
        /// The file of the account, or of the scenario that holds it.
        package let file: String
        /// The name of the account.
        package let account: String
        /// The management command that makes the change, or words if there is none.
        package let change: String
        package var effect: Effect
    }

    /// The effect of a change on the scenarios.
    package enum Effect: Hashable, Sendable {
        /// An expectation of a scenario fails.
        case noticed
        /// Clients get something else, and no expectation fails.
        case unnoticed(Gap)
        /// Nothing that any scenario does ends otherwise.
        case idle
    }

    /// The position at which an expectation is missing.
    package struct Gap: Hashable, Sendable {
        /// The scenario.
        package let file: String
        /// The first step in which a client gets something else.
        package let position: SourcePosition
        /// The difference, in words: `verdict pass, changed: fail`.
        package let difference: String
    }

    /// The number of changes that are noticed.
    package var noticed: Int { mutants.count { $0.effect == .noticed } }

    /// The number of changes that have an effect, noticed or not.
    package var effective: Int { mutants.count { $0.effect != .idle } }

    /// The number of changes that have none.
    package var idle: Int { mutants.count - effective }
}

// A change of one account of a scenario.
private struct Trial: Sendable {
    let scenario: Scenario
    let account: Int
    let mutant: AccountMutant
    let isReachable: Bool
}

extension MutationReport {
    /// Changes every account of some scenarios, one thing at a time, and finds out which changes they notice.
    ///
    /// - Parameters:
    ///   - scenarios: Scenarios that pass.
    ///   - seed: Goes before the seed of every scenario.
    ///   - jobs: The number of runs that may be active at a time; the result does not depend on it.
    /// - Complexity: Up to three runs of a scenario for each thing that its accounts hold.
    package init(on scenarios: [Scenario], seed: UInt64? = nil, jobs: Int = 1) {
        let runner = ScenarioRunner(seed: seed)
        let trials = scenarios.flatMap { Self.trials($0, runner) }
        let effects = Workers.map(trials, jobs: jobs) { trial, _ in Self.effect(of: trial, runner) }
        var known: [Mutant: Int] = [:]
        for (trial, effect) in zip(trials, effects) {
            let named = trial.scenario.accounts[trial.account]
            // A change of one account file counts once, however many scenarios use the file; it is noticed if one of them does.
            var mutant = Mutant(
                file: named.file ?? trial.scenario.file, account: named.account.name, change: trial.mutant.change,
                effect: .idle)
            guard let index = known[mutant] else {
                known[mutant] = mutants.count
                mutant.effect = effect
                mutants.append(mutant)
                continue
            }
            if mutants[index].effect == .idle || effect == .noticed { mutants[index].effect = effect }
        }
    }

    private static func trials(_ scenario: Scenario, _ runner: ScenarioRunner) -> [Trial] {
        let flags = ScenarioRun(scenario, runner, keepsResults: true).flagsSeen()
        let isAboutPolicies = scenario.isAboutPolicies
        return scenario.accounts.indices.flatMap { index in
            AccountMutant.all(of: scenario.accounts[index].account).map { mutant in
                Trial(
                    scenario: scenario, account: index, mutant: mutant,
                    isReachable: isAboutPolicies || mutant.flag.map { flags[index].contains($0) } ?? true)
            }
        }
    }

    private static func effect(of trial: Trial, _ runner: ScenarioRunner) -> Effect {
        guard trial.isReachable else { return .idle }
        let changed = trial.scenario.replacingAccount(at: trial.account, by: trial.mutant.account)
        // An expectation fails, or the scenario cannot even be run.
        var diagnostics = Diagnostics()
        let results = runner.run([changed], diagnostics: &diagnostics)
        if diagnostics.hasErrors || !results.allSatisfy(\.passed) { return .noticed }
        let gap = ScenarioRun(trial.scenario, runner, keepsResults: true)
            .firstDifference(from: ScenarioRun(changed, runner, keepsResults: true))
        return gap.map { .unnoticed($0) } ?? .idle
    }
}

extension ScenarioRun {
    /// Runs the scenario, and finds out which flags it ever shows to each account.
    fileprivate consuming func flagsSeen() -> [FlagSet] {
        var (run, diagnostics) = (self, Diagnostics())
        var flags = run.scenario.accounts.map { _ in FlagSet.empty }
        for occurrence in run.timeline {
            run.perform(occurrence, diagnostics: &diagnostics)
            for received in run.received {
                let account = run.scenario.groups[received.group].account
                for fetch in received.fetches {
                    flags[account] = flags[account].union(fetch.compared.decision?.flags ?? .empty)
                }
            }
        }
        return flags
    }

    /// Runs the scenario beside the same one with other accounts, up to the first thing that a client gets otherwise.
    ///
    /// - Returns: Its step; `nil` where all end alike.
    fileprivate consuming func firstDifference(from other: consuming ScenarioRun) -> MutationReport.Gap? {
        var (run, other, diagnostics) = (self, other, Diagnostics())
        for occurrence in run.timeline {
            run.perform(occurrence, diagnostics: &diagnostics)
            other.perform(occurrence, diagnostics: &diagnostics)
            for (mine, theirs) in zip(run.received, other.received) where !mine.isSame(as: theirs) {
                return MutationReport.Gap(
                    file: run.scenario.file, position: run.scenario.steps[occurrence.step].position,
                    difference: run.difference(mine, theirs))
            }
        }
        return nil
    }

    // The difference, in words.
    private func difference(_ mine: Received, _ theirs: Received) -> String {
        if mine.end.kind != .token, let change = mine.change(to: theirs) {
            return "\(mine.end.kind.rawValue) \(change.before), changed: \(change.after)"
        }
        for (old, new) in [(mine.earlier, theirs.earlier), (mine.fetch, theirs.fetch)] {
            if let words = difference(old, new, group: mine.group) { return words }
        }
        return "fetches \(mine.fetches.count), changed: \(theirs.fetches.count)"
    }

    private func difference(_ mine: KeptFetch?, _ theirs: KeptFetch?, group: Int) -> String? {
        guard let old = mine?.compared, let new = theirs?.compared else { return nil }
        func words(_ name: String, _ before: String, _ after: String) -> String? {
            before == after ? nil : "\(name) \(before), changed: \(after)"
        }
        if let words = words("result", old.result.name, new.result.name) { return words }
        guard let before = old.decision, let after = new.decision else { return nil }
        let service = services[scenario.groups[group].account]
        func names(_ aspect: NameAspect, _ decision: Decision) -> String {
            service.names(of: aspect, in: decision).map { "[" + $0.joined(separator: ", ") + "]" } ?? "none"
        }
        func words(_ aspect: NameAspect, _ isSame: Bool) -> String? {
            isSame ? nil : words(aspect.rawValue, names(aspect, before), names(aspect, after))
        }
        return words("verdict", before.passed ? "pass" : "fail", after.passed ? "pass" : "fail")
            ?? words(
                .rejections,
                before.rejectingFlags == after.rejectingFlags && before.rejectingFilters == after.rejectingFilters
                    && before.isBlacklisted == after.isBlacklisted)
            ?? words("lifetime", "\(before.lifetime)s", "\(after.lifetime)s")
            ?? words(.flags, before.flags == after.flags) ?? words(.filters, before.filters == after.filters)
            ?? words(.annotations, before.annotations == after.annotations)
            ?? words("grace", "\(before.grace)s", "\(after.grace)s")
    }
}

extension Scenario {
    /// True if it looks at policies themselves, or changes them, so that a flag affects it which no device has.
    fileprivate var isAboutPolicies: Bool {
        let isExpected = steps.flatMap(\.expectations).flatMap(\.checks).contains { $0.key == "policy" }
        let isCounted = finalExpectations.flatMap(\.checks).contains {
            if case .policy? = $0.metric { true } else { false }
        }
        let isChanged = actions(CommandStep.self).contains {
            $0.command.value is PolicyTopic
        }
        return isExpected || isCounted || isChanged
    }

    /// The same scenario with another account in place of one of its own.
    func replacingAccount(at index: Int, by account: Account) -> Scenario {
        var copy = self
        let named = accounts[index]
        copy.accounts[index] = NamedAccount(name: named.name, account: account, file: named.file)
        return copy
    }
}
