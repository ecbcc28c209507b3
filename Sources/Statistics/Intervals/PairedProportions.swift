/// A property of the same units before and after, such as devices under two accounts.
package struct PairedProportions: Hashable, Sendable {
    /// The units that have the property after, and did not before.
    package let gained: Int
    /// The units that had it before, and do not after.
    package let lost: Int
    /// All units, 1 or more.
    package let total: Int

    /// - Returns: `nil` unless the counts are 0 or more and together at most the total, and that one of 1 through
    ///   ``Proportion/limit``.
    package init?(gained: Int, lost: Int, of total: Int) {
        guard gained >= 0, lost >= 0, (1...Proportion.limit).contains(total), gained <= total, lost <= total - gained
        else { return nil }
        (self.gained, self.lost, self.total) = (gained, lost, total)
    }

    /// The share after minus the share before.
    package var difference: Double { (Double(gained) - Double(lost)) / Double(total) }

    /// The score interval of the difference.
    ///
    /// Tango, "Equivalence test and confidence interval for the difference in proportions for the paired-sample design",
    /// Statistics in Medicine 17 (1998): the differences that the score test does not reject. It depends only on the
    /// total and on the units that change; Newcombe's interval for paired shares (1998, same volume) also needs the
    /// number of units that have the property both times. Its coverage is close to the level even if few units change
    /// (Fagerland, Lydersen, Laake, Statistics in Medicine 33, 2014), and its ends are in -1…1. Takes about thirty
    /// evaluations of a closed formula.
    package func differenceInterval(at confidence: Confidence) -> ConfidenceInterval {
        let z = confidence.twoSidedQuantile
        let lower = RootFinder.root(in: -1...difference) { score(ofDifference: $0) - z }
        let upper = RootFinder.root(in: difference...1) { score(ofDifference: $0) + z }
        return ConfidenceInterval(lower, upper)
    }

    // The deviation from a difference, in standard errors at that difference.
    private func score(ofDifference difference: Double) -> Double {
        let (gained, lost, total) = (Double(gained), Double(lost), Double(total))
        let deviation = gained - lost - total * difference
        guard deviation != 0 else { return 0 }
        // The maximum likelihood estimate of the probability of losing the property: the larger root of 2n p² + b p + c.
        let b = (2 * total - gained + lost) * difference - gained - lost
        let c = -lost * difference * (1 - difference)
        let root = max(b * b - 8 * total * c, 0).squareRoot()
        let likeliest = b > 0 ? -2 * c / (b + root) : (root - b) / (4 * total)
        let variance = total * (2 * likeliest + difference * (1 - difference))
        return deviation / max(variance, 0).squareRoot()
    }
}
