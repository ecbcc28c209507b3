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

    /// True if score intervals cover as they should where a count is the least of those that decide: 10 or more, at levels up to
    /// 99 %. Above them, as many intervals need that hold together, 10 units of 3.5 expected are outside 18 times too often.
    func allowsScores(of count: Int) -> Bool { count >= 10 && significance >= 0.01 }

    /// The normal quantile for a two-sided interval, such as 1.960 for 95 %.
    package var twoSidedQuantile: Double { -NormalDistribution.quantile(significance / 2) }
}
