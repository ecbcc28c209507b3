internal import Documents
internal import Figures
internal import PolicyEngine

/// Has the records of a baseline evaluated by one account.
struct BaselineEvaluation: Sendable {
    private let baseline: Baseline
    private let account: Account
    private let filters: BaselineFilters
    private let request: ReplayRequest

    /// - Parameters:
    ///   - request: The account, the image, and the workers.
    ///   - progress: Shows from time to time how far it is.
    /// - Returns: `nil` for an account about which the kept records do not say all, or if none are kept.
    init?(_ request: ReplayRequest, progress: Progress = Progress()) {
        guard request.asksOnlyForFigures,
            let baseline = Baseline.kept(for: request, isOfAny: true, progress: progress),
            let filters = BaselineFilters(baseline, of: request.account)
        else { return nil }
        (self.baseline, account, self.filters, self.request) = (baseline, request.account, filters, request)
    }

    /// The attributes that the account asks for and some record has, with others that records have.
    var attributes: Set<ExactText> { baseline.attributes(askedBy: account) }

    /// The errors and warnings about the records.
    var diagnostics: Diagnostics { baseline.diagnostics }

    /// The result of evaluators.
    ///
    /// - Parameters:
    ///   - devices: The devices whose records they evaluate; `nil` for all.
    ///   - make: Makes the evaluator of a shard, which takes the devices that accounts name.
    ///   - result: The result of one; also takes the flags that each device had in some decision, by its number.
    /// - Returns: `nil` where it was interrupted, or a search was given up (R7.2).
    func result<Evaluator: BatchEvaluator & SendableMetatype, Result: Addable & Sendable>(
        of devices: Set<DeviceID>? = nil,
        by make: @escaping @Sendable (_ apps: AppRegistry, _ symbols: inout SymbolTable) -> Evaluator,
        _ result: @escaping @Sendable (Evaluator, SymbolTable, _ flags: [FlagSet]) -> Result
    ) -> Result? {
        let parts = Workers.map(baseline.shards, jobs: request.jobs) { shard, _ -> Result? in
            var symbols = SymbolTable(catalogue: account.catalogue)
            var evaluator = make(baseline.apps, &symbols)
            let chosen = ChosenDevices(
                Self.areChosen(devices, of: shard), of: shard.devices, besides: symbols.devices)
            symbols.devices = chosen.table
            symbols.catalogue = baseline.catalogue
            evaluator.adopt(baseline.catalogue)
            let translated = shard.records.kinds.map { filters.translation.matches($0.matches) }
            var (flags, areSearched) = (Array(repeating: FlagSet.empty, count: chosen.table.count), true)
            let isDone = shard.records.evaluate(
                chosen, symbols: symbols, by: &evaluator, accounts: 1, isLate: { request.isLate },
                announce: { translated.prefetch($0) },
                matches: { AccountMatches(filters.matches(translated[$0], inRecord: $2)) },
                note: { decision in
                    flags[decision.device.offset] = flags[decision.device.offset].union(decision.flags)
                    if !decision.limitHits.isEmpty { areSearched = false }
                })
            return isDone && areSearched ? result(evaluator, symbols, flags) : nil
        }
        return Result.sum(of: parts)
    }

    private static func areChosen(_ devices: Set<DeviceID>?, of shard: BaselineShard) -> [Bool] {
        var areChosen = Array(repeating: devices == nil, count: shard.devices.count)
        for device in devices ?? [] {
            if let number = shard.devices.index(of: device) { areChosen[number.offset] = true }
        }
        return areChosen
    }
}

extension Addable {
    /// The sum of the parts of a result; `nil` if one is missing, or there are none.
    static func sum(of parts: [Self?]) -> Self? {
        var sum: Self?
        for part in parts {
            guard let part else { return nil }
            if sum?.add(part) == nil { sum = part }
        }
        return sum
    }
}
