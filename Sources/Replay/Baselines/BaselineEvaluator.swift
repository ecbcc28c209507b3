internal import Figures
internal import PolicyEngine

extension ReplayPlan {
    /// A replay through one account that keeps the records, so that they can be evaluated by other accounts.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - apps: Takes the apps of the captures.
    static func baseline(_ account: Account, apps: AppRegistry) -> ReplayPlan {
        let needs = RecordNeeds(accounts: [account], apps: apps, notesPresences: true)
        return ReplayPlan(catalogue: account.catalogue, needs: needs) { symbols in
            let base = AccountEvaluator(account, apps: apps, keepsGroups: true, symbols: &symbols)
            return BaselineEvaluator(base, attributes: AttributePresences.names([account]).count)
        }
    }
}

/// Evaluates records by one account, and keeps them.
struct BaselineEvaluator: BatchEvaluator {
    private var base: AccountEvaluator
    private var records = BaselineRecords()
    private var span: ClosedRange<Instant>?
    private var presences = BitTally<AttributePresences.Mask>()
    private let attributes: Int

    /// - Parameters:
    ///   - base: Evaluates them.
    ///   - attributes: The number of attributes that filters look at.
    init(_ base: AccountEvaluator, attributes: Int) { (self.base, self.attributes) = (base, attributes) }

    var engine: Engine { base.engine }

    func passes(_ row: Int) -> Bool { base.passes(row) }

    mutating func decision(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> Decision {
        base.decision(row, batch, symbols: symbols)
    }

    mutating func evaluate(_ batch: borrowing Batch, symbols: borrowing SymbolTable) {
        base.evaluate(batch, symbols: symbols)
        records.append(batch)
        for (row, time) in batch.times.enumerated() {
            presences.add(batch.presence(row))
            let moment: ClosedRange<Instant>? = time...time
            span.add(moment)
        }
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> BaselineResult {
        BaselineResult(
            counted: base.result(symbols: symbols, fetches: fetches),
            shards: [BaselineShard(records: records, devices: symbols.devices, catalogue: symbols.catalogue)],
            span: span, presences: Array(presences.all.prefix(attributes)))
    }
}

/// The records of some devices, with the names of these.
struct BaselineShard: Sendable {
    let records: BaselineRecords
    let devices: DeviceTable
    /// The flags that were known behind the last record.
    let catalogue: FlagCatalogue

    /// True if a search in a record was given up (R7.2).
    var hasLimitHits: Bool { records.hasLimitHits }
}

/// The figures of one account, and the records that they were counted from.
struct BaselineResult: ReplayResult {
    private(set) var counted: DoubtedFigures<Figures>
    private(set) var shards: [BaselineShard]
    private(set) var span: ClosedRange<Instant>?
    /// The number of records that have each attribute that a filter looks at.
    private(set) var presences: [Int]

    var figures: Figures {
        get { counted.value }
        set { counted.value = newValue }
    }

    mutating func add(_ other: BaselineResult) {
        counted.add(other.counted)
        shards += other.shards
        span.add(other.span)
        presences = zip(presences, other.presences).map { $0 + $1 }
    }

    mutating func finish() { counted.finish() }
}
