package import Documents
internal import PolicyEngine

/// Compares two accounts on captures, which are read once for both.
package struct CaptureComparison {
    private let request: ComparisonRequest
    private let progress: Progress

    /// - Parameters:
    ///   - request: What is compared.
    ///   - progress: Told now and then how far it is.
    package init(_ request: ComparisonRequest, progress: Progress = Progress()) {
        self.request = request
        self.progress = progress
    }

    /// Reads everything, judges it on both sides, and compares.
    package func run() -> ComparisonOutcome {
        var replay = CaptureReplay(
            request.replay, work: PairWork(before: request.replay.account, after: request.after), progress: progress)
        let outcome = replay.run()
        guard !outcome.diagnostics.hasErrors, let result = replay.result else {
            return ComparisonOutcome(diagnostics: outcome.diagnostics)
        }
        var diagnostics = outcome.diagnostics
        let comparison = comparison(of: result, fetches: outcome.fetches, counter: replay.fetches)
        for filter in comparison.limitedFilters {
            diagnostics.add(filter.limitWarning(file: "filter \(filter.name)"))
        }
        return ComparisonOutcome(comparison: comparison, attributes: outcome.attributes, diagnostics: diagnostics)
    }

    private func comparison(of result: PairResult, fetches: FetchFigures?, counter: FetchCounter?) -> Comparison {
        var figuresAfter = result.figuresAfter
        figuresAfter.addMalformed(result.figures.malformed)
        var fetchesAfter = counter?.figures { result.verdictsAfter[$0] }
        fetchesAfter?.malformed = fetches?.malformed ?? 0
        return Comparison(
            before: Comparison.Side(figures: result.figures, fetches: fetches),
            after: Comparison.Side(figures: figuresAfter, fetches: fetchesAfter),
            accounts: (request.replay.account, request.after), changes: result.comparison.settled, isCapture: true)
    }
}
