internal import Figures
internal import PolicyEngine

/// An evaluator whose devices can be grouped by the values that they show.
protocol ProfiledEvaluator: RecordEvaluator {
    /// True if the flags of its decisions have the numbers of the records.
    static var sharesFlagNumbers: Bool { get }
    /// The effect of a change on each device by its number; `nil` if nothing is compared.
    var outcomes: DoubtedOutcomes? { get }
}

extension AccountEvaluator: ProfiledEvaluator {
    static var sharesFlagNumbers: Bool { true }
    var outcomes: DoubtedOutcomes? { nil }
}

/// Another work that notes the values that devices show besides.
///
/// It wraps the other, so that a replay without it has none of its cost, and looks at each value once for both.
struct ProfilingWork<Base: ExaminingWork>: ExaminingWork where Base.Evaluator: ProfiledEvaluator {
    private let base: Base
    private let keys: [ProfileKey]
    private let filterNames: [String]
    private let values = ValueRegistry()

    /// - Parameters:
    ///   - base: The other work.
    ///   - keys: The kinds of values.
    ///   - filters: The filters of the account whose decisions are written.
    init(_ base: Base, keys: [ProfileKey], filters: [Filter]) {
        (self.base, self.keys, filterNames) = (base, keys, filters.map(\.name))
    }

    var catalogue: FlagCatalogue { base.catalogue }
    var numberingAccounts: [Account] { base.numberingAccounts }
    var filteringAccounts: [Account] { base.filteringAccounts }
    var registry: AppRegistry? { base.registry }

    func makeExaminer(_ fields: inout CaptureFields) -> ProfilingExaminer<Base.Examiner> {
        ProfilingExaminer(base.makeExaminer(&fields), keys, values, &fields)
    }

    func makeEvaluator(_ symbols: inout SymbolTable) -> ProfilingEvaluator<Base.Evaluator> {
        ProfilingEvaluator(base.makeEvaluator(&symbols), ShownValues(keys, values), filterNames)
    }
}

/// Another evaluator, whose devices are grouped by the values that they show.
struct ProfilingEvaluator<Base: ProfiledEvaluator>: RecordEvaluator {
    private var base: Base
    private var shown: ShownValues
    private let filterNames: [String]

    init(_ base: Base, _ shown: ShownValues, _ filterNames: [String]) {
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

    mutating func evaluate(
        _ batch: borrowing Batch, records: (_ row: Int) -> ParsedRecord<ProfiledMatches<Base.Matches>>,
        symbols: borrowing SymbolTable
    ) {
        base.evaluate(
            batch,
            records: { row in
                let record = records(row)
                return ParsedRecord(head: record.head, flags: record.flags, matches: record.matches.base)
            }, symbols: symbols)
        for row in 0..<batch.count {
            let decision = base.decision(row, batch, symbols: symbols)
            shown.note(
                records(row).matches.numbers,
                flags: Base.sharesFlagNumbers ? decision.flags : batch.flagSets[Int(batch.flags[row])],
                decision: decision)
        }
    }

    mutating func finish(upTo index: Int) { base.finish(upTo: index) }

    var laneCount: Int { base.laneCount }
    var isInDoubt: Bool { base.isInDoubt }
    func outcome(_ row: Int) -> UInt64 { base.outcome(row) }
    func write(_ outcome: UInt64, to row: inout LaneRow) { base.write(outcome, to: &row) }
    func unsearchedLanes(isDoubtful: Bool) -> (_ device: Int) -> BitRow? {
        base.unsearchedLanes(isDoubtful: isDoubtful)
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> ProfilingResult<Base.Result> {
        ProfilingResult(
            base: base.result(symbols: symbols, fetches: fetches),
            profiles: shown.profiles(symbols: symbols, filterNames: filterNames, outcomes: base.outcomes))
    }
}

/// The result of another evaluator, and the profiles of the devices.
struct ProfilingResult<Base: ReplayResult>: ReplayResult {
    private(set) var base: Base
    private(set) var profiles: DeviceProfiles

    init(base: Base, profiles: DeviceProfiles) { (self.base, self.profiles) = (base, profiles) }

    var figures: Figures {
        get { base.figures }
        set { base.figures = newValue }
    }

    mutating func add(_ other: ProfilingResult) {
        base.add(other.base)
        profiles.add(other.profiles)
    }

    mutating func take(_ labels: LabelFigures, doubtful: LabelFigures?) { base.take(labels, doubtful: doubtful) }

    mutating func finish() { base.finish() }
}
