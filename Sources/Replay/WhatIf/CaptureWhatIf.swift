package import Documents
package import Figures
package import PolicyEngine

/// Finds out what each of many edits of an account would do to captures, which are read once for all.
package struct CaptureWhatIf {
    private let request: ReplayRequest
    private let edits: [Account]
    private let progress: Progress

    /// - Parameters:
    ///   - request: The captures, how they are read, and the account.
    ///   - edits: The account after each edit. It differs in policies, entries and the options of filters, or lacks some.
    ///   - progress: Shows from time to time how far the replay is.
    package init(_ request: ReplayRequest, edits: [Account], progress: Progress = Progress()) {
        (self.request, self.edits, self.progress) = (request, edits, progress)
    }

    /// Reads everything, evaluates it under all accounts, and compares.
    ///
    /// - Returns: The counts, which are exactly those of comparisons with each edited account.
    package func run() -> WhatIfSummary {
        if let keptSummary { return keptSummary }
        var replay = CaptureReplay<WhatIfResult>(
            request, .whatIf(request.account, edits: edits, assumed: request.assumed), progress: progress)
        let summary = replay.run()
        var result = WhatIfSummary(attributes: summary.attributes, diagnostics: summary.diagnostics)
        guard !summary.diagnostics.hasErrors, let found = replay.result else { return result }
        result.take(found)
        result.figures = summary.figures
        return result
    }

    // If the captures were read before, and the records that were kept in memory then say all.
    private var keptSummary: WhatIfSummary? {
        guard let evaluation = BaselineEvaluation(request, progress: progress) else { return nil }
        var named = DeviceTable()
        for account in [request.account] + edits { account.numberDevices(in: &named) }
        let found: WhatIfResult? = evaluation.result(
            behind: named,
            by: { apps, symbols in WhatIfEvaluator(request.account, edits: edits, apps: apps, symbols: &symbols) },
            evaluate: { $0.evaluate($1, symbols: $2) },
            result: { $0.result(symbols: $1, fetches: nil) })
        guard var found else { return nil }
        found.finish()
        guard !found.figures.filters.contains(where: { $0.limitHits > 0 }) else { return nil }
        var result = WhatIfSummary(attributes: evaluation.attributes, diagnostics: evaluation.diagnostics)
        result.take(found)
        return result
    }
}

/// The effects of edits of an account.
package struct WhatIfSummary: Sendable {
    /// The effects of each edit, in their order; none where the input was refused.
    package var edits: [EditFigures] = []
    /// The number of attestations.
    package var attestations = 0
    /// The number of their devices.
    package var devices = 0
    /// The attestations of a day; `nil` where they span less than an hour.
    package var attestationsPerDay: Int?
    /// The figures of the account itself; `nil` where the input was refused.
    package var figures: Figures?
    /// The verdicts on labelled devices, by the account and then by each edit; `nil` where there are no labels.
    package var labels: LabelFigures?
    /// The attributes that the account asks for and some record has, by their keys.
    package var attributes: Set<ExactText> = []
    /// The errors and warnings about the input.
    package var diagnostics = Diagnostics()

    fileprivate mutating func take(_ found: WhatIfResult) {
        (edits, attestations, devices) = (found.edits, found.attestations, found.devices)
        (figures, labels) = (found.figures, found.labels)
        var span = ComparisonFigures()
        (span.events, span.span) = (found.attestations, found.span)
        attestationsPerDay = span.attestationsPerDay
    }
}
