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

    /// The units that do not have the property, of all units.
    package var others: Proportion { Proportion(counted: total - count, of: total) }

    private init(counted count: Int, of total: Int) { (self.count, self.total) = (count, total) }

    /// The usual interval: Wilson's where it covers as it should (``Confidence/allowsScores(of:)``), by the units that have the
    /// property and by those that do not, and the exact one otherwise.
    ///
    /// It is two-sided for none and all, too: for 0 of 2,000 at 95 % it is 0 to 0.184 %.
    package func interval(at confidence: Confidence) -> ConfidenceInterval {
        confidence.allowsScores(of: min(count, total - count))
            ? scoreInterval(at: confidence) : exactInterval(at: confidence)
    }

    /// Wilson's score interval: the shares p with |x/n - p| ≤ z √(p(1-p)/n).
    ///
    /// Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927). Its average
    /// coverage over shares is close to the level even for small samples (Brown, Cai, DasGupta, "Interval estimation for
    /// a binomial proportion", Statistical Science 16, 2001). For some shares near 0 and 1 it is lower: 84 % instead of
    /// 95 % just below 0.18/n. Takes constant time.
    package func scoreInterval(at confidence: Confidence) -> ConfidenceInterval {
        let z = confidence.twoSidedQuantile
        let square = z * z / Double(total)
        let centre = (share + square / 2) / (1 + square)
        let half = (square * (share * (1 - share) + square / 4)).squareRoot() / (1 + square)
        return ConfidenceInterval(count == 0 ? 0 : centre - half, count == total ? 1 : centre + half)
    }

    // MARK: Units of which it is not known whether they have the property

    /// The interval if the property of further units is unknown, from the case that none of them has it to the case that
    /// all have it.
    ///
    /// Manski, Partial Identification of Probability Distributions (2003), chapter 1: the ends are those of the two
    /// extreme samples. Takes constant time.
    ///
    /// - Parameter unknown: The units that are not in the total; fewer than 0 count as none.
    /// - Returns: The interval; 0…1 for more units than ``limit``.
    package func interval(at confidence: Confidence, unknown: Int) -> ConfidenceInterval {
        guard let (none, all) = extremes(unknown: unknown) else { return ConfidenceInterval(0, 1) }
        return ConfidenceInterval(none.interval(at: confidence).lower, all.interval(at: confidence).upper)
    }

    /// The samples in which none of further units has the property, and in which all have it.
    ///
    /// The lower bound of the one and the upper bound of the other hold whatever those units are.
    ///
    /// - Parameter unknown: The units that are not in the total; fewer than 0 count as none.
    /// - Returns: `nil` for more units than ``limit``.
    package func extremes(unknown: Int) -> (none: Proportion, all: Proportion)? {
        let unknown = max(unknown, 0)
        guard unknown <= Self.limit, let none = Proportion(count, of: total + unknown),
            let all = Proportion(count + unknown, of: total + unknown)
        else { return nil }
        return (none, all)
    }
}
