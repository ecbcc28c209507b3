package import Documents
package import Figures

extension ReplayRequest {
    /// Replays the captures through the account, with the work that what is asked for takes.
    ///
    /// - Parameter progress: Shows from time to time how far the replay is.
    package func run(progress: Progress = Progress()) -> ReplaySummary {
        guard let labels else {
            var replay = CaptureReplay(self, progress: progress)
            return replay.run()
        }
        var replay = CaptureReplay(self, work: labelling(labels), progress: progress)
        return replay.run().checked(labels)
    }

    private func labelling(_ labels: Labels) -> LabellingWork<AccountWork> {
        LabellingWork(AccountWork(account, keepsSeries: keepsSeries, keepsMoments: keepsMoments), labels)
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
        var replay = CaptureReplay(self, work: labelling(labels), progress: progress)
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
}

extension ReplaySummary {
    // With errors for labels that contradict each other.
    fileprivate func checked(_ labels: Labels) -> ReplaySummary {
        var summary = self
        summary.diagnostics.add(figures?.labels?.problems(in: labels.path) ?? [])
        return summary
    }
}
