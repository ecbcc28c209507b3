package import Documents
internal import Figures
internal import PolicyEngine

/// The numbers of devices of captures that the filters of an account match, and that had a flag in its decisions.
package struct DeviceCounts: Sendable {
    // By name.
    private let filters: [String: Int]
    private let flags: [String: Int]

    /// Evaluates the captures.
    ///
    /// - Parameter request: The captures, and the account.
    /// - Returns: `nil` where the input was refused, or it was interrupted, and why.
    package static func counted(_ request: ReplayRequest) -> (counts: DeviceCounts?, diagnostics: Diagnostics) {
        if let kept = DeviceCounts(kept: request) { return (kept, Diagnostics()) }
        let profile = CaptureProfile(request, keys: [.flags])
        guard let figures = profile.figures, let shown = profile.profiles?.shownValues else {
            return (nil, profile.diagnostics)
        }
        let flags = Dictionary(shown.map { ($0.value.text, $0.devices) }) { first, _ in first }
        return (DeviceCounts(figures, flags: flags), profile.diagnostics)
    }

    private init(_ figures: Figures, flags: [String: Int]) {
        filters = Dictionary(figures.filters.map { ($0.name, $0.devices) }) { first, _ in first }
        self.flags = flags
    }

    // From the records in memory, where these say all.
    private init?(kept request: ReplayRequest) {
        let account = request.account
        let counted: CountedFlags? = BaselineEvaluation(request)?.result(
            by: { apps, symbols in FlagCounter(AccountEvaluator(account, apps: apps, symbols: &symbols)) },
            evaluate: { $0.evaluate($1, symbols: $2) },
            result: { $0.result(symbols: $1) })
        guard var counted else { return nil }
        counted.figures.finish()
        guard !counted.figures.value.filters.contains(where: { $0.limitHits > 0 }) else { return nil }
        self.init(counted.figures.value, flags: counted.flags)
    }

    /// The number of devices that a filter matches.
    package func devices(ofFilter name: String) -> Int { filters[name] ?? 0 }

    /// The number of devices that had a flag.
    package func devices(withFlag name: String) -> Int { flags[name] ?? 0 }
}

/// The figures of an account, and the number of devices that had each flag, by its name.
private struct CountedFlags: Addable, Sendable {
    var figures: DoubtedFigures<Figures>
    var flags: [String: Int]

    mutating func add(_ other: CountedFlags) {
        figures.add(other.figures)
        flags.add(other.flags)
    }
}

/// Evaluates records by one account, and notes the flags of devices in its decisions.
private struct FlagCounter {
    private var base: AccountEvaluator
    // By device number.
    private var flags: [FlagSet] = []

    init(_ base: AccountEvaluator) { self.base = base }

    mutating func evaluate(_ batch: borrowing Batch, symbols: borrowing SymbolTable) {
        base.evaluate(batch, symbols: symbols)
        if flags.isEmpty { flags = Array(repeating: .empty, count: symbols.devices.count) }
        // All at once, so that waiting for memory overlaps.
        for device in batch.devices { flags.prefetch(device.offset) }
        for row in 0..<batch.count {
            let isByTables = base.verdictCause(row) != nil
            let more = isByTables ? base.effectiveFlags(row) : base.decision(row, batch, symbols: symbols).flags
            let device = batch.devices[row].offset
            flags[device] = flags[device].union(more)
        }
    }

    func result(symbols: SymbolTable) -> CountedFlags {
        let devices = flags.reduce(into: BitTally<UInt128>()) { $0.add($1.bits) }.all
        let named = zip(symbols.catalogue.flags, devices).map { ($0.name, $1) }
        return CountedFlags(
            figures: base.result(symbols: symbols, fetches: nil), flags: Dictionary(named) { first, _ in first })
    }
}
