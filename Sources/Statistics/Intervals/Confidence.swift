/// A confidence level: the share of samples whose interval contains the true value.
package struct Confidence: Hashable, Sendable {
    /// The share of samples whose interval does not contain it, α, above 0 and below 1.
    package let significance: Double

    /// The level, such as 0.95.
    package var level: Double { 1 - significance }

    /// - Parameter level: A share such as 0.95.
    /// - Returns: `nil` unless it is above 0 and below 1.
    package init?(_ level: Double) { self.init(significance: 1 - level) }

    /// - Parameter significance: A share such as 0.05.
    /// - Returns: `nil` unless it is above 0 and below 1.
    package init?(significance: Double) {
        guard significance > 0, significance < 1 else { return nil }
        self.significance = significance
    }

    private init(part significance: Double) { self.significance = significance }

    /// The level at which each of several bounds must hold so that all of them hold together at this level, however they
    /// depend on each other.
    ///
    /// Bonferroni's correction: α/m for each of m bounds. It is this level for fewer than two bounds.
    package func shared(among count: Int) -> Confidence { Confidence(part: significance / Double(max(count, 1))) }

    /// The normal quantile for a one-sided bound, such as 1.645 for 95 %.
    package var oneSidedQuantile: Double { -NormalDistribution.quantile(significance) }

    /// The normal quantile for a two-sided interval, such as 1.960 for 95 %.
    package var twoSidedQuantile: Double { -NormalDistribution.quantile(significance / 2) }
}
