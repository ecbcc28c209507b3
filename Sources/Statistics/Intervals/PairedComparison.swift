/// The same units before and after a change: how many have a property at one of both times only.
package struct PairedComparison: Hashable, Sendable {
    /// The units that have it after the change only.
    package let gained: Int
    /// The units that have it before the change only.
    package let lost: Int
    /// All units, 1 or more.
    package let total: Int

    /// - Returns: `nil` for a count below 0, more units than the total, or a total outside of 1 through
    ///   ``Proportion/limit``.
    package init?(gained: Int, lost: Int, of total: Int) {
        guard gained >= 0, Proportion(lost, of: total) != nil, gained <= total - lost else { return nil }
        (self.gained, self.lost, self.total) = (gained, lost, total)
    }

    /// The share of all units after the change minus that before it.
    package var difference: Double { share(gained) - share(lost) }

    /// The interval of the difference: the score interval (``scoreInterval(at:)``) where it covers as it should
    /// (``Confidence/allowsScores(of:)``), by both counts, and that of both exact intervals (``exactInterval(at:)``) otherwise.
    ///
    /// No change in the sample is no proof of none: for 0 and 0 of 2,000 at 95 % it is -0.184 % to 0.184 %.
    package func interval(at confidence: Confidence) -> ConfidenceInterval {
        confidence.allowsScores(of: min(gained, lost))
            ? scoreInterval(at: confidence) : exactInterval(at: confidence)
    }

    /// The same if further units are unknown, from the case that all of them lose the property to the case that all gain
    /// it.
    ///
    /// - Parameter unknown: The units that are not in the total; fewer than 0 count as none.
    /// - Returns: The interval; -1…1 for more units than ``Proportion/limit``.
    package func interval(at confidence: Confidence, unknown: Int) -> ConfidenceInterval {
        let unknown = max(unknown, 0)
        guard unknown <= Proportion.limit,
            let least = PairedComparison(gained: gained, lost: lost + unknown, of: total + unknown),
            let greatest = PairedComparison(gained: gained + unknown, lost: lost, of: total + unknown)
        else { return ConfidenceInterval(-1, 1) }
        return ConfidenceInterval(least.interval(at: confidence).lower, greatest.interval(at: confidence).upper)
    }

    /// The differences that the score test does not reject.
    ///
    /// Tango, "Equivalence test and confidence interval for the difference in proportions for the paired-sample design",
    /// Statistics in Medicine 17 (1998). Its coverage is close to the level, but 93 % instead of 95 % where few units
    /// change. About thirty evaluations of a closed formula.
    func scoreInterval(at confidence: Confidence) -> ConfidenceInterval {
        let z = confidence.twoSidedQuantile
        func end(_ level: Double) -> Double { RootFinder.root(in: -1...1) { score(of: $0) - level } }
        return ConfidenceInterval(end(z), end(-z))
    }

    /// The interval made of the exact intervals of both shares, of which one is taken from the other.
    ///
    /// The method of Newcombe's paired interval ("Improved confidence intervals for the difference between binomial
    /// proportions based on paired data", Statistics in Medicine 17, 1998), with the shares of units that change in place of
    /// those of units that have the property, and exact intervals: its coverage is at least the level where few units
    /// change, too.
    func exactInterval(at confidence: Confidence) -> ConfidenceInterval {
        func ends(_ count: Int) -> ConfidenceInterval {
            Proportion(count, of: total)?.exactInterval(at: confidence) ?? ConfidenceInterval(0, 1)
        }
        let (gain, loss) = (ends(gained), ends(lost))
        let down = length(share(gained) - gain.lower, loss.upper - share(lost))
        let up = length(gain.upper - share(gained), share(lost) - loss.lower)
        return ConfidenceInterval(difference - down, difference + up).clamped(to: -1...1)
    }

    private func share(_ count: Int) -> Double { Double(count) / Double(total) }

    // The two shares are of different units, so that they are correlated: by -√(pq / (1-p)(1-q)).
    private func length(_ one: Double, _ other: Double) -> Double {
        let rest = (1 - share(gained)) * (1 - share(lost))
        let correlation = rest > 0 ? -(share(gained) * share(lost) / rest).squareRoot() : 0
        return (one * one - 2 * correlation * one * other + other * other).squareRoot()
    }

    // The deviation of the difference from a supposed one, in standard errors at that one.
    private func score(of supposed: Double) -> Double {
        let deviation = difference - supposed
        guard deviation != 0 else { return 0 }
        let variance = 2 * likeliestLoss(supposed) + supposed * (1 - supposed)
        return deviation / max(variance / Double(total), 0).squareRoot()
    }

    // The maximum likelihood estimate of the share that is lost: the larger root of a quadratic equation, in the form
    // without cancellation.
    private func likeliestLoss(_ supposed: Double) -> Double {
        let b = (2 - difference) * supposed - share(gained) - share(lost)
        let c = -share(lost) * supposed * (1 - supposed)
        let root = max(b * b - 8 * c, 0).squareRoot()
        guard b > 0 else { return (root - b) / 4 }
        return -2 * c / (b + root)
    }
}
