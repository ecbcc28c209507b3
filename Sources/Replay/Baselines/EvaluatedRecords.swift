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

    /// - Parameters:
    ///   - request: The captures, how they are read, and the account.
    ///   - allowsWarnings: True if records of which there is something to say can be kept, too.
    ///   - progress: Shows from time to time how far it is.
    init?(_ request: ReplayRequest, allowsWarnings: Bool = false, progress: Progress) {
        let work = BaselineWork(request.account)
        var replay = CaptureReplay(request, work: work, progress: progress)
        let summary = replay.run()
        guard let result = replay.unfinished, let figures = summary.figures, figures.malformed == 0, !replay.isSplit,
            allowsWarnings || summary.diagnostics.all.isEmpty, result.counted.value.unevaluated.devices == 0,
            !result.counted.value.filters.contains(where: { $0.limitHits > 0 }),
            !result.shards.contains(where: { $0.records.kinds.contains(where: \.matches.hasLimitHits) })
        else { return nil }
        (self.result, apps, attributes) = (result, work.apps, summary.attributes)
        (self.figures, diagnostics) = (result.counted.value, summary.diagnostics)
        let names = AttributePresences.names([request.account]).map { ExactText($0) }
        presences = Dictionary(uniqueKeysWithValues: zip(names, result.presences))
    }
}
