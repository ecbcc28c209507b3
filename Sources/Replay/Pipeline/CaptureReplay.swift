package import Documents
internal import PolicyEngine

/// Replays captures: records in, decisions out, in the order of time.
package struct CaptureReplay<Work: ReplayWork> {
    private let request: ReplayRequest
    private let work: Work
    private let progress: Progress
    /// What the judges came to; `nil` before the run, and where the input was refused.
    package private(set) var result: Work.Evaluator.Result?
    /// The fetches that weigh devices, once they were read.
    private(set) var fetches: FetchCounter?

    /// - Parameters:
    ///   - request: What to do.
    ///   - work: What it is done for.
    ///   - progress: Told now and then how far the replay is.
    package init(_ request: ReplayRequest, work: Work, progress: Progress = Progress()) {
        self.request = request
        self.work = work
        self.progress = progress
    }

    /// Reads everything, judges it, and counts.
    ///
    /// - Returns: The figures, or the diagnostics that say why there are none.
    package mutating func run() -> ReplayOutcome { replay() }

    private mutating func replay() -> ReplayOutcome {
        do throws(ReplayFailure) {
            let queue = try CaptureQueue(request)
            try queue.checkUse(of: request.attestationOption)
            if queue.kind == .fetches {
                var replay = FetchReplay(request)
                return replay.run(queue)
            }
            let pipeline = try ReplayPipeline(work, request, queue: queue, progress: progress)
            pipeline.run()
            return outcome(of: pipeline)
        } catch {
            var outcome = ReplayOutcome()
            outcome.diagnostics.add(error.diagnostic)
            return outcome
        }
    }

    private mutating func outcome(of pipeline: ReplayPipeline<Work>) -> ReplayOutcome {
        do throws(ReplayFailure) {
            if let failure = pipeline.failure { throw failure }
            let outcome = try weighed(pipeline)
            try pipeline.finishFiles(areWhole: !outcome.diagnostics.hasErrors)
            return outcome
        } catch {
            // How far reading was when writing failed depends on the workers, so nothing is told of what was read.
            var outcome = ReplayOutcome(diagnostics: error.isOfOutput ? Diagnostics() : pipeline.diagnostics)
            outcome.diagnostics.add(error.diagnostic)
            return outcome
        }
    }

    private mutating func weighed(_ pipeline: ReplayPipeline<Work>) throws(ReplayFailure) -> ReplayOutcome {
        let figures = try request.fetchesPath.map { path throws(ReplayFailure) in try weights(path, pipeline) }
        guard !pipeline.diagnostics.hasErrors else { return ReplayOutcome(diagnostics: pipeline.diagnostics) }
        let result = pipeline.result(fetches: fetches)
        self.result = result
        for filter in result.figures.filters where filter.limitHits > 0 { pipeline.note { $0.noteLimit(filter) } }
        return ReplayOutcome(
            figures: result.figures, fetches: figures, attributes: pipeline.attributes,
            diagnostics: pipeline.diagnostics)
    }

    private mutating func weights(
        _ path: String, _ pipeline: ReplayPipeline<Work>
    ) throws(ReplayFailure) -> FetchFigures {
        let file = try ReplayFailure.wrapping { () throws(CaptureFailure) in try CaptureFile(path: path) }
        var counter = FetchCounter()
        let malformedCount = try pipeline.countFetches(file, into: &counter)
        var figures = counter.figures { pipeline.latestVerdict(of: $0) }
        figures.malformed = malformedCount
        fetches = counter
        return figures
    }
}

extension CaptureReplay<AccountWork> {
    /// A replay through the account of the request.
    package init(_ request: ReplayRequest, progress: Progress = Progress()) {
        self.init(
            request, work: AccountWork(request.account, keepsSeries: request.keepsSeries), progress: progress)
    }

    /// Reads everything, judges it, and counts.
    ///
    /// The same as for any work; here the compiler knows which, and makes code for it alone.
    package mutating func run() -> ReplayOutcome { replay() }
}
