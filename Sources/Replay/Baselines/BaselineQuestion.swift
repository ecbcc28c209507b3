internal import Documents
internal import Figures
internal import PolicyEngine

/// A question about another account on the records of a baseline.
///
/// No state is shared by devices. So only those are evaluated about which the other account may decide otherwise: they have a
/// record of such a kind (``KindTest``), or an entry, or were treated in a way that needs more than that.
struct BaselineQuestion: Sendable {
    private let baseline: Baseline
    private let after: Account
    private let filters: BaselineFilters
    private let chooses: Bool
    private let request: ReplayRequest

    /// - Parameters:
    ///   - baseline: The account before, and the records.
    ///   - after: The account after.
    ///   - request: Says how many workers there are, and when they give up.
    /// - Returns: `nil` for an account about which the kept records do not say all.
    init?(_ baseline: Baseline, after: Account, _ request: ReplayRequest) {
        guard let filters = BaselineFilters(baseline, of: after) else { return nil }
        (self.baseline, self.after, self.filters) = (baseline, after, filters)
        self.request = request
        chooses = Self.canChoose(baseline, after)
    }

    // True if devices that are not chosen get the same decisions, and only the name of the policy is another one.
    private static func canChoose(_ baseline: Baseline, _ after: Account) -> Bool {
        let before = baseline.account
        let parts = AccountChange(from: before, to: after).parts
        let isKnown = baseline.namesNewDevices || before.withoutNewDevices == nil
        // Chance that follows from a device's ID has a part in all decisions.
        let isOpen = [before, after].contains { $0.possibleRules.contains(.samplingHash) }
        let isSampledAlike =
            before.effectiveFilteredPolicy == after.effectiveFilteredPolicy
            && (after.effectiveFilteredPolicy == nil || before.samplingPercentage == after.samplingPercentage)
        return isKnown && !isOpen && isSampledAlike
            && parts.allSatisfy { part in
                switch part {
                case .policy, .filters, .devices, .filteredPolicy, .rules, .users, .monitoring: true
                case .name, .flags, .deviceCheck, .safetyNet, .certificates, .registrations, .removedRegistrations,
                    .domains, .secureStrings, .features, .developmentKey, .pinningTestURL, .tokens, .keys,
                    .responseCodes, .propagation, .grace, .billingDay, .other:
                    false
                }
            }
    }

    // MARK: Devices

    /// The devices of a shard that are evaluated.
    func chosen(of shard: BaselineShard) -> ChosenDevices {
        guard chooses else { return ChosenDevices(all: shard.devices) }
        var test = KindTest(baseline, after, filters.translation)
        let kinds = shard.records.kinds.map { test.mayDiffer($0, filters.translation.matches($0.matches)) }
        var areChosen = Array(repeating: false, count: shard.devices.count)
        for device in shard.records.special.elements { areChosen[device] = true }
        for entry in baseline.account.devices + after.devices {
            if let device = shard.devices.index(of: entry.id) { areChosen[device.offset] = true }
        }
        shard.records.mark(kinds: kinds, rows: filters.newRows, in: &areChosen)
        return ChosenDevices(areChosen, of: shard.devices)
    }

    // MARK: Figures

    /// The comparison of both accounts.
    ///
    /// - Returns: `nil` if the columns do not say all, or it was interrupted.
    func comparison() -> DoubtedFigures<PairFigures>? {
        guard let presences = presences() else { return nil }
        let parts = Workers.map(baseline.shards, jobs: request.jobs) { shard, _ in pair(shard) }
        guard var whole = DoubtedFigures<PairFigures>.sum(of: parts) else { return nil }
        if chooses {
            if baseline.namesNewDevices { whole.doubtful = nil }
            complete(&whole.value)
            if var doubtful = whole.doubtful {
                complete(&doubtful)
                whole.doubtful = doubtful
            }
        }
        guard !whole.value.after.filters.contains(where: { $0.limitHits > 0 }) else { return nil }
        whole.value.changes.presences = presences
        whole.doubtful?.changes.presences = presences
        return whole
    }

    private func pair(_ shard: BaselineShard) -> DoubtedFigures<PairFigures>? {
        let kinds = shard.records.kinds
        let translated = kinds.map { filters.translation.matches($0.matches) }
        let chosen = chosen(of: shard)
        var symbols = SymbolTable(catalogue: baseline.account.catalogue)
        symbols.devices = chosen.table
        var evaluator = ComparingEvaluator(
            before: baseline.account, after: after, apps: baseline.apps,
            hasNoNewDevices: !baseline.namesNewDevices, symbols: &symbols)
        symbols.catalogue = baseline.catalogue
        evaluator.adopt(baseline.catalogue)
        let isDone = shard.records.evaluate(
            chosen, symbols: symbols, by: &evaluator, accounts: 2, isLate: { request.isLate },
            announce: { translated.prefetch($0) },
            matches: { kind, origin, index in
                AccountMatches(kinds[kind].matches, filters.matches(translated[kind], inRecord: index))
            })
        return isDone ? evaluator.result(symbols: symbols, fetches: nil).counted : nil
    }

    private func presences() -> [ComparisonFigures.Presence]? {
        let names = AttributePresences.names([baseline.account, after])
        return baseline.columns.counts(of: names).map { counts in
            zip(names, counts).map { name, count in .init { ($0.attribute, $0.records) = (name, count) } }
        }
    }

    // Adds what both accounts decide alike about the other devices.
    private func complete(_ pair: inout PairFigures) {
        var rest = baseline.figures
        rest.remove(pair.before)
        let (attestations, devices) = (rest.attestations, rest.devices.unique)
        pair.changes.events += attestations
        pair.changes.attestations += attestations
        pair.changes.evaluatedEvents += attestations
        pair.changes.devices += devices
        pair.changes.lifetimes.add(
            rest.lifetimes.map { lifetime, count in
                .init { ($0.before, $0.after, $0.events, $0.attestations) = (lifetime, lifetime, count, count) }
            })
        (pair.changes.disagreements, pair.changes.span) = (baseline.disagreements, baseline.span)
        pair.before = baseline.figures
        rest.rename(policiesAndFiltersOf: after)
        // The side before has those of all devices.
        rest.groups = nil
        pair.after.add(rest)
    }
}
