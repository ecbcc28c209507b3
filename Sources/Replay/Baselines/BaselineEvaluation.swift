internal import Documents
internal import Figures
internal import PolicyEngine

/// Has all records of a baseline evaluated anew, by one account or by two.
struct BaselineEvaluation: Sendable {
    private let baseline: Baseline
    private let account: Account
    // By account.
    private let filters: [BaselineMatches]
    private let request: ReplayRequest

    /// An evaluation by one account.
    ///
    /// - Parameters:
    ///   - request: The account, the image, and the workers.
    ///   - progress: Shows from time to time how far it is.
    /// - Returns: `nil` for an account about which the kept records do not say all, or if none are kept.
    init?(_ request: ReplayRequest, progress: Progress = Progress()) {
        guard request.asksOnlyForFigures,
            let baseline = Baseline.kept(for: request, isOfAny: true, progress: progress),
            let filters = BaselineMatches(baseline, of: request.account, in: request.image)
        else { return nil }
        (self.baseline, account, self.filters, self.request) = (baseline, request.account, [filters], request)
    }

    /// An evaluation by the account of the records, and then by another one.
    ///
    /// - Parameters:
    ///   - after: The other account.
    ///   - request: The account of the records, the image, and the workers.
    ///   - progress: Shows from time to time how far it is.
    /// - Returns: As for one account.
    init?(comparing after: Account, _ request: ReplayRequest, progress: Progress = Progress()) {
        guard request.asksOnlyForFigures, let baseline = Baseline.kept(for: request, progress: progress),
            let filters = BaselineMatches(baseline, of: after, in: request.image),
            let own = BaselineMatches(baseline, of: request.account, in: request.image)
        else { return nil }
        (self.baseline, account, self.filters, self.request) = (baseline, after, [own, filters], request)
    }

    /// The attributes that the account asks for and some record has, with others that records have.
    var attributes: Set<ExactText> { baseline.attributes(askedBy: account, in: request.image) }

    /// The errors and warnings about the records.
    var diagnostics: Diagnostics { baseline.diagnostics }

    /// The result of evaluators.
    ///
    /// - Parameters:
    ///   - first: The devices that have the first numbers; none leaves every device its number.
    ///   - make: Makes the evaluator of a shard, which takes the devices that accounts name.
    ///   - evaluate: Has it evaluate a batch.
    ///   - result: The result of one.
    /// - Returns: `nil` where it was interrupted.
    func result<Evaluator, Result: Addable & Sendable>(
        behind first: DeviceTable = DeviceTable(),
        by make: @escaping @Sendable (_ apps: AppRegistry, _ symbols: inout SymbolTable) -> Evaluator,
        evaluate: @escaping @Sendable (inout Evaluator, Batch, SymbolTable) -> Void,
        result: @escaping @Sendable (Evaluator, SymbolTable) -> Result
    ) -> Result? {
        let parts = Workers.map(baseline.shards, jobs: request.jobs) { shard, _ -> Result? in
            var symbols = SymbolTable(catalogue: baseline.catalogue)
            let numbers = shard.number(in: &symbols.devices, behind: first)
            var evaluator = make(baseline.apps, &symbols)
            let isDone = shard.records.forEachBatch(
                filters, renumbering: numbers, isLate: { request.isLate }, { evaluate(&evaluator, $0, symbols) })
            return isDone ? result(evaluator, symbols) : nil
        }
        guard var sum = parts.first ?? nil else { return nil }
        for part in parts.dropFirst() {
            guard let part else { return nil }
            sum.add(part)
        }
        return sum
    }

    /// The comparison of both accounts.
    ///
    /// - Returns: `nil` if it was interrupted, the columns do not say all, or a search was given up (R7.2).
    func comparison() -> DoubtedFigures<PairFigures>? {
        let names = AttributePresences.names([baseline.account, account])
        guard let image = request.image, let presences = baseline.columns.presences(of: names, in: image) else {
            return nil
        }
        let whole: DoubtedFigures<PairFigures>? = result(
            by: { apps, symbols in
                var evaluator = ComparingEvaluator(
                    before: baseline.account, after: account, apps: apps, countsBefore: false,
                    hasNoNewDevices: !baseline.namesNewDevices, symbols: &symbols)
                evaluator.adopt(symbols.catalogue)
                return evaluator
            },
            evaluate: { $0.evaluate($1, symbols: $2) },
            result: { $0.result(symbols: $1, fetches: nil).counted })
        guard var whole, !whole.value.after.filters.contains(where: { $0.limitHits > 0 }) else { return nil }
        whole.value.before = baseline.counted.value
        whole.doubtful?.before = baseline.counted.doubtful ?? baseline.counted.value
        whole.value.changes.presences = presences
        whole.doubtful?.changes.presences = presences
        return whole
    }
}

extension BaselineShard {
    /// Gives numbers to all devices.
    ///
    /// - Parameters:
    ///   - table: Becomes the numbering.
    ///   - first: The devices that have the first numbers.
    /// - Returns: The numbers by those of the records; `nil` where they are the same.
    fileprivate func number(in table: inout DeviceTable, behind first: DeviceTable) -> [DeviceIndex]? {
        table = first.count > 0 ? first : devices
        guard first.count > 0 else { return nil }
        return (0..<devices.count).map { table.intern(devices[DeviceIndex(offset: $0)]) }
    }
}
