package import Documents
package import Figures

extension ReplayRequest {
    /// Replays the captures through the account, with the work that what is asked for takes.
    ///
    /// - Parameter progress: Shows from time to time how far the replay is.
    package func run(progress: Progress = Progress()) -> ReplaySummary {
        if tokensPath != nil {
            return run(TokenWork(account, keepsSeries: keepsSeries, keepsMoments: keepsMoments), progress)
        }
        let work = AccountWork(account, keepsSeries: keepsSeries, keepsMoments: keepsMoments)
        guard decisionKeys.isEmpty else {
            var replay = CaptureReplay(self, work: CarryingWork(work, keys: decisionKeys), progress: progress)
            return replay.run()
        }
        if let labels { return run(LabellingWork(work, labels), progress).checked(labels) }
        guard counting == nil else { return run(work, progress) }
        var replay = CaptureReplay(self, progress: progress)
        return replay.run()
    }

    /// Replays the captures through the account for the devices of a part.
    ///
    /// - Parameter progress: Shows from time to time how far the replay is.
    /// - Returns: The part, unless the input was refused; and what a replay reports.
    package func runPart(progress: Progress = Progress()) -> (part: ReplayPart?, summary: ReplaySummary) {
        guard let labels else {
            var replay = CaptureReplay(self, progress: progress)
            return part(of: replay.run(), replay.unfinished)
        }
        let work = LabellingWork(
            AccountWork(account, keepsSeries: keepsSeries, keepsMoments: keepsMoments), labels)
        var replay = CaptureReplay(self, work: work, progress: progress)
        return part(of: replay.run().checked(labels), replay.unfinished)
    }

    private func part(
        of summary: ReplaySummary, _ unfinished: DoubtedFigures<Figures>?
    ) -> (part: ReplayPart?, summary: ReplaySummary) {
        guard let figures = summary.figures else { return (nil, summary) }
        // Captures of fetches alone have figures of nothing else.
        var result = unfinished ?? DoubtedFigures(Figures())
        result.value.frequencies = nil
        return (ReplayPart(result, malformed: figures.malformed, fetches: summary.fetches), summary)
    }

    private func run(_ work: some ReplayWork, _ progress: Progress) -> ReplaySummary {
        guard let counting else {
            var replay = CaptureReplay(self, work: work, progress: progress)
            return replay.run()
        }
        var replay = CaptureReplay(self, work: CountingWork(work, counting), progress: progress)
        return replay.run()
    }
}

extension ReplaySummary {
    // With errors for labels that contradict each other.
    fileprivate func checked(_ labels: Labels) -> ReplaySummary {
        var summary = self
        summary.diagnostics.add(figures?.labels?.problems(in: labels.path) ?? [])
        return summary
    }
}
