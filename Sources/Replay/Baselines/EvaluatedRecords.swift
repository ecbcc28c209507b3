internal import Documents
internal import Figures
internal import PolicyEngine

/// The records of captures as one account decides on them, if that can be kept.
struct EvaluatedRecords {
    /// The figures of all records.
    let figures: Figures
    let result: BaselineResult
    let apps: AppRegistry
    let attributes: Set<ExactText>
    /// The warnings about the records.
    let diagnostics: Diagnostics
    /// The number of records that have each attribute that a filter of the account looks at.
    let presences: [ExactText: Int]

    /// Reads and evaluates captures.
    ///
    /// - Parameters:
    ///   - request: The captures, how they are read, and the account.
    ///   - progress: Shows from time to time how far it is.
    /// - Returns: The records, unless the captures were refused or cannot be kept; and what is wrong with them.
    static func reading(
        _ request: ReplayRequest, progress: Progress
    ) -> (records: EvaluatedRecords?, diagnostics: Diagnostics) {
        let apps = AppRegistry()
        var replay = CaptureReplay<BaselineResult>(
            request, .baseline(request.account, apps: apps), progress: progress)
        let summary = replay.run()
        guard !replay.isSplit, let result = replay.unfinished else { return (nil, summary.diagnostics) }
        return (EvaluatedRecords(result, summary, apps, of: request.account), summary.diagnostics)
    }

    private init?(_ result: BaselineResult, _ summary: ReplaySummary, _ apps: AppRegistry, of account: Account) {
        guard let whole = summary.figures, whole.malformed == 0, result.counted.value.unevaluated.devices == 0,
            !result.counted.value.filters.contains(where: { $0.limitHits > 0 }),
            !result.shards.contains(where: { $0.records.kinds.contains(where: \.matches.hasLimitHits) })
        else { return nil }
        (self.result, self.apps, attributes) = (result, apps, summary.attributes)
        (figures, diagnostics) = (result.counted.value, summary.diagnostics)
        let names = AttributePresences.names([account]).map { ExactText($0) }
        presences = Dictionary(uniqueKeysWithValues: zip(names, result.presences))
    }
}
