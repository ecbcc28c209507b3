package import Documents
package import PolicyEngine

/// Compares two accounts on captures, which are read once for both.
package struct CaptureComparison {
    private let request: ComparisonRequest
    private let progress: Progress

    /// - Parameters:
    ///   - request: What is compared.
    ///   - progress: Shows from time to time how far the comparison is.
    package init(_ request: ComparisonRequest, progress: Progress = Progress()) {
        self.request = request
        self.progress = progress
    }

    /// Reads everything, evaluates it on both sides, and compares.
    package func run() -> ComparisonSummary {
        var replay = CaptureReplay(
            request.replay, work: PairWork(before: request.replay.account, after: request.after), progress: progress)
        let summary = replay.run()
        guard !summary.diagnostics.hasErrors, let result = replay.result else {
            return ComparisonSummary(diagnostics: summary.diagnostics)
        }
        var diagnostics = summary.diagnostics
        let comparison = comparison(of: result, fetches: summary.fetches, counter: replay.fetches)
        for filter in comparison.limitedFilters {
            diagnostics.add(filter.limitWarning(file: "filter \(filter.name)"))
        }
        return ComparisonSummary(comparison: comparison, attributes: summary.attributes, diagnostics: diagnostics)
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

/// What is compared: two accounts, on captures or on a scenario.
package struct ComparisonRequest: Sendable {
    /// How captures are read; its account is the one before.
    package var replay: ReplayRequest
    /// The account after.
    package var after: Account

    /// - Parameters:
    ///   - replay: How captures are read, and the account before.
    ///   - after: The account after; registrations that it lacks count as removed (R15.2).
    package init(replay: ReplayRequest, after: Account) {
        self.replay = replay
        self.after = after.replacing(replay.account)
    }
}

/// What a comparison reports.
package struct ComparisonSummary: Sendable {
    /// The result; `nil` when the input was refused.
    package var comparison: Comparison?
    /// The attributes that the accounts ask for and some record or device has, by their keys.
    package var attributes: Set<ExactText> = []
    /// What is wrong with the input, or worth knowing.
    package var diagnostics = Diagnostics()

    package init(
        comparison: Comparison? = nil, attributes: Set<ExactText> = [], diagnostics: Diagnostics = Diagnostics()
    ) {
        self.comparison = comparison
        self.attributes = attributes
        self.diagnostics = diagnostics
    }
}
