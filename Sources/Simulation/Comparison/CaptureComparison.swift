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
        let (before, after) = (request.replay.account, request.after)
        var replay = Replay<PairJudge>(
            request.replay, catalogue: FlagCatalogue(), progress: progress
        ) { symbols in PairJudge(before: before, after: after, symbols: &symbols) }
        let outcome = replay.run()
        guard !outcome.diagnostics.hasErrors, let figures = outcome.figures else {
            return ComparisonOutcome(diagnostics: outcome.diagnostics)
        }
        var diagnostics = outcome.diagnostics
        let comparison = comparison(of: replay, figures: figures, fetches: outcome.fetches)
        for filter in comparison.limitedFilters {
            diagnostics.add(filter.limitWarning(file: "filter \(filter.name)"))
        }
        return ComparisonOutcome(comparison: comparison, diagnostics: diagnostics)
    }

    private func comparison(
        of replay: Replay<PairJudge>, figures: Figures, fetches: FetchFigures?
    ) -> Comparison {
        let (symbols, judge) = (replay.symbols, replay.judge)
        let weight = replay.fetches.map { counter in
            { (device: Int) in counter.count(of: symbols.devices[DeviceIndex(offset: device)]) }
        }
        var fetchesAfter = replay.fetches?.figures { id in
            symbols.devices.index(of: id).flatMap(judge.latestVerdictAfter)
        }
        fetchesAfter?.malformed = fetches?.malformed ?? 0
        return Comparison(
            before: Report(figures: figures, fetches: fetches),
            after: Report(figures: judge.figuresAfter(symbols: symbols), fetches: fetchesAfter),
            accounts: (request.replay.account, request.after),
            changes: judge.comparison.figures(catalogue: symbols.catalogue, weight: weight), isCapture: true)
    }
}
