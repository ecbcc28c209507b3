internal import PolicyEngine

/// Counts that grow over time, as a line for each, with spans of time behind them.
struct CurvePlot: Sendable {
    /// The subject of the plot, in a sentence.
    let title: String
    let from: Instant
    /// Later than ``from``.
    let to: Instant
    /// The unit of the counts: `devices`.
    let unit: String
    /// The last one is above the others.
    let lines: [Line]
    let bands: [Band]
    /// The moment that the plot is about.
    var mark: Mark?
    /// True beside other blocks, where it has less room.
    var isLow = false

    /// A count over time: each point holds until the next.
    struct Line: Sendable {
        let name: String
        let tone: ReportPlot.Tone
        let points: [(time: Instant, count: Int)]
    }

    /// A span of time up to the next one.
    struct Band: Sendable {
        let name: String
        let from: Instant
    }

    /// A moment, and the count of the last line then.
    struct Mark: Sendable {
        let time: Instant
        /// `noticed by Tue 00:51`
        let words: String
        /// `in 90 % of 200 runs`
        let more: String
        let count: Int
        /// `5 newly rejected`
        let countWords: String
    }
}
