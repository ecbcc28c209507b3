internal import Figures
internal import PolicyEngine

extension ReplayPlan {
    /// The same replay, which notes the values that devices show besides.
    ///
    /// - Parameters:
    ///   - keys: The kinds of values.
    ///   - filters: The filters of the account whose decisions are written.
    func profiling(_ keys: [ProfileKey], filters: [Filter]) -> ReplayPlan {
        let (profiled, names, makeBase) = (ProfiledKeys(keys: keys), filters.map(\.name), makeEvaluator)
        var needs = needs
        needs.profile = profiled
        return ReplayPlan(
            catalogue: catalogue, numberingAccounts: numberingAccounts, needs: needs, ordering: ordering
        ) { symbols in
            ProfilingEvaluator(makeBase(&symbols), ShownValues(profiled.keys, profiled.registry), names)
        }
    }
}

/// Another evaluator, whose devices are grouped by the values that they show.
struct ProfilingEvaluator: BatchEvaluator {
    private var base: any BatchEvaluator
    private var shown: ShownValues
    private let filterNames: [String]

    init(_ base: any BatchEvaluator, _ shown: ShownValues, _ filterNames: [String]) {
        (self.base, self.shown, self.filterNames) = (base, shown, filterNames)
    }

    var engine: Engine { base.engine }

    mutating func adopt(_ catalogue: FlagCatalogue) { base.adopt(catalogue) }

    func passes(_ row: Int) -> Bool { base.passes(row) }

    mutating func decision(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> Decision {
        base.decision(row, batch, symbols: symbols)
    }

    mutating func meant(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> [MeantDecision] {
        base.meant(row, batch, symbols: symbols)
    }

    mutating func evaluate(_ batch: borrowing Batch, symbols: borrowing SymbolTable) {
        base.evaluate(batch, symbols: symbols)
        let sharesFlagNumbers = base.sharesFlagNumbers
        for row in 0..<batch.count {
            let decision = base.decision(row, batch, symbols: symbols)
            shown.note(
                batch.keyed(row), flags: sharesFlagNumbers ? decision.flags : batch.flagSets[Int(batch.flags[row])],
                decision: decision)
        }
    }

    var laneCount: Int { base.laneCount }
    var isInDoubt: Bool { base.isInDoubt }
    func outcome(_ row: Int) -> UInt64 { base.outcome(row) }
    func write(_ outcome: UInt64, to row: inout LaneRow) { base.write(outcome, to: &row) }
    func unsearchedLanes(isDoubtful: Bool) -> (_ device: Int) -> BitRow? {
        base.unsearchedLanes(isDoubtful: isDoubtful)
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> ProfilingResult {
        ProfilingResult(
            base: base.result(symbols: symbols, fetches: fetches),
            profiles: shown.profiles(symbols: symbols, filterNames: filterNames, outcomes: base.outcomes))
    }
}

/// The result of another evaluator, and the profiles of the devices.
struct ProfilingResult: ReplayResult {
    private(set) var base: any ReplayResult
    private(set) var profiles: DeviceProfiles

    init(base: any ReplayResult, profiles: DeviceProfiles) { (self.base, self.profiles) = (base, profiles) }

    var figures: Figures {
        get { base.figures }
        set { base.figures = newValue }
    }

    mutating func add(_ other: ProfilingResult) {
        base.add(any: other.base)
        profiles.add(other.profiles)
    }

    mutating func take(_ labels: LabelFigures, doubtful: LabelFigures?) { base.take(labels, doubtful: doubtful) }

    mutating func finish() { base.finish() }
}
