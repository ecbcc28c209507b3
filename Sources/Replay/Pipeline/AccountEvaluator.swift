internal import Figures
internal import PolicyEngine

extension ReplayPlan {
    /// A replay through one account.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - assumed: What the account sees in place of what the records say; `nil` for nothing.
    ///   - keepsSeries: True if live metrics are kept by minute (R13.2a).
    ///   - apps: Takes the apps of the captures.
    static func account(
        _ account: Account, assumed: AssumedSignals? = nil, keepsSeries: Bool = false,
        apps: AppRegistry = AppRegistry()
    ) -> ReplayPlan {
        ReplayPlan(
            catalogue: assumed?.catalogue(extending: account.catalogue) ?? account.catalogue,
            needs: RecordNeeds(accounts: [account], assumed: assumed, apps: apps)
        ) { symbols in
            AccountEvaluator(account, apps: apps, keepsSeries: keepsSeries, symbols: &symbols)
        }
    }
}

/// Evaluates records by one account.
struct AccountEvaluator: BatchEvaluator {
    private var lane: Lane
    private var collector: MetricsCollector
    private let apps: AppRegistry
    // Evaluates the same records without what depends on new devices, as long as no record has `new-did`; else `nil`.
    private var doubt: NewDeviceDoubt?
    // True if it is known that no record has `new-did`: the figures of the doubt are the result then (``DoubtedFigures``).
    private let countsDoubtOnly: Bool
    private let isCounted: Bool

    /// - Parameters:
    ///   - account: The account.
    ///   - index: Its index among the accounts whose filters were matched.
    ///   - numbersFlags: True if the account numbers flags in its own way, whatever other records brought.
    ///   - apps: The apps of the records.
    ///   - keepsGroups: True if the devices of groups are counted.
    ///   - isCounted: True if figures are counted.
    ///   - hasNoNewDevices: True if it is known that no record has `new-did`.
    ///   - symbols: The numbering of the records; takes the devices that the account names.
    init(
        _ account: Account, index: Int = 0, numbersFlags: Bool = false, apps: AppRegistry, keepsSeries: Bool = false,
        keepsGroups: Bool = false, isCounted: Bool = true, hasNoNewDevices: Bool = false, symbols: inout SymbolTable
    ) {
        func makeCollector() -> MetricsCollector {
            MetricsCollector(billingDay: account.billingDay, keepsSeries: keepsSeries, keepsGroups: keepsGroups)
        }
        collector = makeCollector()
        lane = Lane(account, index: index, numbersFlags: numbersFlags, symbols: &symbols)
        (self.apps, self.isCounted) = (apps, isCounted)
        doubt = account.withoutNewDevices.map { other in
            NewDeviceDoubt(
                Lane(other, index: index, numbersFlags: numbersFlags, symbols: &symbols), makeCollector())
        }
        countsDoubtOnly = doubt != nil && hasNoNewDevices
    }

    var engine: Engine { lane.engine }

    /// True if something depends on which devices are new, and no record has `new-did` so far.
    var isInDoubt: Bool { doubt != nil }

    mutating func adopt(_ catalogue: FlagCatalogue) {
        lane.adopt(catalogue)
        doubt?.adopt(catalogue)
    }

    /// The numbering of the account's flags and of devices.
    func numbering(of symbols: borrowing SymbolTable) -> SymbolTable { lane.numbering(of: symbols) }

    /// Flags in the numbers of the records.
    func original(_ flags: FlagSet) -> FlagSet { lane.original(flags) }

    mutating func evaluate(_ batch: borrowing Batch, symbols: borrowing SymbolTable) {
        if lane.isOutdated(by: batch) { collector.settle(by: lane) }
        lane.decide(batch, symbols: symbols)
        if countsDoubtOnly {
            collector.countReproduced(batch, by: &lane, symbols: symbols)
        } else if isCounted {
            collector.count(batch, by: &lane, symbols: symbols)
        }
        if batch.namesNewDevices { doubt = nil }
        doubt?.evaluate(batch, besides: &lane, symbols: symbols)
    }

    @inline(__always)
    func passes(_ row: Int) -> Bool { lane.passes(row) }

    /// The case of a record's token (``Lane/tokenCase(_:)``); `nil` for one that the engine decided about.
    @inline(__always)
    func tokenCase(_ row: Int) -> Int? { lane.tokenCase(row) }

    /// The verdict on a record and why; `nil` for one that the engine decided about.
    @inline(__always)
    func verdictCause(_ row: Int) -> VerdictCause? { lane.verdictCause(row) }

    /// All flags of a record that the engine did not decide about.
    @inline(__always)
    func effectiveFlags(_ row: Int) -> FlagSet { lane.effectiveFlags(row) }

    mutating func decision(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> Decision {
        lane.decision(row, batch, symbols: symbols)
    }

    /// True if a record passes without what depends on new devices; as with it where nothing does, or a record has `new-did`.
    @inline(__always)
    func passesInDoubt(_ row: Int) -> Bool { doubt?.lane.passes(row) ?? lane.passes(row) }

    /// True if nothing that was decided about a record depends on whether its device was new.
    @inline(__always)
    func isSure(_ row: Int) -> Bool { doubt?.lane.mayDiffer(from: lane, at: row) != true }

    /// The decision about a record without what depends on new devices; `nil` where nothing does, or a record has `new-did`.
    mutating func doubtfulDecision(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> Decision? {
        doubt?.lane.decision(row, batch, symbols: symbols)
    }

    /// The decided rules, among some, on which a decision about a record of the latest batch rests.
    mutating func decidedRules(
        of decision: Decision, among open: DecidedRules, symbols: borrowing SymbolTable
    ) -> DecidedRules {
        lane.decidedRules(of: decision, among: open, symbols: symbols)
    }

    /// The devices for which a search was given up that a decision depends on (R7.2).
    ///
    /// - Parameter isDoubtful: True for decisions without what depends on new devices.
    func unsearchedDevices(isDoubtful: Bool) -> DeviceSet {
        let doubted = isDoubtful ? doubt?.unsearchedDevices : nil
        return doubted ?? collector.unsearchedDevices(engine: engine).all
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> DoubtedFigures<Figures> {
        var settled = collector
        settled.settle(by: lane)
        let symbols = lane.numbering(of: symbols)
        return DoubtedFigures(
            settled.figures(engine: engine, symbols: symbols, apps: apps.names),
            doubtful: doubt?.figures(symbols: symbols, apps: apps.names))
    }
}

extension AccountEvaluator {
    var laneCount: Int { 1 }

    func outcome(_ row: Int) -> UInt64 { (passes(row) ? 0 : 1) | (passesInDoubt(row) ? 0 : 2) }

    func write(_ outcome: UInt64, to row: inout LaneRow) {
        row.set(0, fails: outcome & 1 != 0, doubtful: outcome & 2 != 0)
    }

    func unsearchedLanes(isDoubtful: Bool) -> (_ device: Int) -> BitRow? {
        let devices = unsearchedDevices(isDoubtful: isDoubtful)
        var row = BitRow(count: laneCount)
        row.fill(true)
        return { [row] device in devices.contains(device) ? row : nil }
    }
}

extension DoubtedFigures<Figures>: ReplayResult {
    var figures: Figures {
        get { value }
        set { value = newValue }
    }

    mutating func take(_ labels: LabelFigures, doubtful: LabelFigures?) {
        value.labels = labels
        self.doubtful?.labels = doubtful
    }
}

/// Evaluates what an account evaluates, without what depends on which devices are new: that holds where no record has
/// `new-did`.
struct NewDeviceDoubt {
    fileprivate(set) var lane: Lane
    private var collector: MetricsCollector
    // The devices on which the verdict would be another one, and those on which only something else would be.
    private var unevaluated = DeviceSet()
    private var leftOut = DeviceSet()
    private var differences = RecentValues<RowsOfBoth, Difference>()

    /// The rows that the decisions of both lanes follow from.
    private struct RowsOfBoth: Mixed {
        let own: TableRows
        let other: TableRows

        var mixedBits: UInt64 { own.mixedBits ^ other.mixedBits << 13 ^ other.mixedBits >> 7 }
    }

    /// The part of a decision that is another one where the device was not new.
    private enum Difference {
        case none, verdict, other
    }

    /// - Parameters:
    ///   - lane: The account without what depends on new devices.
    ///   - collector: Counts its decisions.
    init(_ lane: Lane, _ collector: MetricsCollector) { (self.lane, self.collector) = (lane, collector) }

    /// Takes flags that records brought.
    mutating func adopt(_ catalogue: FlagCatalogue) { lane.adopt(catalogue) }

    /// Evaluates records, and notes the devices where the other decision is another one. Only another verdict makes a device
    /// one that is not evaluated: a filter without an action leaves nobody unknown.
    ///
    /// - Parameter other: The account as it is, which decided about the same records.
    mutating func evaluate(_ batch: borrowing Batch, besides other: inout Lane, symbols: borrowing SymbolTable) {
        if lane.isOutdated(by: batch) {
            collector.settle(by: lane)
            differences = RecentValues()
        }
        lane.decide(batch, symbols: symbols)
        collector.count(batch, by: &lane, symbols: symbols)
        for row in 0..<batch.count where lane.mayDiffer(from: other, at: row) {
            switch difference(at: row, batch, from: &other, symbols) {
            case .none: break
            case .verdict: unevaluated.insert(batch.devices[row].offset)
            case .other: leftOut.insert(batch.devices[row].offset)
            }
        }
    }

    private mutating func difference(
        at row: Int, _ batch: borrowing Batch, from other: inout Lane, _ symbols: borrowing SymbolTable
    ) -> Difference {
        guard let own = lane.rows(row), let others = other.rows(row) else {
            return decidedDifference(at: row, batch, from: &other, symbols)
        }
        let rows = RowsOfBoth(own: own, other: others)
        if let known = differences[rows] { return known }
        let difference = decidedDifference(at: row, batch, from: &other, symbols)
        differences[rows] = difference
        return difference
    }

    private mutating func decidedDifference(
        at row: Int, _ batch: borrowing Batch, from other: inout Lane, _ symbols: borrowing SymbolTable
    ) -> Difference {
        let decision = lane.decision(row, batch, symbols: symbols)
        let before = other.decision(row, batch, symbols: symbols)
        if decision.passed != before.passed { return .verdict }
        let isSame =
            decision.filters == before.filters && decision.rejectingFlags == before.rejectingFlags
            && decision.policy == before.policy && decision.lifetime == before.lifetime
        return isSame ? .none : .other
    }

    /// The devices for which a search was given up that a decision depends on (R7.2).
    var unsearchedDevices: DeviceSet { collector.unsearchedDevices(engine: lane.engine).all }

    /// The figures counted so far, and how many devices are not evaluated.
    func figures(symbols: SymbolTable, apps: AppLabels) -> Figures {
        var settled = collector
        settled.settle(by: lane)
        var figures = settled.figures(engine: lane.engine, symbols: symbols, apps: apps)
        let unsearched = settled.unsearchedDevices(engine: lane.engine).all
        figures.unevaluated.addNewDevices(unevaluated.count, others: unevaluated.count(besides: unsearched))
        figures.unevaluated.leftOut = leftOut.count(besides: unevaluated.union(unsearched))
        figures.failingDevices = settled.failingDevices(besides: unevaluated.union(unsearched))
        return figures
    }
}
