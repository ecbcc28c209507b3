package import Documents
package import Figures
package import PolicyEngine

/// Compares two accounts on captures, which are read once for both.
package struct CaptureComparison {
    private let request: ComparisonRequest
    private let progress: Progress

    /// - Parameters:
    ///   - request: The comparison's captures and accounts.
    ///   - progress: Shows from time to time how far the comparison is.
    package init(_ request: ComparisonRequest, progress: Progress = Progress()) {
        self.request = request
        self.progress = progress
    }

    /// Reads everything, evaluates it on both sides, and compares.
    package func run() -> ComparisonSummary { runPart().summary }

    /// Does the same for the devices of a part.
    ///
    /// - Returns: The part, unless the input was refused; and what a comparison reports.
    package func runPart() -> (part: ComparisonPart?, summary: ComparisonSummary) {
        if let kept = comparedWithBaseline { return kept }
        let plan = ReplayPlan.comparison(
            before: request.replay.account, after: request.after, assumed: request.replay.assumed?.seen(by: 1),
            outcomesOf: request.outcomeDevices, keepsDecisions: request.replay.decisionsPath != nil)
        guard let keys = request.profileKeys else { return compare(by: plan) { (result: PairResult) in result } }
        let profiling = plan.profiling(keys, filters: request.replay.account.filters)
        return compare(
            by: profiling, { (result: ProfilingResult) in result.base as? PairResult }, profiles: { $0.profiles })
    }

    // If the captures were read before, and the records that were kept in memory then say all.
    private var comparedWithBaseline: (part: ComparisonPart?, summary: ComparisonSummary)? {
        let replay = request.replay
        guard request.profileKeys == nil, request.outcomeDevices.isEmpty,
            let evaluation = BaselineEvaluation(comparing: request.after, replay, progress: progress),
            let counted = evaluation.comparison()
        else { return nil }
        let part = ComparisonPart(counted, malformed: 0, fetches: nil, accounts: request.accounts)
        return (
            part,
            ComparisonSummary(
                comparison: part.comparison, attributes: evaluation.attributes, diagnostics: evaluation.diagnostics)
        )
    }

    private func compare<Result: ReplayResult>(
        by plan: ReplayPlan, _ pair: (Result) -> PairResult?, profiles: (Result) -> DeviceProfiles? = { _ in nil }
    ) -> (part: ComparisonPart?, summary: ComparisonSummary) {
        var replay = CaptureReplay<Result>(request.replay, plan, progress: progress)
        let summary = replay.run()
        let result = replay.unfinished.flatMap(pair)
        var outcome = report(
            on: result, summary,
            fetches: result.flatMap { fetches(of: $0, before: summary.fetches, counter: replay.fetches) },
            isSplit: replay.isSplit, profiles: replay.result.flatMap(profiles))
        outcome.summary.outcomes = result?.outcomes ?? [:]
        return outcome
    }

    private func report(
        on result: PairResult?, _ summary: ReplaySummary, fetches: ComparisonPart.Fetches?, isSplit: Bool,
        profiles: DeviceProfiles?
    ) -> (part: ComparisonPart?, summary: ComparisonSummary) {
        var diagnostics = summary.diagnostics
        guard !diagnostics.hasErrors, let result, let figures = summary.figures else {
            return (nil, ComparisonSummary(diagnostics: diagnostics))
        }
        let part = ComparisonPart(
            result.counted, malformed: figures.malformed, fetches: fetches, accounts: request.accounts)
        let comparison = part.comparison
        for filter in comparison.limitedFilters {
            let warning = filter.limitWarning(file: "filter \(filter.name)")
            diagnostics.add(isSplit ? warning.refusingParts : warning)
        }
        if let labels = request.replay.labels {
            diagnostics.add(comparison.changes.labels?.problems(in: labels.path) ?? [])
        }
        guard !diagnostics.hasErrors else { return (nil, ComparisonSummary(diagnostics: diagnostics)) }
        return (
            part,
            ComparisonSummary(
                comparison: comparison, attributes: summary.attributes, diagnostics: diagnostics, profiles: profiles)
        )
    }

    private func fetches(
        of result: PairResult, before: FetchFigures?, counter: FetchCounter?
    ) -> ComparisonPart.Fetches? {
        guard let before, let counter else { return nil }
        var after = counter.figures { result.verdictsAfter[$0] }
        after.malformed = before.malformed
        return ComparisonPart.Fetches { ($0.before, $0.after) = (before, after) }
    }
}

/// A request to compare two accounts, on captures or on a scenario.
package struct ComparisonRequest: Sendable {
    /// The request that captures are read by; its account is the one before.
    package var replay: ReplayRequest
    /// The account after.
    package var after: Account
    /// The values by which devices are grouped; `nil` if they are not.
    package var profileKeys: [ProfileKey]?
    /// The devices of which the result says what the change does to them.
    package var outcomeDevices: Set<DeviceID> = []
    /// The decided rules on which the change itself rests.
    private let decidedRules: DecidedRules
    /// True if it is known that the change turns no verdict, whatever the devices are.
    package var turnsNothing = false

    fileprivate var accounts: ComparedAccounts {
        ComparedAccounts(
            before: replay.account, after: after, decidedRules: decidedRules, turnNothing: turnsNothing,
            areAssumed: replay.assumed != nil)
    }

    /// The same comparison with another account after, for its figures alone.
    func asking(onlyForFigures after: Account) -> ComparisonRequest {
        var request = self
        request.replay.askOnlyForFigures()
        (request.after, request.profileKeys, request.turnsNothing) = (after, nil, false)
        return request
    }

    /// - Parameters:
    ///   - replay: The captures, how they are read, and the account before.
    ///   - after: The account after; registrations that it lacks count as removed (R15.2).
    ///   - decidedRules: The decided rules on which the change itself rests.
    package init(replay: ReplayRequest, after: Account, decidedRules: DecidedRules = []) {
        self.replay = replay
        self.decidedRules = decidedRules
        self.replay.decisionSides = 2
        self.after = after.replacing(replay.account)
    }
}

/// The result of a comparison, with the attributes that were found and the diagnostics.
package struct ComparisonSummary: Sendable {
    /// The result; `nil` when the input was refused.
    package var comparison: Comparison?
    /// The attributes that the accounts ask for and some record or device has, by their keys.
    package var attributes: Set<ExactText> = []
    /// The errors and warnings about the input.
    package var diagnostics = Diagnostics()
    /// The devices by the values that they show, if that was asked for.
    package var profiles: DeviceProfiles?
    /// The effect of the change on the devices that were asked for.
    package var outcomes: [DeviceID: DeviceOutcome] = [:]

    package init(
        comparison: Comparison? = nil, attributes: Set<ExactText> = [], diagnostics: Diagnostics = Diagnostics(),
        profiles: DeviceProfiles? = nil
    ) {
        self.profiles = profiles
        self.comparison = comparison
        self.attributes = attributes
        self.diagnostics = diagnostics
    }
}
