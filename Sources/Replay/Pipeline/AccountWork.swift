internal import Figures
internal import PolicyEngine

/// A replay through one account.
struct AccountWork: ExaminingWork {
    private let account: Account
    private let (keepsSeries, keepsGroups): (Bool, Bool)
    private let apps: AppRegistry

    /// - Parameters:
    ///   - account: The account.
    ///   - keepsSeries: True if live metrics are kept by minute (R13.2a).
    ///   - keepsGroups: True if the devices of groups are counted.
    ///   - apps: Takes the apps of the captures.
    init(
        _ account: Account, keepsSeries: Bool = false, keepsGroups: Bool = false, apps: AppRegistry = AppRegistry()
    ) {
        self.account = account
        self.apps = apps
        (self.keepsSeries, self.keepsGroups) = (keepsSeries, keepsGroups)
    }

    var catalogue: FlagCatalogue { account.catalogue }
    var registry: AppRegistry? { apps }
    var filteringAccounts: [Account] { [account] }

    func makeExaminer(_ fields: inout CaptureFields) -> AccountExaminer { AccountExaminer(account, apps, &fields) }

    func makeEvaluator(_ symbols: inout SymbolTable) -> AccountEvaluator {
        AccountEvaluator(
            account, apps: apps, keepsSeries: keepsSeries, keepsGroups: keepsGroups, symbols: &symbols)
    }
}

/// Evaluates records by one account.
struct AccountEvaluator: RecordEvaluator {
    private(set) var engine: Engine
    private var collector: MetricsCollector
    private let apps: AppRegistry
    /// The same without what depends on new devices, as long as no record has `new-did`.
    private var doubt: NewDeviceDoubt?
    private(set) var isInDoubt: Bool
    // True if that is all that will count.
    private let countsDoubtOnly: Bool

    /// - Parameters:
    ///   - keepsGroups: True if the devices of groups are counted.
    ///   - hasNoNewDevices: True if it is known that no record has `new-did`.
    init(
        _ account: Account, apps: AppRegistry, keepsSeries: Bool = false, keepsGroups: Bool = false,
        hasNoNewDevices: Bool = false, symbols: inout SymbolTable
    ) {
        collector = MetricsCollector(
            billingDay: account.billingDay, keepsSeries: keepsSeries, keepsGroups: keepsGroups)
        engine = Engine(account: account, symbols: &symbols)
        self.apps = apps
        doubt = NewDeviceDoubt(account, keepsSeries: keepsSeries, keepsGroups: keepsGroups, symbols: &symbols)
        isInDoubt = doubt != nil
        countsDoubtOnly = isInDoubt && hasNoNewDevices
    }

    func prefetch(_ devices: [DeviceIndex]) {
        engine.prefetch(devices)
        if !countsDoubtOnly { collector.prefetch(devices) }
        if isInDoubt { doubt?.prefetch(devices) }
    }

    /// The latest decision without what depends on new devices; `nil` where nothing does, or a record has `new-did`.
    var doubtfulDecision: Decision? { isInDoubt ? doubt?.decision : nil }

    mutating func evaluate(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<AccountMatcher.Matches>, index: Int,
        symbols: borrowing SymbolTable
    ) -> Decision {
        evaluate(
            attestation, matches: record.matches.attributes, app: record.matches.app,
            capturedVerdict: record.head.capturedVerdict, symbols: symbols)
    }

    /// Evaluates an attestation and counts the decision.
    mutating func evaluate(
        _ attestation: borrowing Attestation, matches: AttributeMatches, app: AppNumbers, capturedVerdict: Bool?,
        symbols: borrowing SymbolTable
    ) -> Decision {
        let decision = engine.attest(attestation, matches: matches, symbols: symbols)
        if countsDoubtOnly, decision.limitHits.isEmpty {
            collector.countReproduced(capturedVerdict, passed: decision.passed)
        } else {
            collector.count(decision, app: app, capturedVerdict: capturedVerdict)
        }
        // Apart from the rest, since what is in doubt is long to move, and mostly nothing is.
        if isInDoubt {
            evaluateInDoubt(
                attestation, matches: matches, app: app, capturedVerdict: capturedVerdict, symbols: symbols,
                besides: decision)
        }
        return decision
    }

    @inline(never)
    private mutating func evaluateInDoubt(
        _ attestation: borrowing Attestation, matches: AttributeMatches, app: AppNumbers, capturedVerdict: Bool?,
        symbols: borrowing SymbolTable, besides decision: Decision
    ) {
        guard !attestation.flags.contains(.newDevice) else {
            (doubt, isInDoubt) = (nil, false)
            return
        }
        doubt?.evaluate(
            attestation, matches: matches, app: app, capturedVerdict: capturedVerdict, symbols: symbols,
            besides: decision)
    }

    /// The decided rules, among some, on which the latest decision rests.
    mutating func decidedRules(
        of decision: Decision, among open: DecidedRules, symbols: borrowing SymbolTable
    ) -> DecidedRules {
        engine.decidedRules(of: decision, among: open, symbols: symbols)
    }

    /// The devices for which a search was given up that a decision depends on (R7.2).
    ///
    /// - Parameter isDoubtful: True for decisions without what depends on new devices.
    func unsearchedDevices(isDoubtful: Bool) -> DeviceSet {
        let doubted = isDoubtful ? doubt?.unsearchedDevices : nil
        return doubted ?? collector.unsearchedDevices(engine: engine).all
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> DoubtedFigures<Figures> {
        DoubtedFigures(
            collector.figures(engine: engine, symbols: symbols, apps: apps.names),
            doubtful: doubt?.figures(symbols: symbols, apps: apps.names))
    }
}

extension AccountEvaluator {
    var laneCount: Int { 1 }

    func outcome(of decision: Decision) -> UInt64 {
        let doubtful = doubtfulDecision ?? decision
        return (decision.passed ? 0 : 1) | (doubtful.passed ? 0 : 2)
    }

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
    private var engine: Engine
    private var collector: MetricsCollector
    // Those whose verdict would be another one, and those that something else would be decided on.
    private var unevaluated = DeviceSet()
    private var leftOut = DeviceSet()
    /// The latest decision.
    private(set) var decision: Decision?

    /// - Parameters:
    ///   - account: The account.
    ///   - keepsSeries: True if live metrics are kept by minute, too (R13.2a).
    ///   - keepsGroups: True if the devices of groups are counted.
    ///   - symbols: Gets the names of the account.
    /// - Returns: `nil` if nothing depends on it.
    init?(_ account: Account, keepsSeries: Bool, keepsGroups: Bool, symbols: inout SymbolTable) {
        guard let account = account.withoutNewDevices else { return nil }
        engine = Engine(account: account, symbols: &symbols)
        collector = MetricsCollector(
            billingDay: account.billingDay, keepsSeries: keepsSeries, keepsGroups: keepsGroups)
    }

    func prefetch(_ devices: [DeviceIndex]) {
        engine.prefetch(devices)
        collector.prefetch(devices)
    }

    /// Evaluates an attestation, and notes its device where the other decision is another one. Only another verdict makes it
    /// one that is not evaluated: a filter without an action leaves nobody unknown.
    mutating func evaluate(
        _ attestation: borrowing Attestation, matches: AttributeMatches, app: AppNumbers, capturedVerdict: Bool?,
        symbols: borrowing SymbolTable, besides other: Decision
    ) {
        let decision = engine.attest(attestation, matches: matches, symbols: symbols)
        collector.count(decision, app: app, capturedVerdict: capturedVerdict)
        let device = attestation.device.offset
        let isSame =
            decision.filters == other.filters && decision.rejectingFlags == other.rejectingFlags
            && decision.policy == other.policy && decision.lifetime == other.lifetime
        if decision.passed != other.passed { unevaluated.insert(device) } else if !isSame { leftOut.insert(device) }
        self.decision = decision
    }

    /// The devices for which a search was given up that a decision depends on (R7.2).
    var unsearchedDevices: DeviceSet { collector.unsearchedDevices(engine: engine).all }

    /// The figures counted so far, and how many devices are not evaluated.
    func figures(symbols: SymbolTable, apps: AppLabels) -> Figures {
        var figures = collector.figures(engine: engine, symbols: symbols, apps: apps)
        let unsearched = collector.unsearchedDevices(engine: engine).all
        figures.unevaluated.addNewDevices(unevaluated.count, others: unevaluated.count(besides: unsearched))
        figures.unevaluated.leftOut = leftOut.count(besides: unevaluated.union(unsearched))
        figures.failingDevices = collector.failingDevices(besides: unevaluated.union(unsearched))
        return figures
    }
}
