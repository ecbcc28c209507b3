internal import Documents
internal import Figures
internal import PolicyEngine

/// A replay of captures of fetches alone: they show how often devices fetch, and nothing else.
struct FetchReplay {
    private let request: ReplayRequest
    private var problems: ProblemLog
    private var counter: FetchCounter

    init(_ request: ReplayRequest) {
        self.request = request
        counter = FetchCounter(of: request.deviceShard)
        problems = ProblemLog(isFatal: !request.skipsMalformed)
    }

    /// Reads everything and counts.
    mutating func run(_ queue: consuming CaptureQueue) -> ReplaySummary {
        do throws(ReplayFailure) {
            var malformed = try LineFile(path: request.malformedPath)
            var malformedCount = 0
            while let file = try queue.next() {
                malformedCount += try counter.read(
                    file, zones: request.zones, problems: &problems, malformed: &malformed)
            }
            try malformed.finish()
            return summary(malformedCount: malformedCount)
        } catch {
            var summary = ReplaySummary(diagnostics: problems.closed())
            summary.diagnostics.add(error.diagnostic)
            return summary
        }
    }

    private func summary(malformedCount: Int) -> ReplaySummary {
        var summary = ReplaySummary(diagnostics: problems.closed())
        guard !summary.diagnostics.hasErrors else { return summary }
        var fetches = counter.figures(verdict: nil)
        var figures = Figures()
        if request.countsRest {
            fetches.malformed = malformedCount
            figures.addMalformed(malformedCount)
        }
        summary.fetches = fetches
        summary.figures = figures
        return summary
    }
}
