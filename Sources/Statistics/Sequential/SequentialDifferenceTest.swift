/// A sequential test of equal shares of successes in two streams, which may be evaluated after every observation.
///
/// The mixture sequential probability ratio test: the alternative is a normal distribution of the difference around 0,
/// and the observed difference is approximately normal with its estimated variance (Johari, Koomen, Pekelis, Walsh,
/// "Always valid inference: continuous monitoring of A/B tests", Operations Research 70, 2022; here for streams of
/// different length). The probability that the p-value ever falls to α is about α at most. The approximation needs
/// counts: the p-value is 1 until each stream has ``leastCount`` successes and failures. If the share of one stream among
/// both is known, ``SequentialShareTest`` is exact, and faster for rare events.
package struct SequentialDifferenceTest: Hashable, Sendable {
    /// The two streams.
    package enum Stream: Hashable, Sendable {
        case first
        case second
    }

    /// The number of successes and of failures that each stream needs before it is evaluated.
    package static let leastCount = 10.0

    /// The smallest p-value so far.
    package private(set) var pValue = 1.0
    private var first = Counts()
    private var second = Counts()
    private let mixingVariance: Double

    private struct Counts: Hashable {
        var yes = 0.0
        var no = 0.0

        var total: Double { yes + no }
        var share: Double { yes / total }
        var variance: Double { share * (1 - share) / total }
        var isEnough: Bool { min(yes, no) >= leastCount }

        mutating func add(_ successes: Int, _ failures: Int) {
            yes += Double(max(successes, 0))
            no += Double(max(failures, 0))
        }
    }

    /// - Parameter typicalDifference: The standard deviation τ of the difference under the alternative, above 0 and
    ///   finite. Differences of about this size are detected fastest; the level holds for any τ.
    /// - Returns: `nil` for other values.
    package init?(typicalDifference: Double) {
        mixingVariance = typicalDifference * typicalDifference
        guard typicalDifference > 0, mixingVariance > 0, mixingVariance.isFinite else { return nil }
    }

    /// Takes an observation of one stream. Takes constant time.
    package mutating func observe(_ isSuccess: Bool, in stream: Stream) {
        observe(successes: isSuccess ? 1 : 0, failures: isSuccess ? 0 : 1, in: stream)
    }

    /// Takes several observations at once, without evaluating between them; numbers below 0 count as 0.
    package mutating func observe(successes: Int, failures: Int, in stream: Stream) {
        switch stream {
        case .first: first.add(successes, failures)
        case .second: second.add(successes, failures)
        }
        pValue = min(pValue, (-logarithmOfRatio).exponential)
    }

    /// The share of the first stream minus that of the second; `nil` before both have an observation.
    package var difference: Double? {
        first.total > 0 && second.total > 0 ? first.share - second.share : nil
    }

    /// The differences that are not excluded now. The intervals of all times together contain the true difference at the
    /// level.
    ///
    /// d ± √(2 v (v + τ²)/τ² · (ln(1/α) + ½ ln((v + τ²)/v))), with the variance v of the difference; -1…1 as long as
    /// there are too few counts.
    package func interval(at confidence: Confidence) -> ConfidenceInterval {
        guard isEnough else { return ConfidenceInterval(-1, 1) }
        let (sum, difference) = (variance + mixingVariance, first.share - second.share)
        let level = 0.5 * (sum / variance).logarithm - confidence.significance.logarithm
        let half = (2 * variance * sum / mixingVariance * level).squareRoot()
        return ConfidenceInterval(difference - half, difference + half).clamped(to: -1...1)
    }

    private var isEnough: Bool { first.isEnough && second.isEnough }
    private var variance: Double { first.variance + second.variance }

    // ½ ln(v/(v + τ²)) + τ² d² / (2 v (v + τ²))
    private var logarithmOfRatio: Double {
        guard isEnough else { return 0 }
        let (sum, difference) = (variance + mixingVariance, first.share - second.share)
        return 0.5 * (variance / sum).logarithm + mixingVariance * difference * difference / (2 * variance * sum)
    }
}
