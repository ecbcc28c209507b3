package import Documents
package import PolicyEngine

/// What a replay came to.
package struct ReplayOutcome: Sendable {
    /// What was counted; `nil` when the input was refused.
    package var figures: Figures?
    /// How often devices fetched, where captures of fetches were read.
    package var fetches: FetchFigures?
    /// The attributes that accounts and reports ask for and some record has, by their keys.
    package var attributes: Set<ExactText> = []
    /// What is wrong with the input, or worth knowing.
    package var diagnostics = Diagnostics()
}
