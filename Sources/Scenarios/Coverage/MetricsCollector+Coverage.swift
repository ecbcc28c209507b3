internal import PolicyEngine
internal import Replay

extension MetricsCollector {
    /// The coverage of the rules and of an account by the decisions counted.
    ///
    /// - Parameters:
    ///   - engine: The engine that made the decisions.
    ///   - symbols: The numbering that it used.
    func coverage(engine: Engine, symbols: SymbolTable) -> Coverage {
        var coverage = Coverage()
        for preset in RejectionPreset.allCases { coverage.note(.presets, preset.rawValue, false) }
        let (revisions, rejectingCounts) = (revisions, rejectingCounts)
        for (number, revision) in engine.history.revisions.enumerated() {
            let counts = number < revisions.count ? revisions[number] : RevisionCounts()
            addPolicies(
                of: number, counts: counts, rejecting: rejectingCounts, engine: engine, symbols: symbols,
                to: &coverage)
            addFilters(of: revision.account, counts: counts, to: &coverage)
            addEntries(of: revision.account, symbols: symbols, to: &coverage)
        }
        return coverage
    }

    private func addPolicies(
        of number: Int, counts: RevisionCounts, rejecting counted: [Int], engine: Engine, symbols: SymbolTable,
        to coverage: inout Coverage
    ) {
        let account = engine.history.revisions[number].account
        for rules in account.rules { coverage.note(.rules, "\(account.name): \(rules)", false) }
        for (index, policy) in engine.policies(ofRevision: number).enumerated() {
            guard index < counts.policies.count, counts.policies[index] > 0 else { continue }
            coverage.note(.presets, policy.rejection.name, true)
            coverage.note(.rules, "\(account.name): \(policy.rules)", true)
            let rejecting = policy.rejection.rejecting.union(policy.rejection.rejectingUnlessXposed)
            for flag in rejecting {
                coverage.note(.rejectFlags, symbols.catalogue[flag].name, counted[Int(flag.index)] > 0)
            }
            guard !policy.annotation.namesEverything else { continue }
            for flag in policy.annotation.flags {
                coverage.note(.annotations, symbols.catalogue[flag].name, annotatedFlags.contains(flag))
            }
        }
    }

    private func addFilters(of account: Account, counts: RevisionCounts, to coverage: inout Coverage) {
        let attestations = counts.policies.reduce(0, +)
        for (index, filter) in account.filters.enumerated() {
            let matched = index < counts.matches.count ? counts.matches[index] : 0
            coverage.note(.filtersMatched, "\(account.name): \(filter.name)", matched > 0)
            coverage.note(.filtersNotMatched, "\(account.name): \(filter.name)", matched < attestations)
        }
    }

    private func addEntries(of account: Account, symbols: SymbolTable, to coverage: inout Coverage) {
        for entry in account.devices where !entry.id.isFilteredPolicy {
            let hasAttested = symbols.devices.index(of: entry.id).map(hasSeen) ?? false
            coverage.note(.deviceOverrides, "\(account.name): \(entry.id)", hasAttested)
        }
    }
}
