internal import Replay

/// Why an account decided as it did on one device; the figures count that device alone.
struct ExplainingResult: ReplayResult {
    var figures: Figures
    /// In the order of time.
    var explanations: [Explanation]

    mutating func merge(_ other: ExplainingResult) {
        figures.add(other.figures)
        // All of them come from one shard.
        explanations += other.explanations
    }
}
