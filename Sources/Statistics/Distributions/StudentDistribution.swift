/// Student's t distribution.
package struct StudentDistribution: Hashable, Sendable {
    private let degrees: Double

    /// - Parameter degrees: The degrees of freedom, which need not be whole.
    /// - Returns: `nil` unless they are above 0 and finite.
    package init?(degrees: Double) {
        guard degrees > 0, degrees.isFinite else { return nil }
        self.degrees = degrees
    }

    /// The value t for which a share `p` of all values is below -t or above t.
    ///
    /// t²/(ν + t²) has a beta distribution of ½ and ν/2 (Abramowitz and Stegun, 26.5.27 and 26.7.1), and ν/(ν + t²) one
    /// of ν/2 and ½; the quotient of their quantiles is accurate for any ν. It is ∞ for 0 or less, and 0 for 1 or more.
    /// Its error and cost are those of two quantiles of ``BetaDistribution``.
    package func quantile(bothTails p: Double) -> Double {
        guard p > 0, let part = BetaDistribution(0.5, degrees / 2), let rest = BetaDistribution(degrees / 2, 0.5) else {
            return .infinity
        }
        return (degrees * part.quantile(upperTail: p) / rest.quantile(lowerTail: p)).squareRoot()
    }
}
