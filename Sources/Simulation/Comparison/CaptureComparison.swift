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
        let (symbols, fetches) = (replay.symbols, replay.fetches)
        let weight = fetches.map { counter in
            { (device: Int) in counter.count(of: symbols.devices[DeviceIndex(offset: device)]) }
        }
        let comparison = Comparison(
            before: Report(figures: figures, fetches: outcome.fetches),
            after: Report(figures: replay.judge.figuresAfter(symbols: symbols)), accounts: (before, after),
            changes: replay.judge.comparison.figures(catalogue: symbols.catalogue, weight: weight),
            isCapture: true)
        return ComparisonOutcome(comparison: comparison, diagnostics: outcome.diagnostics)
    }
}
