internal import PolicyEngine
internal import Replay

/// The parts of the rules and of the accounts that some scenarios exercised.
package struct Coverage: Sendable {
    // The items that can be exercised, each true if it was.
    private var items: [Item: Bool] = [:]

    /// Something that a scenario can exercise.
    package struct Item: Hashable, Sendable {
        package var kind: Kind
        /// Its name; of what belongs to an account, with the account's.
        package var name: String
    }

    /// The kinds, in the order of reports.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A preset of the rejection policies, applied to an attestation.
        case presets
        /// A flag on which an applied policy rejects, causing a rejection.
        case rejectFlags = "reject-flags"
        /// A filter of an account, matching an attestation.
        case filtersMatched = "filters-matched"
        /// A filter of an account, not matching one.
        case filtersNotMatched = "filters-not-matched"
        /// A flag that an applied annotation policy names, in a token.
        case annotations
        /// A device entry of an account, whose device attested.
        case deviceOverrides = "device-overrides"
        /// A rule set of an account, applied to an attestation.
        case rules
    }

    package init() {}

    /// The number of items of a kind that were exercised, the number of all, and the names of the rest, sorted.
    package struct Share: Hashable, Sendable {
        package var kind: Kind
        package var covered: Int
        package var total: Int
        package var missing: [String]
    }

    /// Notes an item, and whether it was exercised here; once exercised it stays so.
    mutating func note(_ kind: Kind, _ name: String, _ isCovered: Bool) {
        items[Item(kind: kind, name: name), default: false] = items[Item(kind: kind, name: name)] == true || isCovered
    }

    /// Everything that some scenarios exercised; `nil` for none.
    package init?(merging all: [Coverage]) {
        guard !all.isEmpty else { return nil }
        for (item, isCovered) in all.flatMap(\.items) { note(item.kind, item.name, isCovered) }
    }

    /// The kinds of which there is anything.
    package var shares: [Share] {
        Kind.allCases.compactMap { kind in
            let all = items.filter { $0.key.kind == kind }
            guard !all.isEmpty else { return nil }
            let missing = all.filter { !$0.value }.map(\.key.name)
            return Share(
                kind: kind, covered: all.count - missing.count, total: all.count,
                missing: missing.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        }
    }

    /// The number of items that were exercised.
    package var covered: Int { items.values.count { $0 } }

    /// The number of items that can be exercised.
    package var total: Int { items.count }
}

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
