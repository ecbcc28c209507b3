// Exact bounds (Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
// Biometrika 26, 1934), whose coverage is at least the level. Each is a quantile of a beta distribution, and takes about
// ten evaluations of it; for a count of none or all it takes constant time.
extension Proportion {
    /// The greatest share for which this count or a smaller one has a probability of at least α; 1 if all units have the
    /// property.
    package func upperBound(at confidence: Confidence) -> Double { upperBound(significance: confidence.significance) }

    /// The least share for which this count or a larger one has a probability of at least α; 0 if no unit has the
    /// property.
    package func lowerBound(at confidence: Confidence) -> Double { lowerBound(significance: confidence.significance) }

    /// Both bounds, each with α/2.
    package func exactInterval(at confidence: Confidence) -> ConfidenceInterval {
        let half = confidence.significance / 2
        return ConfidenceInterval(lowerBound(significance: half), upperBound(significance: half))
    }

    /// The p-value of the hypothesis that the true share is `limit` or more: the probability of this count or a smaller
    /// one at the limit.
    ///
    /// It is at most α if and only if ``upperBound(at:)`` is at most the limit. It is 1 for a limit of 0 or less, and 0
    /// for a limit of 1 or more unless all units have the property.
    package func pValue(ofAtLeast limit: Double) -> Double {
        BinomialDistribution(trials: total, probability: min(max(limit, 0), 1))?.lowerTail(count) ?? 1
    }

    private func upperBound(significance: Double) -> Double {
        if count == 0 { return Self.boundOfNone(total, significance) }
        let beta = BetaDistribution(Double(count) + 1, Double(total - count))
        return beta?.quantile(upperTail: significance) ?? 1
    }

    private func lowerBound(significance: Double) -> Double {
        if count == total { return 1 - Self.boundOfNone(total, significance) }
        let beta = BetaDistribution(Double(count), Double(total - count) + 1)
        return beta?.quantile(lowerTail: significance) ?? 0
    }

    // 1 - α^(1/n)
    private static func boundOfNone(_ total: Int, _ significance: Double) -> Double {
        -(significance.logarithm / Double(total)).exponentialMinusOne
    }
}
