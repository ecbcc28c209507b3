// Linearisation: near the true ratio R, the error of the estimate is Σ(x - Ry) / Σy, a sum over independent units
// (Cochran, Sampling Techniques, 3rd edition, chapter 6; Deng, Knoblich, Lu, "Applying the delta method in metric
// analytics", KDD 2018). Everything here takes constant time, unless it says otherwise.
extension RatioMoments {
    /// Σx / Σy; `nil` if Σy is 0.
    package var estimate: Double? {
        guard denominators != 0, !hasOverflowed else { return nil }
        return Double(numerators) / Double(denominators)
    }

    /// The variance of the estimate: n/(n-1) Σ(x - Ry)² / (Σy)²; `nil` for fewer than two units, or if Σy is 0.
    package var variance: Double? {
        guard count > 1, let spread else { return nil }
        return spread * Double(count) / Double(count - 1)
    }

    /// The effective number of units, which is smaller if their denominators differ: (Σy)² / Σy² (Kish, Survey Sampling,
    /// 1965, section 11.7); `nil` if Σy is 0.
    package var effectiveCount: Double? {
        guard denominators != 0, !hasOverflowed else { return nil }
        return Double(denominators) * Double(denominators) / Double(denominatorSquares)
    }

    /// The interval of the ratio by Student's t, with ``effectiveCount`` - 1 degrees of freedom, because the variance is
    /// estimated from about that number of units.
    ///
    /// Its coverage is close to the level for an effective number of a hundred or more, of which some dozens have a
    /// numerator other than 0. With fewer it is too narrow; use ``shareInterval(at:)`` for shares.
    ///
    /// - Returns: `nil` if there is no ``variance``, or no degree of freedom.
    package func interval(at confidence: Confidence) -> ConfidenceInterval? {
        guard let estimate, let variance, let effectiveCount,
            let student = StudentDistribution(degrees: effectiveCount - 1)
        else { return nil }
        let half = student.quantile(bothTails: confidence.significance) * variance.squareRoot()
        return ConfidenceInterval(estimate - half, estimate + half)
    }

    /// The interval of a ratio that is a share, with 0 ≤ x ≤ y for each unit: Wilson's, for a sample of independent units
    /// whose size gives the same variance, but at most ``effectiveCount``.
    ///
    /// Korn and Graubard, "Confidence intervals for proportions with small expected number of positive counts estimated
    /// from survey data", Survey Methodology 24 (1998), with Wilson's interval in place of the exact one (Franco and
    /// others, "Comparative study of confidence intervals for proportions in complex sample surveys", Journal of Survey
    /// Statistics and Methodology 7, 2019). The variance of a rare property is far too small in most samples, because
    /// they contain none of the units that have both the property and a large denominator. Hence the limit, which is
    /// exact if each unit has the property always or never: coverage is close to the level for such units, and higher for
    /// others. For units with a denominator of 1 it is ``Proportion/interval(at:)``.
    ///
    /// - Returns: `nil` without units, or for a ratio outside of 0…1.
    package func shareInterval(at confidence: Confidence) -> ConfidenceInterval? {
        guard let (share, size) = effectiveSample else { return nil }
        guard share > 0, share < 1 else {
            let bound = -(confidence.significance.logarithm / size).exponentialMinusOne
            return share == 0 ? ConfidenceInterval(0, bound) : ConfidenceInterval(1 - bound, 1)
        }
        return ScoreInterval(share: share, size: size).interval(quantile: confidence.twoSidedQuantile)
    }

    /// The upper bound of a ratio that is a share, to test a limit: the exact bound for the same sample of independent
    /// units, as Korn and Graubard propose it.
    ///
    /// For units with a denominator of 1 it is ``Proportion/upperBound(at:)``. Takes about ten evaluations of
    /// ``BetaDistribution``.
    ///
    /// - Returns: `nil` without units, or for a ratio outside of 0…1.
    package func shareUpperBound(at confidence: Confidence) -> Double? {
        guard let (share, size) = effectiveSample else { return nil }
        let beta = BetaDistribution(share * size + 1, (1 - share) * size)
        return beta?.quantile(upperTail: confidence.significance) ?? 1
    }

    // The sample of independent units that would have the variance of the share.
    private var effectiveSample: (share: Double, size: Double)? {
        guard let share = estimate, (0...1).contains(share), let effectiveCount, let spread else { return nil }
        return (share, spread > 0 ? min(share * (1 - share) / spread, effectiveCount) : effectiveCount)
    }

    // Σ(x - Ry)² / (Σy)²
    private var spread: Double? {
        guard denominators != 0, !hasOverflowed else { return nil }
        let square = Double(denominators) * Double(denominators)
        if let residual = exactResidual { return Double(max(residual, 0)) / square / square }
        let ratio = Double(numerators) / Double(denominators)
        let residual = Double(numeratorSquares) - ratio * (2 * Double(products) - ratio * Double(denominatorSquares))
        return max(residual, 0) / square
    }

    // Σ(x Σy - y Σx)² without rounding; `nil` if it is too large, which needs totals of billions.
    private var exactResidual: Int128? {
        let (x, y) = (numerators, denominators)
        guard let first = Self.product(y, y, numeratorSquares), let second = Self.product(x, y, products),
            let third = Self.product(x, x, denominatorSquares)
        else { return nil }
        return first - 2 * second + third
    }

    // `nil` if a sum of four such products might overflow.
    private static func product(_ one: Int128, _ two: Int128, _ three: Int128) -> Int128? {
        let (square, isSquareTooLarge) = one.multipliedReportingOverflow(by: two)
        let (product, isTooLarge) = square.multipliedReportingOverflow(by: three)
        return isSquareTooLarge || isTooLarge || product.magnitude >= 1 << 124 ? nil : product
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
