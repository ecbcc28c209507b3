package import Documents
package import Figures
internal import PolicyEngine

/// The devices of captures that an account does not pass at least once, by the reasons; a device may have several.
package struct FailureReasons: Sendable {
    /// A reason.
    package struct Reason: Hashable, Sendable {
        /// A flag, a filter, or another reason.
        package let kind: ChangeFigures.Kind
        package let name: String

        package init(_ kind: ChangeFigures.Kind, _ name: String) { (self.kind, self.name) = (kind, name) }
    }

    /// The number of the devices.
    package let devices: Int
    /// The reasons with the numbers of devices, the greatest first, equal ones by name.
    package let reasons: [(reason: Reason, devices: Int)]

    /// Evaluates captures. Where something depends on which devices are new and no record says which, it is left out, as in reports.
    ///
    /// - Parameter request: The captures, and the account.
    /// - Returns: `nil` where the input was refused, or it was interrupted, and why.
    /// - Complexity: O(records).
    package static func counted(_ request: ReplayRequest) -> (failing: FailureReasons?, diagnostics: Diagnostics) {
        let kept: FailureResult? = BaselineEvaluation(request)?.result(
            by: { apps, symbols in FailureEvaluator(request.account, apps: apps, symbols: &symbols) },
            evaluate: { $0.evaluate($1, symbols: $2) },
            result: { $0.result(symbols: $1, fetches: nil) })
        if let kept { return (FailureReasons(kept.finished), Diagnostics()) }
        var replay = CaptureReplay<FailureResult>(request, .countingFailures(of: request.account), progress: Progress())
        let diagnostics = replay.run().diagnostics
        guard !diagnostics.hasErrors, let result = replay.result else { return (nil, diagnostics) }
        return (FailureReasons(result.finished), diagnostics)
    }

    private init(_ counts: FailureCounts) {
        devices = counts.devices
        reasons = counts.reasons.map { (reason: $0.key, devices: $0.value) }.sorted {
            $0.devices != $1.devices ? $0.devices > $1.devices : $0.reason.name < $1.reason.name
        }
    }
}

/// The number of devices that fail, and that of each reason.
private struct FailureCounts: Doubtable {
    var devices = 0
    var reasons: [FailureReasons.Reason: Int] = [:]

    mutating func add(_ other: FailureCounts) {
        devices += other.devices
        reasons.add(other.reasons)
    }

    mutating func finish(_ doubtful: FailureCounts) { self = doubtful }
}

/// The counts of some devices.
private struct FailureResult: ReplayResult {
    var figures = Figures()
    var counts: DoubtedFigures<FailureCounts>

    mutating func add(_ other: FailureResult) { counts.add(other.counts) }

    /// The counts that hold now that all records are read.
    var finished: FailureCounts { counts.doubtful ?? counts.value }
}

/// The reasons of each device for which some account does not pass it.
private struct FailureTally {
    // By device number.
    private var devices: [Causes] = []

    private struct Causes {
        var flags = FlagSet.empty
        var filters = FilterSet.empty
        var hasFailed = false
        var isBlacklisted = false
    }

    mutating func note(_ decision: Decision) {
        let device = decision.device.offset
        if device >= devices.count {
            devices.append(contentsOf: repeatElement(Causes(), count: device + 1 - devices.count))
        }
        devices[device].hasFailed = true
        devices[device].flags = devices[device].flags.union(decision.rejectingFlags)
        devices[device].filters = devices[device].filters.union(decision.rejectingFilters)
        if decision.isBlacklisted { devices[device].isBlacklisted = true }
    }

    func counts(flags: [PropertyFlag], filters: [Filter]) -> FailureCounts {
        var (flagTally, filterTally) = (BitTally<UInt128>(), BitTally<UInt32>())
        var (counts, blacklisted) = (FailureCounts(), 0)
        for causes in devices where causes.hasFailed {
            counts.devices += 1
            flagTally.add(causes.flags.bits)
            filterTally.add(causes.filters.bits)
            if causes.isBlacklisted { blacklisted += 1 }
        }
        let reasons =
            zip(flags, flagTally.all).map { (FailureReasons.Reason(.flag, $0.name), $1) }
            + zip(filters, filterTally.all).map { (FailureReasons.Reason(.filter, $0.name), $1) }
            + [(FailureReasons.Reason(.other, ChangeFigures.Reason.rejection(.blacklist).name), blacklisted)]
        counts.reasons = Dictionary(reasons.filter { $0.1 > 0 }) { $0 + $1 }
        return counts
    }
}

/// Evaluates every record by one account, and notes why devices fail.
private struct FailureEvaluator: BatchEvaluator {
    private var base: AccountEvaluator
    private let filters: [Filter]
    private var tally = FailureTally()
    // The same without what depends on new devices.
    private var doubtful = FailureTally()

    init(_ account: Account, apps: AppRegistry, symbols: inout SymbolTable) {
        base = AccountEvaluator(account, apps: apps, isCounted: false, symbols: &symbols)
        filters = account.filters
    }

    var engine: Engine { base.engine }

    mutating func adopt(_ catalogue: FlagCatalogue) { base.adopt(catalogue) }

    func passes(_ row: Int) -> Bool { base.passes(row) }

    mutating func decision(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> Decision {
        base.decision(row, batch, symbols: symbols)
    }

    mutating func evaluate(_ batch: borrowing Batch, symbols: borrowing SymbolTable) {
        base.evaluate(batch, symbols: symbols)
        for row in 0..<batch.count {
            if !base.passes(row) { tally.note(base.decision(row, batch, symbols: symbols)) }
            guard base.isInDoubt, !base.passesInDoubt(row) else { continue }
            doubtful.note(
                base.doubtfulDecision(row, batch, symbols: symbols) ?? base.decision(row, batch, symbols: symbols))
        }
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> FailureResult {
        let flags = symbols.catalogue.flags
        return FailureResult(
            counts: DoubtedFigures(
                tally.counts(flags: flags, filters: filters),
                doubtful: base.isInDoubt ? doubtful.counts(flags: flags, filters: filters) : nil))
    }
}

extension ReplayPlan {
    fileprivate static func countingFailures(of account: Account) -> ReplayPlan {
        ReplayPlan(catalogue: account.catalogue, needs: RecordNeeds(accounts: [account])) { symbols in
            FailureEvaluator(account, apps: AppRegistry(), symbols: &symbols)
        }
    }
}
