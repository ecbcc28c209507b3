internal import Figures
internal import PolicyEngine

extension ReplayPlan {
    /// A replay through an account that finds out on the way what edits of the account do.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - edits: The account after each edit; it differs in policies, entries, and the options of filters, or lacks some.
    ///   - assumed: What all of these accounts see in place of what the records say; `nil` for nothing.
    static func whatIf(_ account: Account, edits: [Account], assumed: AssumedSignals? = nil) -> ReplayPlan {
        let apps = AppRegistry()
        return ReplayPlan(
            catalogue: assumed?.catalogue(extending: account.catalogue) ?? account.catalogue,
            needs: RecordNeeds(accounts: [account], assumed: assumed, apps: apps)
        ) { symbols in
            WhatIfEvaluator(account, edits: edits, apps: apps, symbols: &symbols)
        }
    }
}

/// Evaluates every record by an account, and counts what edits of it do.
struct WhatIfEvaluator: BatchEvaluator {
    private var evaluator: AccountEvaluator
    private var edits: EditTally
    /// True if some edit depends on new devices, and no record has `new-did` so far.
    private(set) var isInDoubt: Bool
    private var attestations = 0
    private var span: ClosedRange<Instant>?

    init(_ account: Account, edits: [Account], apps: AppRegistry, symbols: inout SymbolTable) {
        let accounts = [account] + edits
        // First, since it numbers the devices that accounts have entries for.
        self.edits = EditTally(accounts, symbols: &symbols)
        evaluator = AccountEvaluator(account, apps: apps, symbols: &symbols)
        isInDoubt = !self.edits.doubtfulEdits.isEmpty
    }

    var engine: Engine { evaluator.engine }

    mutating func adopt(_ catalogue: FlagCatalogue) { edits.adopt(catalogue) }

    func passes(_ row: Int) -> Bool { evaluator.passes(row) }

    mutating func decision(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> Decision {
        evaluator.decision(row, batch, symbols: symbols)
    }

    mutating func evaluate(_ batch: borrowing Batch, symbols: borrowing SymbolTable) {
        evaluator.evaluate(batch, symbols: symbols)
        if batch.namesNewDevices { isInDoubt = false }
        attestations += batch.count
        for time in batch.times {
            span = span.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
        }
        edits.count(batch, symbols: symbols)
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> WhatIfResult {
        let figures = edits.figures(symbols.catalogue)
        return WhatIfResult(
            account: evaluator.result(symbols: symbols, fetches: fetches),
            edits: figures.edits, doubtful: isInDoubt ? figures.doubtful : nil, doubtfulEdits: edits.doubtfulEdits,
            attestations: attestations, devices: edits.deviceCount, span: span)
    }
}

extension WhatIfEvaluator {
    // The account as it is, and then the edited ones.
    var laneCount: Int { edits.editCount + 1 }

    func outcome(_ row: Int) -> UInt64 { edits.latestOutcomes[row].bits << 2 | evaluator.outcome(row) }

    func write(_ outcome: UInt64, to row: inout LaneRow) {
        evaluator.write(outcome & 3, to: &row)
        edits.write(EditOutcome(bits: outcome >> 2), to: &row)
    }

    func unsearchedLanes(isDoubtful: Bool) -> (_ device: Int) -> BitRow? {
        let account = evaluator.unsearchedLanes(isDoubtful: isDoubtful)
        return { [edits, laneCount] device in
            var row = BitRow(count: laneCount)
            guard account(device) == nil else {
                row[0] = true
                return row
            }
            guard let unsearched = edits.unsearchedEdits(of: device) else { return nil }
            unsearched.forEachIndex(below: laneCount - 1) { row[$0 + 1] = true }
            return row
        }
    }
}

/// The effects of edits on the attestations of a capture.
struct WhatIfResult: ReplayResult {
    private var account: DoubtedFigures<Figures>
    /// The effects of each edit.
    private(set) var edits: [EditFigures]
    // The effects of those edits that depend on new devices, without that; `nil` where none does, or a record has `new-did`.
    private var doubtful: [EditFigures]?
    private let doubtfulEdits: [Int]
    /// The verdicts on labelled devices, and then those without what depends on new devices.
    private(set) var labels: LabelFigures?
    private var doubtfulLabels: LabelFigures?
    private(set) var attestations: Int
    private(set) var devices: Int
    private(set) var span: ClosedRange<Instant>?

    fileprivate init(
        account: DoubtedFigures<Figures>, edits: [EditFigures], doubtful: [EditFigures]?, doubtfulEdits: [Int],
        attestations: Int, devices: Int, span: ClosedRange<Instant>?
    ) {
        (self.account, self.edits, self.doubtful) = (account, edits, doubtful)
        (self.doubtfulEdits, self.attestations) = (doubtfulEdits, attestations)
        (self.devices, self.span) = (devices, span)
    }

    var figures: Figures {
        get { account.figures }
        set { account.figures = newValue }
    }

    mutating func add(_ other: WhatIfResult) {
        account.add(other.account)
        for index in edits.indices { edits[index].add(other.edits[index]) }
        if let more = other.doubtful, doubtful != nil {
            for index in more.indices { doubtful?[index].add(more[index]) }
        } else {
            doubtful = nil
        }
        labels.add(other.labels)
        if let more = other.doubtfulLabels { doubtfulLabels?.add(more) } else { doubtfulLabels = nil }
        attestations += other.attestations
        devices += other.devices
        span.add(other.span)
    }

    mutating func finish() {
        account.finish()
        if let doubtfulLabels { labels = doubtfulLabels }
        guard let doubtful else { return }
        for (edit, figures) in zip(doubtfulEdits, doubtful) { edits[edit] = figures }
    }
}

extension WhatIfResult {
    mutating func take(_ labels: LabelFigures, doubtful: LabelFigures?) {
        (self.labels, doubtfulLabels) = (labels, doubtful)
    }
}
