/// Pearson's chi-square test of equal shares of categories in two samples.
package struct HomogeneityTest: Hashable, Sendable {
    /// Σ (observed - expected)² / expected, over both samples.
    package let statistic: Double
    /// The degrees of freedom: the number of compared categories, less 1.
    package let degrees: Int
    /// The number of rare categories that were compared as one.
    package let pooled: Int

    /// Compares counts by category.
    ///
    /// The rarest categories are combined until five units are expected in each sample (Cochran, "Some methods for
    /// strengthening the common χ² tests", Biometrics 10, 1954): the chi-square distribution does not fit smaller
    /// expectations. Takes O(k log k) for k categories.
    ///
    /// - Parameters:
    ///   - first: The counts of one sample.
    ///   - second: Those of the other, by the same categories.
    /// - Returns: `nil` for lists that differ in length, a count below 0, or a sample of nothing or of more than
    ///   ``Proportion/limit``.
    package init?(_ first: [Int], _ second: [Int]) {
        guard let samples = CategoryCounts(first, second) else { return nil }
        let part = min(samples.first, samples.second) / (samples.first + samples.second)
        func isRare(_ counts: (Double, Double)) -> Bool { (counts.0 + counts.1) * part < Self.leastExpected }
        var (pool, pooled, compared) = ((0.0, 0.0), 0, [(Double, Double)]())
        for counts in samples.rarestFirst {
            if isRare(counts) || pooled > 0 && isRare(pool) {
                pool = (pool.0 + counts.0, pool.1 + counts.1)
                pooled += 1
            } else {
                compared.append(counts)
            }
        }
        if pooled > 0 { compared.append(pool) }
        statistic = compared.reduce(0) { $0 + samples.deviation($1) }
        (self.pooled, degrees) = (pooled, compared.count - 1)
    }

    private static let leastExpected = 5.0

    /// The probability of this statistic or a larger one if the shares are equal; 1 if there is only one category.
    package var pValue: Double { ChiSquareDistribution(degrees: degrees)?.upperTail(statistic) ?? 1 }
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

    /// The categories that occur, in the order of their counts.
    var rarestFirst: [(Double, Double)] { pairs.filter { $0 + $1 > 0 }.sorted { $0.0 + $0.1 < $1.0 + $1.1 } }

    /// The part of a category in the chi-square statistic.
    func deviation(_ counts: (Double, Double)) -> Double {
        let difference = counts.0 * second - counts.1 * first
        return difference * difference / (first * second * (counts.0 + counts.1))
    }
}
