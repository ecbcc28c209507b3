/// The shares of two groups that have no unit in common.
package struct ProportionComparison: Hashable, Sendable {
    /// The group of interest.
    package let group: Proportion
    /// The group that it is compared with.
    package let reference: Proportion

    package init(_ group: Proportion, to reference: Proportion) { (self.group, self.reference) = (group, reference) }

    /// The share in the group minus that in the reference.
    package var difference: Double { group.share - reference.share }

    /// The interval of the difference, made of the usual intervals of both shares (``Proportion/interval(at:)``).
    ///
    /// If these are score intervals it is the hybrid score interval of Newcombe, "Interval
    /// estimation for the difference between independent proportions: comparison of eleven methods", Statistics in Medicine
    /// 17 (1998), method 10. Exact intervals in place of Wilson's keep its coverage near the level where few units have the
    /// property, too. Its ends are in -1…1.
    package func differenceInterval(at confidence: Confidence) -> ConfidenceInterval {
        differenceInterval { $0.interval(at: confidence) }
    }

    /// The interval of the difference by method 10 itself, whose coverage is 87 % instead of 95 % for some rare properties.
    func scoreDifferenceInterval(at confidence: Confidence) -> ConfidenceInterval {
        differenceInterval { $0.scoreInterval(at: confidence) }
    }

    private func differenceInterval(_ interval: (Proportion) -> ConfidenceInterval) -> ConfidenceInterval {
        let (mine, its) = (interval(group), interval(reference))
        let down = Self.length(group.share - mine.lower, its.upper - reference.share)
        let up = Self.length(mine.upper - group.share, reference.share - its.lower)
        return ConfidenceInterval(difference - down, difference + up)
    }

    private static func length(_ one: Double, _ other: Double) -> Double { (one * one + other * other).squareRoot() }

    /// The share in the group divided by that in the reference: the risk ratio. It is ∞ where only the reference has
    /// none, and `nil` where both have none.
    package var ratio: Double? {
        guard reference.count > 0 else { return group.count > 0 ? .infinity : nil }
        return group.share / reference.share
    }

    /// The score interval of the ratio.
    ///
    /// Koopman, "Confidence intervals for the ratio of two binomial proportions", Biometrics 40 (1984): the ratios that
    /// the score test does not reject, with the maximum likelihood estimates of both shares, given the ratio, in its
    /// variance. Katz's interval of the logarithm is simpler, but does not exist if a count is 0, which is common for
    /// rare events, and its coverage is farther from the level for small counts.
    ///
    /// - Returns: The interval; its lower end is 0 if the group has none, and its upper end is ∞ if the reference has
    ///   none.
    /// - Complexity: About thirty evaluations of a closed formula.
    package func ratioInterval(at confidence: Confidence) -> ConfidenceInterval {
        let z = confidence.twoSidedQuantile
        // For counts up to the limit, all other ends are within e^±50.
        func end(_ level: Double) -> Double {
            RootFinder.root(in: -50...50) { score(ofRatio: $0.exponential) - level }.exponential
        }
        return ConfidenceInterval(group.count == 0 ? 0 : end(z), reference.count == 0 ? .infinity : end(-z))
    }

    // The deviation of the group's share from the ratio times that of the reference, in standard errors at that ratio.
    private func score(ofRatio ratio: Double) -> Double {
        let deviation = group.share - ratio * reference.share
        guard deviation != 0 else { return 0 }
        let (size, otherSize) = (Double(group.total), Double(reference.total))
        let likeliest = likeliestReferenceShare(ofRatio: ratio)
        let mine = ratio * likeliest
        let variance = mine * (1 - mine) / size + ratio * ratio * likeliest * (1 - likeliest) / otherSize
        return deviation / max(variance, 0).squareRoot()
    }

    // The maximum likelihood estimate: the smaller root of a quadratic equation, in the form without cancellation.
    private func likeliestReferenceShare(ofRatio ratio: Double) -> Double {
        let (count, otherCount) = (Double(group.count), Double(reference.count))
        let (size, otherSize) = (Double(group.total), Double(reference.total))
        let a = ratio * (size + otherSize)
        let b = ratio * (size + otherCount) + count + otherSize
        let c = count + otherCount
        let root = 2 * c / (b + max(b * b - 4 * a * c, 0).squareRoot())
        return min(root, 1, 1 / ratio)
    }
}
