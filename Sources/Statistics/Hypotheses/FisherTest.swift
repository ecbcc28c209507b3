/// Fisher's exact test of equal shares in two groups, given the number of units that have the property in both together.
///
/// Fisher, Statistical Methods for Research Workers, 5th edition (1934), section 21.02. It is valid for counts of any
/// size, and conservative. The mid-p, which counts half of the probability of the observed table (Lancaster,
/// "Significance tests in discrete distributions", JASA 56, 1961; Agresti, Categorical Data Analysis, section 3.5), is
/// less conservative, and may exceed the level slightly. Takes O(√n) steps.
package struct FisherTest: Sendable {
    private let distribution: HypergeometricDistribution
    private let count: Int

    package init(_ comparison: ProportionComparison) {
        let (group, reference) = (comparison.group, comparison.reference)
        count = group.count
        distribution = HypergeometricDistribution(
            marked: group.total, others: reference.total, drawn: group.count + reference.count)
    }

    /// The p-value against a larger share in the group: the probability of its count or a larger one.
    package var greater: Double { distribution.upperTail(count) }

    /// The p-value against a smaller share in the group: the probability of its count or a smaller one.
    package var less: Double { distribution.lowerTail(count) }

    /// ``greater`` with half of the probability of the observed count.
    package var greaterMidP: Double { distribution.upperTail(count + 1) + distribution.probability(of: count) / 2 }

    /// ``less`` with half of the probability of the observed count.
    package var lessMidP: Double { distribution.lowerTail(count - 1) + distribution.probability(of: count) / 2 }

    /// Twice the smaller of both mid-p values, at most 1.
    package var twoSidedMidP: Double { min(1, 2 * min(greaterMidP, lessMidP)) }

    /// The two-sided p-value: the probability of all counts that are at most as probable as the observed one.
    ///
    /// Probabilities that differ by a relative 1e-7 or less are equal, as in R.
    package var twoSided: Double {
        let bound = distribution.probability(of: count) * (1 + 1e-7)
        let (mode, support) = (distribution.mode, distribution.support)
        guard distribution.probability(of: mode) > bound else { return 1 }
        func isImprobable(_ count: Int) -> Bool { distribution.probability(of: count) <= bound }
        let below = Self.last(from: support.lowerBound - 1, to: mode, where: isImprobable)
        let above = Self.last(from: -support.upperBound - 1, to: -mode) { isImprobable(-$0) }
        return min(1, distribution.lowerTail(below) + distribution.upperTail(-above))
    }

    // The last number for which a condition holds; it is taken to hold at the start, and does not hold at the end.
    private static func last(from start: Int, to end: Int, where holds: (Int) -> Bool) -> Int {
        var (low, high) = (start, end)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if holds(middle) { low = middle } else { high = middle }
        }
        return low
    }
}
