internal import Figures
internal import PolicyEngine

/// Evaluates every record by two accounts, each with its own memory of devices, and compares.
struct PairEvaluator: RecordEvaluator {
    private var before: EvaluatingSide
    private var after: EvaluatingSide
    private var comparison: ComparisonCollector
    // The same without what depends on new devices, as long as no record has `new-did`.
    private var doubtful: ComparisonCollector?
    // True if that is all that will count.
    private let countsDoubtOnly: Bool
    private let apps: AppRegistry
    // The latest decision after, where decisions are written.
    private let keepsDecisions: Bool
    private var latest: Decision?
    // On the side after; the shard keeps those of the side before.
    private var latestVerdicts = LatestVerdicts()

    /// - Parameters:
    ///   - before: The account before.
    ///   - after: The account after.
    ///   - apps: The apps of the records.
    ///   - keepsDecisions: True if decisions are written.
    ///   - hasNoNewDevices: True if it is known that no record has `new-did`.
    ///   - symbols: The numbering of the records; takes the devices that the accounts name.
    init(
        before: Account, after: Account, apps: AppRegistry, keepsDecisions: Bool = false,
        hasNoNewDevices: Bool = false, symbols: inout SymbolTable
    ) {
        self.keepsDecisions = keepsDecisions
        self.before = EvaluatingSide(
            before, apps: apps, keepsGroups: true, hasNoNewDevices: hasNoNewDevices, symbols: &symbols)
        self.after = EvaluatingSide(after, apps: apps, hasNoNewDevices: hasNoNewDevices, symbols: &symbols)
        self.apps = apps
        comparison = ComparisonCollector(attributes: AttributePresences.names([before, after]))
        let isInDoubt = before.withoutNewDevices != nil || after.withoutNewDevices != nil
        doubtful = isInDoubt ? comparison : nil
        countsDoubtOnly = isInDoubt && hasNoNewDevices
    }

    var engine: Engine { before.engine }

    mutating func adopt(_ catalogue: FlagCatalogue) {
        before.adopt(catalogue)
        after.adopt(catalogue)
    }

    func prefetch(_ devices: [DeviceIndex]) {
        before.prefetch(devices)
        after.prefetch(devices)
        if !countsDoubtOnly { comparison.prefetch(devices) }
        doubtful?.prefetch(devices)
    }

    func meant(_ decision: Decision, symbols: borrowing SymbolTable) -> [MeantDecision] {
        [before.meant(decision)] + (latest.map { [after.meant($0)] } ?? [])
    }

    mutating func evaluate(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<PairExaminer.Matches>, index: Int,
        symbols: borrowing SymbolTable
    ) -> Decision {
        let matches = record.matches
        let old = before.evaluate(
            attestation, matches: matches.before, app: matches.app, capturedVerdict: record.head.capturedVerdict,
            symbols: symbols)
        let new = after.evaluate(
            attestation, matches: matches.after, app: matches.app, capturedVerdict: record.head.capturedVerdict,
            symbols: symbols)
        latestVerdicts.note(new)
        if keepsDecisions { latest = new }
        let compared = ComparedAttestation(
            index: index, device: attestation.device, time: attestation.time, flags: attestation.flags,
            system: matches.system)
        let (comparedOld, comparedNew) = (before.compared(old), after.compared(new))
        if !countsDoubtOnly {
            comparison.count(compared, before: comparedOld, after: comparedNew, presence: matches.presence)
            if old.passed != new.passed,
                !comparison.countKnownChange(of: compared, before: comparedOld, after: comparedNew, app: matches.app)
            {
                let names = names(matches.app, symbols)
                comparison.countNewChange(
                    of: compared, before: comparedOld, after: comparedNew, app: matches.app, names: names)
            }
        }
        if doubtful != nil { compareInDoubt(compared, (old, new), matches, symbols) }
        if before.hasOpenRules || after.hasOpenRules {
            let isSame = old.lifetime == new.lifetime && comparedOld.annotations == comparedNew.annotations
            noteRules(old, new, isSame: isSame && old.passed == new.passed, symbols)
        }
        if let captured = record.head.capturedVerdict, captured != old.passed {
            comparison.countDisagreement(of: compared, decision: old, side: before.names(symbols))
        }
        return old
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

    /// The number of the verdicts of both sides on the attestation that was evaluated last (``LanedEvaluator``).
    func verdicts(_ old: Decision) -> UInt64 {
        let passesAfter = latestVerdicts[old.device] ?? false
        let passes = [
            old.passed, before.doubtfulDecision?.passed ?? old.passed, passesAfter,
            after.doubtfulDecision?.passed ?? passesAfter,
        ]
        return passes.enumerated().reduce(0) { $1.element ? $0 : $0 | 1 << UInt64($1.offset) }
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
        _ compared: ComparedAttestation, _ decisions: (old: Decision, new: Decision),
        _ matches: PairExaminer.Matches, _ symbols: borrowing SymbolTable
    ) {
        let others = (old: before.doubtfulDecision, new: after.doubtfulDecision)
        guard others.old != nil || others.new != nil else {
            doubtful = nil
            return
        }
        let doubted = (old: others.old ?? decisions.old, new: others.new ?? decisions.new)
        let isChanged = decisions.old.passed != decisions.new.passed
        let isChangedToo = doubted.old.passed != doubted.new.passed
        guard isChanged == isChangedToo, !isChanged || decisions.old.passed == doubted.old.passed else {
            doubtful?.countUnevaluated(compared, presence: matches.presence)
            return
        }
        let (old, new) = (before.compared(doubted.old), after.compared(doubted.new))
        doubtful?.count(
            compared, before: old, after: new, presence: matches.presence,
            isOpen: decisions.old.passed != doubted.old.passed)
        if isChangedToo,
            doubtful?.countKnownChange(of: compared, before: old, after: new, app: matches.app) == false
        {
            let names = names(matches.app, symbols)
            doubtful?.countNewChange(of: compared, before: old, after: new, app: matches.app, names: names)
        }
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> PairResult {
        let weight = fetches.map { counter in
            { (device: Int) in counter.count(of: symbols.devices[DeviceIndex(offset: device)]) }
        }
        let rules = self.before.decidedRules.union(self.after.decidedRules)
        let sides = (before: self.before.names(symbols), after: self.after.names(symbols))
        let (before, after) = (before.result(symbols: symbols), after.result(symbols: symbols))
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
            verdictsAfter: verdictsAfter(symbols: symbols, fetches: fetches))
    }

    private func verdictsAfter(symbols: SymbolTable, fetches: FetchCounter?) -> [DeviceID: Bool] {
        var verdicts: [DeviceID: Bool] = [:]
        for id in fetches?.identifiers ?? [] {
            verdicts[id] = symbols.devices.index(of: id).flatMap { latestVerdicts[$0] }
        }
        return verdicts
    }
}

extension PairEvaluator: ProfiledEvaluator {
    // Each side numbers the flags for itself.
    static var sharesFlagNumbers: Bool { false }

    var outcomes: DoubtedOutcomes? {
        DoubtedOutcomes(sure: comparison.outcomes, doubtful: doubtful?.outcomes)
    }
}

/// One of two accounts that evaluate the same records: its memory of devices, and its numbers for flags.
struct EvaluatingSide {
    private var evaluator: AccountEvaluator
    private var flags: FlagNumbering
    /// The decided rules on which a decision rests so far.
    private(set) var decidedRules: DecidedRules = []
    // Those on which a later one can rest.
    private var openRules: DecidedRules

    /// - Parameters:
    ///   - account: The account.
    ///   - apps: The apps of the records.
    ///   - keepsGroups: True if the devices of groups are counted.
    ///   - hasNoNewDevices: True if it is known that no record has `new-did`.
    ///   - symbols: The numbering of the records; takes the devices that the account names.
    init(
        _ account: Account, apps: AppRegistry, keepsGroups: Bool = false, hasNoNewDevices: Bool,
        symbols: inout SymbolTable
    ) {
        evaluator = AccountEvaluator(
            account, apps: apps, keepsGroups: keepsGroups, hasNoNewDevices: hasNoNewDevices, symbols: &symbols)
        flags = FlagNumbering(account)
        openRules = account.possibleRules.subtracting([.reasonOfChange])
    }

    var engine: Engine { evaluator.engine }

    /// Takes flags that records brought.
    mutating func adopt(_ catalogue: FlagCatalogue) { flags.adopt(catalogue) }

    func prefetch(_ devices: [DeviceIndex]) { evaluator.prefetch(devices) }

    /// Evaluates an attestation.
    ///
    /// - Returns: The decision, in the account's numbers.
    mutating func evaluate(
        _ attestation: borrowing Attestation, matches: AttributeMatches, app: AppNumbers, capturedVerdict: Bool?,
        symbols: borrowing SymbolTable
    ) -> Decision {
        guard !flags.isSame else {
            return evaluator.evaluate(
                attestation, matches: matches, app: app, capturedVerdict: capturedVerdict, symbols: symbols)
        }
        var numbered = copy attestation
        numbered.flags = flags.numbered(attestation.flags)
        return evaluator.evaluate(
            numbered, matches: matches, app: app, capturedVerdict: capturedVerdict,
            symbols: flags.numbering(of: symbols))
    }

    /// True if a copy of the account's policy would have decided in place of the filtered policy (R6.1).
    func decidesForCopy(_ decision: Decision) -> Bool { evaluator.engine.decidesForCopy(decision) }

    /// True if a later decision can rest on a decided rule on which none rests so far.
    var hasOpenRules: Bool { !openRules.isEmpty }

    /// Notes the decided rules on which the latest decision rests.
    ///
    /// - Parameter others: The rules that do not affect the comparison of this decision.
    mutating func noteRules(of decision: Decision, but others: DecidedRules, symbols: borrowing SymbolTable) {
        let open = openRules.subtracting(others)
        guard !open.isEmpty else { return }
        decidedRules.formUnion(evaluator.decidedRules(of: decision, among: open, symbols: symbols))
        openRules = openRules.subtracting(decidedRules)
    }

    /// A decision of this side, in numbers that both sides share.
    // Inlined, since a call would copy all of the side.
    @inline(__always)
    func compared(_ decision: Decision) -> ComparedDecision {
        ComparedDecision(
            decision, annotations: decision.annotations.map(flags.original),
            unsearched: decision.limitHits.isEmpty ? [] : engine.unsearchedFilters(of: decision))
    }

    /// A decision of this side, with what its numbers mean.
    func meant(_ decision: Decision) -> MeantDecision {
        MeantDecision(decision: decision, engine: engine, catalogue: flags.catalogue)
    }

    /// The latest decision without what depends on new devices; `nil` where that is known or nothing depends on it.
    var doubtfulDecision: Decision? { evaluator.doubtfulDecision }

    /// The engine and the symbols that names are found with.
    func names(_ symbols: borrowing SymbolTable) -> ComparedSide {
        ComparedSide(engine: evaluator.engine, symbols: flags.numbering(of: symbols))
    }

    /// The result so far.
    func result(symbols: SymbolTable) -> DoubtedFigures<Figures> {
        evaluator.result(symbols: flags.numbering(of: symbols), fetches: nil)
    }
}

extension PairEvaluator {
    // The account before, and the one after.
    var laneCount: Int { 2 }

    func outcome(of decision: Decision) -> UInt64 { verdicts(decision) }

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

extension PairResult {
    mutating func take(_ labels: LabelFigures, doubtful: LabelFigures?) {
        counted.value.changes.labels = labels
        counted.doubtful?.changes.labels = doubtful
    }
}
