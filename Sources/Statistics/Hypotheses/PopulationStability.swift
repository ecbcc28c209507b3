/// The population stability index: the distance between the shares of categories in two samples.
package struct PopulationStability: Hashable, Sendable {
    /// Σ (p - q) ln(p/q) over the categories; 0 for equal shares.
    package let index: Double
    private let categories: Int
    private let noise: Double

    /// Compares counts by category.
    ///
    /// Siddiqi, Credit Risk Scorecards (2006), chapter 9. Half a unit is added to each count, so that the index is finite
    /// if a category is missing in one sample. The usual thresholds, 0.1 for a moderate and 0.25 for a large change, do
    /// not depend on sample sizes; compare with ``chanceLevel(at:)``. Takes O(k) for k categories.
    ///
    /// - Returns: `nil` for lists that differ in length, a count below 0, or a sample of nothing or of more than
    ///   ``Proportion/limit``.
    package init?(_ first: [Int], _ second: [Int]) {
        guard let samples = CategoryCounts(first, second) else { return nil }
        let added = Double(samples.pairs.count) / 2
        index = samples.pairs.reduce(0) { sum, pair in
            let (p, q) = ((pair.0 + 0.5) / (samples.first + added), (pair.1 + 0.5) / (samples.second + added))
            return sum + (p - q) * (p / q).logarithm
        }
        categories = samples.pairs.count
        noise = 1 / samples.first + 1 / samples.second
    }

    /// The index that two samples of the same population do not exceed, with the probability of the level.
    ///
    /// (1/n + 1/m) times a quantile of chi-square with k - 1 degrees of freedom (Yurdakul, Naranjo, "Statistical
    /// properties of the population stability index", Journal of Risk Model Validation 14, 2020), for samples with
    /// several units of each category.
    package func chanceLevel(at confidence: Confidence) -> Double {
        guard let distribution = ChiSquareDistribution(degrees: categories - 1) else { return 0 }
        return noise * distribution.quantile(upperTail: confidence.significance)
    }
}

/// The counts of two samples by category.
struct CategoryCounts {
    let pairs: [(Double, Double)]
    /// The size of each sample.
    let first: Double
    let second: Double

    /// - Returns: `nil` for lists that differ in length, a count below 0, or a sample of nothing or of more than
    ///   ``Proportion/limit``.
    init?(_ first: [Int], _ second: [Int]) {
        guard first.count == second.count, let one = Self.total(first), let other = Self.total(second) else {
            return nil
        }
        (self.first, self.second) = (one, other)
        pairs = zip(first, second).map { (Double($0), Double($1)) }
    }

    private static func total(_ counts: [Int]) -> Double? {
        var total = 0
        for count in counts {
            guard (0...Proportion.limit - total).contains(count) else { return nil }
            total += count
        }
        return total > 0 ? Double(total) : nil
    }
}
