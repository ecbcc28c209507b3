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
struct ProfilingWork<Base: ReplayWork>: ReplayWork where Base.Evaluator: ProfiledEvaluator {
    private let base: Base
    private let keys: [ProfileKey]
    private let filterNames: [String]

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

    func makeMatcher(_ fields: inout CaptureFields) -> CountingMatcher<Base.Matcher> {
        let matcher = base.makeMatcher(&fields)
        return CountingMatcher(
            matcher, columns: keys.compactMap(\.record).map { fields.column(of: $0.attribute) })
    }

    func makeEvaluator(_ symbols: inout SymbolTable) -> ProfilingEvaluator<Base.Evaluator> {
        ProfilingEvaluator(base.makeEvaluator(&symbols), keys, filterNames)
    }
}

/// Another evaluator, whose devices are grouped by the values that they show.
struct ProfilingEvaluator<Base: ProfiledEvaluator>: RecordEvaluator {
    private var base: Base
    private var shown: ShownValues
    private let filterNames: [String]

    init(_ base: Base, _ keys: [ProfileKey], _ filterNames: [String]) {
        (self.base, self.filterNames) = (base, filterNames)
        shown = ShownValues(keys)
    }

    var engine: Engine { base.engine }

    mutating func adopt(_ catalogue: FlagCatalogue) { base.adopt(catalogue) }

    func prefetch(_ devices: [DeviceIndex]) { base.prefetch(devices) }

    mutating func evaluate(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<CountedMatches<Base.Matches>>,
        index: Int, symbols: borrowing SymbolTable
    ) -> Decision {
        let matches = record.matches
        let inner = ParsedRecord(head: record.head, flags: record.flags, matches: matches.base)
        let decision = base.evaluate(attestation, of: inner, index: index, symbols: symbols)
        shown.note(
            matches, flags: Base.sharesFlagNumbers ? decision.flags : attestation.flags, decision: decision)
        return decision
    }

    mutating func finish(upTo index: Int) { base.finish(upTo: index) }

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

    mutating func finish() {
        base.finish()
        profiles.finish()
    }
}
