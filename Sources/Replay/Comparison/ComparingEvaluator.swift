internal import Figures
internal import PolicyEngine

extension ReplayPlan {
    /// A replay through two accounts, each with its own memory of devices.
    ///
    /// - Parameters:
    ///   - before: The account before.
    ///   - after: The account after.
    ///   - assumed: What the account after sees in place of what the records say; `nil` for nothing.
    ///   - devices: The devices of which the result says what the change does to them.
    ///   - keepsDecisions: True if the decisions of both are written.
    static func comparison(
        before: Account, after: Account, assumed: AssumedSignals? = nil, outcomesOf devices: Set<DeviceID> = [],
        keepsDecisions: Bool = false
    ) -> ReplayPlan {
        let accounts = [before, after]
        let needs = RecordNeeds(accounts: accounts, assumed: assumed, apps: AppRegistry(), notesPresences: true)
        let catalogue = FlagCatalogue()
        // Each account numbers the flags for itself.
        return ReplayPlan(
            catalogue: assumed?.catalogue(extending: catalogue) ?? catalogue, numberingAccounts: accounts, needs: needs
        ) { symbols in
            ComparingEvaluator(
                before: before, after: after, apps: needs.apps ?? AppRegistry(), outcomesOf: devices,
                keepsDecisions: keepsDecisions, symbols: &symbols)
        }
    }
}

/// Evaluates every record by two accounts, each with its own memory of devices, and compares.
struct ComparingEvaluator: BatchEvaluator {
    private var before: EvaluatedAccount
    private var after: EvaluatedAccount
    private var comparison: ComparisonCollector
    // Compares without what depends on new devices, as long as no record has `new-did`; else `nil`.
    private var doubtful: ComparisonCollector?
    // True if it is known that no record has `new-did`: the figures of `doubtful` are the result then (``DoubtedFigures``).
    private let countsDoubtOnly: Bool
    private let apps: AppRegistry
    // True if the decisions after are written, too.
    private let keepsDecisions: Bool
    // The devices of which the result says what the change does to them.
    private let namedDevices: Set<DeviceID>
    // The latest verdicts of the account after; the shard keeps those of the account before.
    private var latestVerdicts = LatestVerdicts()
    // The effects on tokens that `comparison` and `doubtful` have numbered, as long as sets keep their numbers.
    private var effects = KnownEffects()
    private var doubtfulEffects = KnownEffects()
    private var generation = 0

    /// - Parameters:
    ///   - before: The account before.
    ///   - after: The account after.
    ///   - apps: The apps of the records.
    ///   - devices: The devices of which the result says what the change does to them.
    ///   - keepsDecisions: True if decisions are written.
    ///   - countsBefore: False if the figures before are known, so that the result need not have them.
    ///   - hasNoNewDevices: True if it is known that no record has `new-did`.
    ///   - symbols: The numbering of the records; takes the devices that the accounts name.
    init(
        before: Account, after: Account, apps: AppRegistry, outcomesOf devices: Set<DeviceID> = [],
        keepsDecisions: Bool = false, countsBefore: Bool = true, hasNoNewDevices: Bool = false,
        symbols: inout SymbolTable
    ) {
        (self.keepsDecisions, namedDevices) = (keepsDecisions, devices)
        self.before = EvaluatedAccount(
            before, index: 0, apps: apps, keepsGroups: true, isCounted: countsBefore,
            hasNoNewDevices: hasNoNewDevices,
            symbols: &symbols)
        self.after = EvaluatedAccount(
            after, index: 1, apps: apps, hasNoNewDevices: hasNoNewDevices, symbols: &symbols)
        self.apps = apps
        comparison = ComparisonCollector(attributes: AttributePresences.names([before, after]))
        let isInDoubt = before.withoutNewDevices != nil || after.withoutNewDevices != nil
        doubtful = isInDoubt ? comparison : nil
        countsDoubtOnly = isInDoubt && hasNoNewDevices
    }

    var engine: Engine { before.evaluator.engine }

    mutating func adopt(_ catalogue: FlagCatalogue) {
        before.evaluator.adopt(catalogue)
        after.evaluator.adopt(catalogue)
    }

    func passes(_ row: Int) -> Bool { before.evaluator.passes(row) }

    mutating func decision(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> Decision {
        before.evaluator.decision(row, batch, symbols: symbols)
    }

    mutating func meant(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> [MeantDecision] {
        let old = before.meant(row, batch, symbols: symbols)
        return keepsDecisions ? [old, after.meant(row, batch, symbols: symbols)] : [old]
    }

    mutating func evaluate(_ batch: borrowing Batch, symbols: borrowing SymbolTable) {
        before.evaluator.evaluate(batch, symbols: symbols)
        after.evaluator.evaluate(batch, symbols: symbols)
        if !before.evaluator.isInDoubt, !after.evaluator.isInDoubt { doubtful = nil }
        if generation != batch.generation {
            generation = batch.generation
            (effects, doubtfulEffects) = (KnownEffects(), KnownEffects())
        }
        // Lanes leave devices with entries to the engine.
        let hasOpenRules = before.hasOpenRulesWithoutEntry || after.hasOpenRulesWithoutEntry
        // All at once, so that waiting for memory overlaps.
        for device in batch.devices { prefetch(device) }
        for row in 0..<batch.count {
            let presence = batch.presence(row)
            if hasOpenRules || !countByTables(row, batch, presence: presence) {
                compare(row, batch, presence: presence, symbols)
            }
        }
    }

    // Counts a record that both accounts decided about by their tables, if the effect of the change on its tokens is known, whether
    // or not its device was new, and nothing of it is to be named. Returns whether it did.
    @inline(__always)
    private mutating func countByTables(
        _ row: Int, _ batch: borrowing Batch, presence: AttributePresences.Mask
    ) -> Bool {
        guard let tokens = tokens(row, batch) else { return false }
        let (passedBefore, passed) = (before.evaluator.passes(row), after.evaluator.passes(row))
        guard batch.origins[row].capturedVerdict ?? passedBefore == passedBefore else { return false }
        let effect = countsDoubtOnly ? nil : effects[tokens]
        guard countsDoubtOnly || effect != nil else { return false }
        if doubtful != nil {
            guard passedBefore == passed, isSure(row), let doubtfulEffect = doubtfulEffects[tokens] else {
                return false
            }
            doubtful?.countUnchanged(
                Self.compared(row, batch), passed: passed, effect: doubtfulEffect, presence: presence)
        }
        if let effect {
            if passedBefore == passed {
                comparison.countUnchanged(Self.compared(row, batch), passed: passed, effect: effect, presence: presence)
            } else if !countChangeByTables(row, batch, effect: effect, presence: presence) {
                return false
            }
        }
        latestVerdicts.note(batch.devices[row], passed: passed)
        return true
    }

    // The same for a record whose verdict changes.
    private mutating func countChangeByTables(
        _ row: Int, _ batch: borrowing Batch, effect: Int, presence: AttributePresences.Mask
    ) -> Bool {
        guard let old = before.evaluator.verdictCause(row), let new = after.evaluator.verdictCause(row) else {
            return false
        }
        return comparison.countChanged(
            Self.compared(row, batch), causes: (old, new), effect: effect, presence: presence,
            flags: new.passed ? before.evaluator.effectiveFlags(row) : after.evaluator.effectiveFlags(row),
            app: batch.origins[row].app)
    }

    // True if nothing that was decided about a record depends on whether its device was new.
    @inline(__always)
    private func isSure(_ row: Int) -> Bool { before.evaluator.isSure(row) && after.evaluator.isSure(row) }

    // `nil` for a record that an engine decided about.
    @inline(__always)
    private func tokens(_ row: Int, _ batch: borrowing Batch) -> KnownEffects.Tokens? {
        guard batch.hasEqualFlags(row), let old = before.evaluator.tokenCase(row),
            let new = after.evaluator.tokenCase(row)
        else { return nil }
        return KnownEffects.Tokens(flags: batch.flags[row], before: old, after: new)
    }

    private static func compared(_ row: Int, _ batch: borrowing Batch) -> ComparedAttestation {
        ComparedAttestation(
            index: batch.indices[row], device: batch.devices[row], time: batch.times[row],
            flags: batch.flagSets[Int(batch.flags[row])], system: batch.origins[row].system)
    }

    private func prefetch(_ device: DeviceIndex) {
        if !countsDoubtOnly { comparison.prefetch(device) }
        doubtful?.prefetch(device)
    }

    private mutating func compare(
        _ row: Int, _ batch: borrowing Batch, presence: AttributePresences.Mask, _ symbols: borrowing SymbolTable
    ) {
        let origin = batch.origins[row]
        let old = before.evaluator.decision(row, batch, symbols: symbols)
        let new = after.evaluator.decision(row, batch, symbols: symbols)
        latestVerdicts.note(new.device, passed: new.passed)
        let compared = Self.compared(row, batch)
        let (comparedOld, comparedNew) = (before.compared(old), after.compared(new))
        if !countsDoubtOnly {
            let effect = comparison.count(compared, before: comparedOld, after: comparedNew, presence: presence)
            if let effect, let tokens = tokens(row, batch) { effects.note(effect, of: tokens) }
            if old.passed != new.passed,
                !comparison.countKnownChange(of: compared, before: comparedOld, after: comparedNew, app: origin.app)
            {
                let names = names(origin.app, symbols)
                comparison.countNewChange(
                    of: compared, before: comparedOld, after: comparedNew, app: origin.app, names: names)
            }
        }
        if doubtful != nil { compareInDoubt(row, batch, compared, (old, new), presence: presence, symbols) }
        if before.hasOpenRules || after.hasOpenRules {
            let isSame = old.lifetime == new.lifetime && comparedOld.annotations == comparedNew.annotations
            noteRules(old, new, isSame: isSame && old.passed == new.passed, symbols)
        }
        if let captured = origin.capturedVerdict, captured != old.passed {
            comparison.countDisagreement(of: compared, decision: old, side: before.names(symbols))
        }
    }

    // R6.1: a device with a copy of the policy before would keep it, which makes a difference only if the other one has an effect,
    // or if the filtered policy decides on a device that has an entry on one side.
    @inline(never)
    private mutating func noteRules(
        _ old: Decision, _ new: Decision, isSame: Bool, _ symbols: borrowing SymbolTable
    ) {
        let isCopyOther = before.decidesForCopy(old) != after.decidesForCopy(new)
        let others: DecidedRules = isSame && !isCopyOther ? [.deviceEntries] : []
        before.noteRules(of: old, but: others, symbols: symbols)
        after.noteRules(of: new, but: others, symbols: symbols)
    }

    /// True if an effect depends on which devices are new, and no record has `new-did` so far.
    var isInDoubt: Bool { doubtful != nil }

    /// True if a search was given up that a decision on a device depends on (R7.2).
    ///
    /// - Parameter isDoubtful: True for decisions without what depends on new devices.
    func isUnsearched(_ device: Int, isDoubtful: Bool) -> Bool {
        (isDoubtful ? doubtful : comparison)?.isUnsearched(device) ?? false
    }

    // The sources of names. Both sides are copied, so that this is for what is new only.
    private func names(_ app: AppNumbers, _ symbols: borrowing SymbolTable) -> ComparisonCollector.Names {
        ComparisonCollector.Names(before: before.names(symbols), after: after.names(symbols), app: apps.names(of: app))
    }

    // The effect of a change on a verdict counts where it is the same whether or not the device was new.
    private mutating func compareInDoubt(
        _ row: Int, _ batch: borrowing Batch, _ compared: ComparedAttestation,
        _ decisions: (old: Decision, new: Decision),
        presence: AttributePresences.Mask, _ symbols: borrowing SymbolTable
    ) {
        let app = batch.origins[row].app
        let doubted = (
            old: before.evaluator.doubtfulDecision(row, batch, symbols: symbols) ?? decisions.old,
            new: after.evaluator.doubtfulDecision(row, batch, symbols: symbols) ?? decisions.new
        )
        let isChanged = decisions.old.passed != decisions.new.passed
        let isChangedToo = doubted.old.passed != doubted.new.passed
        guard isChanged == isChangedToo, !isChanged || decisions.old.passed == doubted.old.passed else {
            doubtful?.countUnevaluated(compared, presence: presence)
            return
        }
        let (old, new) = (before.compared(doubted.old), after.compared(doubted.new))
        let effect = doubtful?.count(
            compared, before: old, after: new, presence: presence,
            isOpen: decisions.old.passed != doubted.old.passed)
        if let effect, isSure(row), let tokens = tokens(row, batch) { doubtfulEffects.note(effect, of: tokens) }
        if isChangedToo,
            doubtful?.countKnownChange(of: compared, before: old, after: new, app: app) == false
        {
            let names = names(app, symbols)
            doubtful?.countNewChange(of: compared, before: old, after: new, app: app, names: names)
        }
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> PairResult {
        let weight = fetches.map { counter in
            { (device: Int) in counter.count(of: symbols.devices[DeviceIndex(offset: device)]) }
        }
        let rules = self.before.decidedRules.union(self.after.decidedRules)
        let sides = (before: self.before.names(symbols), after: self.after.names(symbols))
        let (before, after) = (
            before.evaluator.result(symbols: symbols, fetches: nil),
            after.evaluator.result(symbols: symbols, fetches: nil)
        )
        let doubtful = doubtful.map { collector in
            PairFigures {
                ($0.before, $0.after) = (before.doubtful ?? before.value, after.doubtful ?? after.value)
                $0.changes = collector.figures(catalogue: symbols.catalogue, sides: sides, weight: weight)
            }
        }
        let figures = PairFigures {
            ($0.before, $0.after) = (before.value, after.value)
            $0.changes = comparison.figures(catalogue: symbols.catalogue, sides: sides, weight: weight)
            $0.changes.decidedRules = rules
        }
        return PairResult(
            counted: DoubtedFigures(figures, doubtful: doubtful),
            verdictsAfter: verdictsAfter(symbols: symbols, fetches: fetches), outcomes: namedOutcomes(symbols: symbols))
    }

    private func namedOutcomes(symbols: SymbolTable) -> [DeviceID: DeviceOutcome] {
        guard !namedDevices.isEmpty else { return [:] }
        let outcomes = doubtful?.outcomes ?? comparison.outcomes
        return outcomes.enumerated().reduce(into: [:]) { named, item in
            let id = symbols.devices[DeviceIndex(offset: item.offset)]
            if namedDevices.contains(id) { named[id] = item.element }
        }
    }

    private func verdictsAfter(symbols: SymbolTable, fetches: FetchCounter?) -> [DeviceID: Bool] {
        var verdicts: [DeviceID: Bool] = [:]
        for id in fetches?.identifiers ?? [] {
            verdicts[id] = symbols.devices.index(of: id).flatMap { latestVerdicts[$0] }
        }
        return verdicts
    }
}

extension ComparingEvaluator {
    // Each side numbers the flags for itself.
    var sharesFlagNumbers: Bool { false }

    var outcomes: DoubtedOutcomes? {
        DoubtedOutcomes(sure: comparison.outcomes, doubtful: doubtful?.outcomes)
    }
}

extension ComparingEvaluator {
    // The account before, and the one after.
    var laneCount: Int { 2 }

    func outcome(_ row: Int) -> UInt64 {
        let passes = [
            before.evaluator.passes(row), before.evaluator.passesInDoubt(row), after.evaluator.passes(row),
            after.evaluator.passesInDoubt(row),
        ]
        return passes.enumerated().reduce(0) { $1.element ? $0 : $0 | 1 << UInt64($1.offset) }
    }

    func write(_ outcome: UInt64, to row: inout LaneRow) {
        for lane in 0..<laneCount {
            let bits = outcome >> UInt64(2 * lane)
            row.set(lane, fails: bits & 1 != 0, doubtful: bits & 2 != 0)
        }
    }

    func unsearchedLanes(isDoubtful: Bool) -> (_ device: Int) -> BitRow? {
        var row = BitRow(count: laneCount)
        row.fill(true)
        return { [row] device in isUnsearched(device, isDoubtful: isDoubtful) ? row : nil }
    }
}

/// The result of evaluating the same devices by two accounts.
struct PairResult: ReplayResult {
    var counted: DoubtedFigures<PairFigures>
    /// The verdict after of each device's latest attestation, for devices whose fetches are known.
    var verdictsAfter: [DeviceID: Bool]
    /// The effect of the change on the devices that were asked for.
    var outcomes: [DeviceID: DeviceOutcome] = [:]

    var figures: Figures {
        get { counted.value.before }
        set { counted.value.before = newValue }
    }

    mutating func finish() { counted.finish() }

    mutating func add(_ other: PairResult) {
        counted.add(other.counted)
        verdictsAfter.merge(other.verdictsAfter) { mine, _ in mine }
        // Each shard numbers the devices that accounts name, and one has the records of a device.
        outcomes.merge(other.outcomes) { $0.union($1) }
    }
}

extension PairResult {
    mutating func take(_ labels: LabelFigures, doubtful: LabelFigures?) {
        counted.value.changes.labels = labels
        counted.doubtful?.changes.labels = doubtful
    }
}
