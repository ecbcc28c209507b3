package import Documents
package import Figures

extension ReplayRequest {
    /// Replays the captures through the account.
    ///
    /// - Parameter progress: Shows from time to time how far the replay is.
    package func run(progress: Progress = Progress()) -> ReplaySummary {
        var replay = CaptureReplay(self, progress: progress)
        return checkingLabels(replay.run())
    }

    /// Replays the captures through the account for the devices of a part.
    ///
    /// - Parameter progress: Shows from time to time how far the replay is.
    /// - Returns: The part, unless the input was refused; and what a replay reports.
    package func runPart(progress: Progress = Progress()) -> (part: ReplayPart?, summary: ReplaySummary) {
        var replay = CaptureReplay(self, progress: progress)
        return part(of: checkingLabels(replay.run()), replay.unfinished)
    }

    // With errors for labels that contradict each other.
    private func checkingLabels(_ summary: ReplaySummary) -> ReplaySummary {
        var summary = summary
        if let labels { summary.diagnostics.add(summary.figures?.labels?.problems(in: labels.path) ?? []) }
        return summary
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
