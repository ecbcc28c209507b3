/// A count among a total of independent units, such as devices of a sample that is small beside all devices.
package struct Proportion: Hashable, Sendable {
    /// The units that have the property.
    package let count: Int
    /// All units, 1 or more.
    package let total: Int

    /// The largest total; whole numbers up to it are exact as floating-point numbers.
    package static let limit = 1 << 53

    /// - Returns: `nil` unless the count is one of 0 through the total, and that one of 1 through ``limit``.
    package init?(_ count: Int, of total: Int) {
        guard (1...Self.limit).contains(total), (0...total).contains(count) else { return nil }
        (self.count, self.total) = (count, total)
    }

    /// The observed share.
    package var share: Double { Double(count) / Double(total) }

    /// Wilson's score interval: the shares p with |x/n - p| ≤ z √(p(1-p)/n).
    ///
    /// Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927). Its average
    /// coverage over shares is close to the level even for small samples (Brown, Cai, DasGupta, "Interval estimation for
    /// a binomial proportion", Statistical Science 16, 2001). For some shares near 0 and 1 it is lower: 84 % instead of
    /// 95 % just below 0.18/n. Use ``upperBound(at:)`` to test a limit. Takes constant time.
    package func scoreInterval(at confidence: Confidence) -> ConfidenceInterval {
        ScoreInterval(share: share, size: Double(total)).interval(quantile: confidence.twoSidedQuantile)
    }

    /// The usual interval: Wilson's, or the exact one-sided bound if none or all of the units have the property.
    ///
    /// For 0 of n it is at most 1 - α^(1/n): for 0 of 2,000 at 95 %, at most 0.150 %. Takes constant time.
    package func interval(at confidence: Confidence) -> ConfidenceInterval {
        if count == 0 { return ConfidenceInterval(0, upperBound(at: confidence)) }
        if count == total { return ConfidenceInterval(lowerBound(at: confidence), 1) }
        return scoreInterval(at: confidence)
    }

    /// The interval if the property of further units is unknown, from the case that none of them has it to the case that
    /// all have it.
    ///
    /// Manski, Partial Identification of Probability Distributions (2003), chapter 1: the ends are those of the two
    /// extreme samples. Takes constant time.
    ///
    /// - Parameter unknown: The units that are not in the total; fewer than 0 count as none.
    /// - Returns: The interval; 0…1 for more units than ``limit``.
    package func interval(at confidence: Confidence, unknown: Int) -> ConfidenceInterval {
        let unknown = max(unknown, 0)
        guard unknown <= Self.limit, let none = Proportion(count, of: total + unknown),
            let all = Proportion(count + unknown, of: total + unknown)
        else { return ConfidenceInterval(0, 1) }
        return ConfidenceInterval(none.interval(at: confidence).lower, all.interval(at: confidence).upper)
    }
}

/// Wilson's interval for a sample size that need not be whole.
struct ScoreInterval {
    let share: Double
    /// Above 0.
    let size: Double

    func interval(quantile z: Double) -> ConfidenceInterval {
        let square = z * z / size
        let centre = (share + square / 2) / (1 + square)
        let half = (square * (share * (1 - share) + square / 4)).squareRoot() / (1 + square)
        return ConfidenceInterval(share <= 0 ? 0 : centre - half, share >= 1 ? 1 : centre + half)
    }
}
