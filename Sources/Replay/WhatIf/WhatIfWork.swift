internal import Figures
internal import PolicyEngine

/// A replay through an account that finds out on the way what edits of the account do.
struct WhatIfWork: ExaminingWork {
    private let account: Account
    private let edits: [Account]
    private let apps = AppRegistry()

    /// - Parameters:
    ///   - account: The account.
    ///   - edits: The account after each edit; it differs in policies, entries, and the options of filters, or lacks some.
    init(_ account: Account, edits: [Account]) {
        (self.account, self.edits) = (account, edits)
    }

    var catalogue: FlagCatalogue { account.catalogue }
    var filteringAccounts: [Account] { [account] }
    var registry: AppRegistry? { apps }

    func makeExaminer(_ fields: inout CaptureFields) -> AccountExaminer { AccountExaminer(account, apps, &fields) }

    func makeEvaluator(_ symbols: inout SymbolTable) -> WhatIfEvaluator {
        WhatIfEvaluator(account, edits: edits, apps: apps, symbols: &symbols)
    }
}

/// Evaluates every record by an account, and counts what edits of it do.
struct WhatIfEvaluator: RecordEvaluator {
    private var evaluator: AccountEvaluator
    private var edits: EditCollector
    private var sampling: DeviceSampling?
    // The edits that depend on which devices are new, by their numbers.
    private let doubtfulEdits: [Int]
    /// True if some edit depends on new devices, and no record has `new-did` so far.
    private(set) var isInDoubt: Bool
    private var attestations = 0
    private var span: ClosedRange<Instant>?
    // By record of the batch, the number of the verdicts of the edits.
    private var outcomes: [Int] = []

    init(_ account: Account, edits: [Account], apps: AppRegistry, symbols: inout SymbolTable) {
        let accounts = [account] + edits
        // First, so that they have the same numbers as in the lanes.
        _ = AccountLanes.intern(accounts, in: &symbols.devices)
        evaluator = AccountEvaluator(account, apps: apps, symbols: &symbols)
        let doubtful = DoubtfulEdits(accounts)
        doubtfulEdits = doubtful?.edits ?? []
        isInDoubt = doubtful != nil
        self.edits = EditCollector(accounts, doubtful: doubtful, catalogue: symbols.catalogue)
        let isSampling = accounts.contains { $0.effectiveFilteredPolicy != nil }
        sampling = isSampling ? DeviceSampling(account) : nil
    }

    var engine: Engine { evaluator.engine }

    mutating func adopt(_ catalogue: FlagCatalogue) { edits.adopt(catalogue) }

    func passes(_ row: Int) -> Bool { evaluator.passes(row) }

    mutating func decision(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> Decision {
        evaluator.decision(row, batch, symbols: symbols)
    }

    mutating func evaluate(
        _ batch: borrowing Batch, records: (_ row: Int) -> ParsedRecord<AccountMatcher.Matches>,
        symbols: borrowing SymbolTable
    ) {
        evaluate(batch, symbols: symbols)
    }

    /// Evaluates records and counts the decisions.
    mutating func evaluate(_ batch: borrowing Batch, symbols: borrowing SymbolTable) {
        evaluator.evaluate(batch, symbols: symbols)
        if batch.namesNewDevices { isInDoubt = false }
        attestations += batch.count
        outcomes.removeAll(keepingCapacity: true)
        edits.prefetch(batch.devices)
        for row in 0..<batch.count {
            let (time, device) = (batch.times[row], batch.devices[row])
            span = span.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
            let isSampled = sampling?.isSampled(device, at: time, devices: symbols.devices) ?? false
            let attestation = Attestation(time: time, device: device, flags: batch.flagSets[Int(batch.flags[row])])
            edits.count(
                attestation, matches: batch.matchSets(ofAccount: 0)[Int(batch.matches[0][row])], isSampled: isSampled)
            outcomes.append(edits.latestOutcome)
        }
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> WhatIfResult {
        let catalogue = symbols.catalogue
        return WhatIfResult(
            account: evaluator.result(symbols: symbols, fetches: fetches),
            edits: edits.figures(isDoubtful: false, catalogue: catalogue),
            doubtful: isInDoubt ? edits.figures(isDoubtful: true, catalogue: catalogue) : nil,
            doubtfulEdits: doubtfulEdits, attestations: attestations, devices: edits.deviceCount, span: span)
    }
}

extension WhatIfEvaluator {
    // The account as it is, and then the edited ones.
    var laneCount: Int { edits.editCount + 1 }

    func outcome(_ row: Int) -> UInt64 { UInt64(outcomes[row]) << 2 | evaluator.outcome(row) }

    func write(_ outcome: UInt64, to row: inout LaneRow) {
        evaluator.write(outcome & 3, to: &row)
        edits.write(Int(outcome >> 2), fails: (outcome & 1 != 0, outcome & 2 != 0), to: &row)
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
