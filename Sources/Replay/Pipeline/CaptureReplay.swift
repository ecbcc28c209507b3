package import Documents
package import Figures
package import PolicyEngine

/// Replays captures: records in, decisions out, in the order of time.
struct CaptureReplay<Result: ReplayResult> {
    private var request: ReplayRequest
    private let plan: ReplayPlan
    private let progress: Progress
    /// The result of the evaluators; `nil` before the run, and where the input was refused.
    private(set) var result: Result?
    /// The result before it was finished, and without malformed records: the results for other devices can be added to it.
    private(set) var unfinished: Result?
    /// True if the captures were split: what then depends on records of other parts is refused.
    var isSplit: Bool { request.split != nil }
    /// The fetches that weigh devices, once they were read.
    private(set) var fetches: FetchCounter?

    /// - Parameters:
    ///   - request: The request to carry out.
    ///   - plan: The findings that it needs, and who evaluates the records.
    ///   - progress: Shows from time to time how far the replay is.
    init(_ request: ReplayRequest, _ plan: ReplayPlan, progress: Progress = Progress()) {
        self.request = request
        self.plan = plan
        self.progress = progress
    }

    /// Reads everything, evaluates it, and counts.
    ///
    /// - Returns: The figures, or the diagnostics that say why there are none.
    mutating func run() -> ReplaySummary {
        do throws(ReplayFailure) {
            let queue = try CaptureQueue(request)
            if let split = queue.split { try request.adopt(split) }
            try queue.checkUse(of: request.attestationOption)
            if queue.kind == .fetches {
                var replay = FetchReplay(request)
                return replay.run(queue)
            }
            let pipeline = try ReplayPipeline(plan, request, queue: queue, progress: progress)
            // The descriptions of split captures already say which errors their records have.
            if !pipeline.diagnostics.hasErrors { pipeline.run() }
            return summary(of: pipeline)
        } catch {
            var summary = ReplaySummary()
            summary.diagnostics.add(error.diagnostic)
            return summary
        }
    }

    private mutating func summary(of pipeline: ReplayPipeline) -> ReplaySummary {
        do throws(ReplayFailure) {
            if let failure = pipeline.failure { throw failure }
            if let excess = SearchExcess(plan.needs.accounts, showsValue: request.redactor == nil) {
                throw .limit(excess)
            }
            let summary = try weighed(pipeline)
            try pipeline.finishFiles(areWhole: !summary.diagnostics.hasErrors)
            return summary
        } catch {
            // The workers decide how far reading was when writing failed, so nothing is reported of what was read.
            var summary = ReplaySummary(diagnostics: error.isOfOutput ? Diagnostics() : pipeline.diagnostics)
            summary.diagnostics.add(error.diagnostic)
            return summary
        }
    }

    // The figures of all evaluators; if there are fetches, these weigh the devices.
    private mutating func weighed(_ pipeline: ReplayPipeline) throws(ReplayFailure) -> ReplaySummary {
        let figures = try request.fetchesPath.map { path throws(ReplayFailure) in try weights(path, pipeline) }
        guard !pipeline.diagnostics.hasErrors else { return ReplaySummary(diagnostics: pipeline.diagnostics) }
        guard var result = pipeline.result(fetches: fetches) as? Result else {
            preconditionFailure("the plan makes evaluators with this result")
        }
        unfinished = result
        result.finish()
        if let frequencies = pipeline.frequencies() { result.figures.frequencies = frequencies }
        if request.countsRest || isSplit { result.figures.addMalformed(pipeline.malformedCount) }
        self.result = result
        for filter in result.figures.filters where filter.limitHits > 0 {
            pipeline.note { $0.noteLimit(filter, isFatal: isSplit) }
        }
        if result.figures.hasOtherApps { pipeline.note { $0.noteOtherApps(isFatal: isSplit) } }
        guard !pipeline.diagnostics.hasErrors else { return ReplaySummary(diagnostics: pipeline.diagnostics) }
        return ReplaySummary(
            figures: result.figures, fetches: figures, attributes: pipeline.attributes,
            diagnostics: pipeline.diagnostics)
    }

    // Reads the fetches that weigh the devices, and leaves the counts by device in `fetches`.
    private mutating func weights(
        _ path: String, _ pipeline: ReplayPipeline
    ) throws(ReplayFailure) -> FetchFigures {
        let file = try ReplayFailure.wrapping { () throws(CaptureFailure) in try CaptureFile(path: path) }
        var counter = FetchCounter()
        let malformedCount = try pipeline.countFetches(file, into: &counter)
        var figures = counter.figures { pipeline.latestVerdict(of: $0) }
        if request.countsRest { figures.malformed = malformedCount }
        fetches = counter
        return figures
    }
}

extension CaptureReplay<DoubtedFigures<Figures>> {
    /// A replay through the account of the request.
    init(_ request: ReplayRequest, progress: Progress = Progress()) {
        self.init(
            request, .account(request.account, assumed: request.assumed, keepsSeries: request.keepsSeries),
            progress: progress)
    }
}

/// The result of a replay, with the attributes that were found and the diagnostics.
package struct ReplaySummary: Sendable {
    /// The figures; `nil` when the input was refused.
    package var figures: Figures?
    /// The fetch counts of devices, where captures of fetches were read.
    package var fetches: FetchFigures?
    /// The attributes that accounts and reports ask for and some record has, by their keys.
    package var attributes: Set<ExactText> = []
    /// The errors and warnings about the input.
    package var diagnostics = Diagnostics()
}

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
