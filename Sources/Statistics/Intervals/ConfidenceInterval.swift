/// The range of values that a sample does not exclude, with both ends.
package struct ConfidenceInterval: Hashable, Sendable {
    /// The lower end, -∞ where there is none.
    package let lower: Double
    /// The upper end, ∞ where there is none.
    package let upper: Double

    package init(_ lower: Double, _ upper: Double) { (self.lower, self.upper) = (lower, upper) }

    /// True for a value between the ends, or at one.
    package func contains(_ value: Double) -> Bool { lower <= value && value <= upper }

    /// The interval with each end moved into a range of possible values.
    package func clamped(to range: ClosedRange<Double>) -> ConfidenceInterval {
        func clamp(_ end: Double) -> Double { min(max(end, range.lowerBound), range.upperBound) }
        return ConfidenceInterval(clamp(lower), clamp(upper))
    }
}
