/// A sequential test of a known share of successes in a stream, which may be evaluated after every observation.
///
/// The probability that the p-value ever falls to α is at most α, for streams of any length, without approximation. The
/// ratio of the likelihood under a uniform distribution of the share to that under the known share, 1 / ((n + 1) b(k; n,
/// p)) with the binomial probability b, is a martingale (Robbins, "Statistical methods related to the law of the iterated
/// logarithm", Annals of Mathematical Statistics 41, 1970). It is the mixture sequential probability ratio test of
/// Johari, Koomen, Pekelis and Walsh ("Always valid inference", Operations Research 70, 2022) for Bernoulli streams.
///
/// To compare a random part of all units with the rest, observe each failing unit of both once: if there is no
/// difference, it is in the part with the probability of the part's share, even if the rate of failures changes with time
/// (Lindon, Malek, "Anytime-valid inference for multinomial count data", NeurIPS 2022).
package struct SequentialShareTest: Hashable, Sendable {
    /// The share that is tested.
    package let share: Double
    /// The smallest p-value so far, at most 1.
    package private(set) var pValue = 1.0
    private var successes = 0.0
    private var failures = 0.0

    /// - Parameter share: The share under the hypothesis, above 0 and below 1.
    /// - Returns: `nil` for another share.
    package init?(share: Double) {
        guard share > 0, share < 1 else { return nil }
        self.share = share
    }

    /// Takes an observation. Takes constant time.
    package mutating func observe(_ isSuccess: Bool) {
        observe(successes: isSuccess ? 1 : 0, failures: isSuccess ? 0 : 1)
    }

    /// Takes several observations at once, without evaluating between them; numbers below 0 count as 0.
    package mutating func observe(successes: Int, failures: Int) {
        self.successes += Double(max(successes, 0))
        self.failures += Double(max(failures, 0))
        pValue = min(pValue, evidence(for: share))
    }

    /// The shares that are not excluded now. The intervals of all times together contain the true share at the level.
    ///
    /// Those with (n + 1) b(k; n, p) ≥ α; 0…1 before the first observation. Takes about twenty evaluations.
    package func interval(at confidence: Confidence) -> ConfidenceInterval {
        let total = successes + failures
        guard total > 0 else { return ConfidenceInterval(0, 1) }
        func end(in range: ClosedRange<Double>) -> Double {
            RootFinder.root(in: range) { evidence(for: $0) - confidence.significance }
        }
        let observed = successes / total
        return ConfidenceInterval(
            successes == 0 ? 0 : end(in: 0...observed), failures == 0 ? 1 : end(in: observed...1))
    }

    // (n + 1) b(k; n, p)
    private func evidence(for share: Double) -> Double {
        (successes + failures + 1) * BinomialDistribution.mass(successes, failures, share, 1 - share)
    }
}
