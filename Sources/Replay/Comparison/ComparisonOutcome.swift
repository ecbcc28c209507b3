package import Documents
package import PolicyEngine

/// What a comparison came to.
package struct ComparisonOutcome: Sendable {
    /// The result; `nil` when the input was refused.
    package var comparison: Comparison?
    /// The attributes that the accounts ask for and some record or device has, by their keys.
    package var attributes: Set<ExactText> = []
    /// What is wrong with the input, or worth knowing.
    package var diagnostics = Diagnostics()

    package init(
        comparison: Comparison? = nil, attributes: Set<ExactText> = [], diagnostics: Diagnostics = Diagnostics()
    ) {
        self.comparison = comparison
        self.attributes = attributes
        self.diagnostics = diagnostics
    }
}
