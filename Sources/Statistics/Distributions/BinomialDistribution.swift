/// The number of successes in independent trials with the same probability.
package struct BinomialDistribution: Hashable, Sendable {
    let trials: Int
    let probability: Double

    /// - Returns: `nil` for fewer than 0 trials, or a probability outside of 0…1.
    package init?(trials: Int, probability: Double) {
        guard trials >= 0, (0...1).contains(probability) else { return nil }
        (self.trials, self.probability) = (trials, probability)
    }

    /// The probability of exactly `count` successes, 0 for a number that cannot occur.
    ///
    /// The relative error is about 1e-15 times the absolute value of its logarithm. Takes constant time.
    package func probability(of count: Int) -> Double {
        guard (0...trials).contains(count) else { return 0 }
        return Self.mass(Double(count), Double(trials - count), probability, 1 - probability)
    }

    /// The probability of at most `count` successes, for `count` of any size.
    ///
    /// P(X ≤ k) = I₁₋ₚ(n - k, k + 1) (Abramowitz and Stegun, 26.5.24). Its error and cost are those of
    /// ``BetaDistribution``.
    package func lowerTail(_ count: Int) -> Double {
        guard count >= 0 else { return 0 }
        guard let beta = Self.beta(count, trials) else { return 1 }
        return beta.upperTail(probability)
    }

    /// The probability of at least `count` successes, for `count` of any size.
    package func upperTail(_ count: Int) -> Double {
        guard count > 0 else { return 1 }
        guard count <= trials, let beta = Self.beta(count - 1, trials) else { return 0 }
        return beta.lowerTail(probability)
    }

    // The distribution whose upper tail at p is the probability of at most that many successes.
    private static func beta(_ count: Int, _ trials: Int) -> BetaDistribution? {
        BetaDistribution(Double(count) + 1, Double(trials) - Double(count))
    }

    /// The binomial probability for numbers that need not be whole: Γ(s+f+1) / Γ(s+1) / Γ(f+1) · pˢ qᶠ.
    ///
    /// Loader's saddle-point form (``SaddlePoint``).
    ///
    /// - Parameters:
    ///   - successes: 0 or more.
    ///   - failures: 0 or more.
    ///   - p: In 0…1.
    ///   - q: 1 - p, which the caller may know more accurately than by subtraction.
    static func mass(_ successes: Double, _ failures: Double, _ p: Double, _ q: Double) -> Double {
        if successes == 0 { return power(q, oneMinus: p, failures) }
        if failures == 0 { return power(p, oneMinus: q, successes) }
        if p == 0 || q == 0 { return 0 }
        let trials = successes + failures
        let errors =
            SaddlePoint.stirlingError(trials) - SaddlePoint.stirlingError(successes)
            - SaddlePoint.stirlingError(failures)
        let deviance =
            SaddlePoint.deviance(successes, mean: trials * p) + SaddlePoint.deviance(failures, mean: trials * q)
        let scale = (trials / successes / failures).squareRoot()
        return scale * (errors - deviance - SaddlePoint.logarithmOfRootTwoPi).exponential
    }

    // The smaller one of both shares is the more accurate one.
    private static func power(_ base: Double, oneMinus rest: Double, _ exponent: Double) -> Double {
        if exponent == 0 { return 1 }
        return (exponent * (rest < 0.5 ? (-rest).logarithmOfOnePlus : base.logarithm)).exponential
    }
}
