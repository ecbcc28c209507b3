package import Documents

/// What a replay came to.
package struct ReplayOutcome: Sendable {
    /// What was counted; `nil` when the input was refused.
    package var figures: Figures?
    /// How often devices fetched, where captures of fetches were read.
    package var fetches: FetchFigures?
    /// What is wrong with the input, or worth knowing.
    package var diagnostics = Diagnostics()
}
