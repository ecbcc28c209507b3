internal import Figures
internal import PolicyEngine

/// A replay through one account that keeps the records, so that they can be evaluated by other accounts.
struct BaselineWork: ExaminingWork {
    let apps = AppRegistry()
    private let base: AccountWork

    /// - Parameter account: The account.
    init(_ account: Account) { base = AccountWork(account, apps: apps) }

    var catalogue: FlagCatalogue { base.catalogue }
    var registry: AppRegistry? { base.registry }
    var filteringAccounts: [Account] { base.filteringAccounts }

    func makeExaminer(_ fields: inout CaptureFields) -> AccountExaminer { base.makeExaminer(&fields) }

    func makeEvaluator(_ symbols: inout SymbolTable) -> BaselineEvaluator {
        BaselineEvaluator(base.makeEvaluator(&symbols))
    }
}

/// Evaluates records by one account, and keeps them.
struct BaselineEvaluator: RecordEvaluator {
    private var base: AccountEvaluator
    private var records = BaselineRecords()
    private var disagreements = DisagreementCollector()
    private var span: ClosedRange<Instant>?

    init(_ base: AccountEvaluator) { self.base = base }

    var engine: Engine { base.engine }

    func prefetch(_ devices: [DeviceIndex]) { base.prefetch(devices) }

    mutating func evaluate(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<AccountExaminer.Matches>, index: Int,
        symbols: borrowing SymbolTable
    ) -> Decision {
        let decision = base.evaluate(attestation, of: record, index: index, symbols: symbols)
        let origin = RecordOrigin(
            app: record.matches.app, system: record.head.system, capturedVerdict: record.head.capturedVerdict)
        let kind = RecordKind(flags: attestation.flags, matches: record.matches.attributes)
        records.append(attestation, kind, origin, index: index, decision: decision)
        let time = attestation.time
        span = span.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
        if let captured = origin.capturedVerdict, captured != decision.passed {
            let side = ComparedSide(engine: base.engine, symbols: copy symbols)
            disagreements.count(index, decision: decision, side: side)
        }
        return decision
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> BaselineResult {
        BaselineResult(
            counted: base.result(symbols: symbols, fetches: fetches),
            shards: [BaselineShard(records: records, devices: symbols.devices, catalogue: symbols.catalogue)],
            disagreements: disagreements.figures, span: span)
    }
}

/// The records of some devices, with the names of these.
struct BaselineShard: Sendable {
    let records: BaselineRecords
    let devices: DeviceTable
    /// The flags that were known behind the last record.
    let catalogue: FlagCatalogue
}

/// The figures of one account, and the records that they were counted from.
struct BaselineResult: ReplayResult {
    private(set) var counted: DoubtedFigures<Figures>
    private(set) var shards: [BaselineShard]
    private(set) var disagreements: [ComparisonFigures.Disagreement]
    private(set) var span: ClosedRange<Instant>?

    init(
        counted: DoubtedFigures<Figures>, shards: [BaselineShard], disagreements: [ComparisonFigures.Disagreement],
        span: ClosedRange<Instant>?
    ) {
        (self.counted, self.shards, self.disagreements, self.span) = (counted, shards, disagreements, span)
    }

    var figures: Figures {
        get { counted.value }
        set { counted.value = newValue }
    }

    mutating func add(_ other: BaselineResult) {
        counted.add(other.counted)
        shards += other.shards
        disagreements.add(other.disagreements)
        span.add(other.span)
    }

    mutating func finish() { counted.finish() }
}
