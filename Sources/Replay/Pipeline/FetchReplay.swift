internal import Documents
internal import PolicyEngine

/// A replay of captures of fetches alone: they tell how often devices fetch, and nothing else.
struct FetchReplay {
    private let request: ReplayRequest
    private var problems: ProblemLog
    private var counter = FetchCounter()

    init(_ request: ReplayRequest) {
        self.request = request
        problems = ProblemLog(isFatal: !request.skipsMalformed)
    }

    /// Reads everything and counts.
    mutating func run(_ queue: consuming CaptureQueue) -> ReplayOutcome {
        do throws(ReplayFailure) {
            var malformed = try LineFile(path: request.malformedPath)
            var malformedCount = 0
            while let file = try queue.next() {
                malformedCount += try counter.read(
                    file, zones: request.zones, problems: &problems, malformed: &malformed)
            }
            try malformed.finish()
            return outcome(malformedCount: malformedCount)
        } catch {
            var outcome = ReplayOutcome(diagnostics: problems.closed())
            outcome.diagnostics.add(error.diagnostic)
            return outcome
        }
    }

    private func outcome(malformedCount: Int) -> ReplayOutcome {
        var outcome = ReplayOutcome(diagnostics: problems.closed())
        guard !outcome.diagnostics.hasErrors else { return outcome }
        var fetches = counter.figures(verdict: nil)
        fetches.malformed = malformedCount
        outcome.fetches = fetches
        var figures = Figures()
        if malformedCount > 0 { figures.addMalformed(malformedCount) }
        outcome.figures = figures
        return outcome
    }
}
