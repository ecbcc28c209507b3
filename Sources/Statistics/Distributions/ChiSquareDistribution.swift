/// The chi-square distribution: that of a sum of squares of independent normal values.
package struct ChiSquareDistribution: Hashable, Sendable {
    private let degrees: Int

    /// - Parameter degrees: The degrees of freedom.
    /// - Returns: `nil` for fewer than one.
    package init?(degrees: Int) {
        guard degrees > 0 else { return nil }
        self.degrees = degrees
    }

    /// The probability of a value above `x`: Q(ν/2, x/2); 1 for 0 or less.
    ///
    /// The incomplete gamma function by its series below the mean, and by its continued fraction above (Press and others,
    /// Numerical Recipes, 6.2). The relative error is about 1e-13. Takes O(√ν) steps.
    package func upperTail(_ x: Double) -> Double {
        guard x > 0 else { return 1 }
        guard x.isFinite else { return x.isNaN ? .nan : 0 }
        let (a, x) = (Double(degrees) / 2, x / 2)
        // xᵃ e⁻ˣ / Γ(a + 1)
        let exponent = -SaddlePoint.stirlingError(a) - SaddlePoint.deviance(a, mean: x)
        let factor = (exponent - SaddlePoint.logarithmOfRootTwoPi).exponential / a.squareRoot()
        return x < a + 1 ? 1 - factor * Self.series(x, a) : factor * a * Self.fraction(x, a)
    }

    /// The value that is exceeded by a share `p` of all values; ∞ for 0 or less, and 0 for 1 or more.
    ///
    /// The root of ``upperTail(_:)``; takes about ten evaluations of it.
    package func quantile(upperTail p: Double) -> Double {
        guard p > 0 else { return .infinity }
        guard p < 1 else { return 0 }
        var bound = Double(degrees) + 1
        while upperTail(bound) > p { bound *= 2 }
        return RootFinder.root(in: 0...bound) { upperTail($0) - p }
    }

    // 1 + x/(a+1) + x²/((a+1)(a+2)) and so on.
    private static func series(_ x: Double, _ a: Double) -> Double {
        var (sum, term, divisor) = (1.0, 1.0, a)
        while term > sum * Double.ulpOfOne / 2 {
            divisor += 1
            term *= x / divisor
            sum += term
        }
        return sum
    }

    // Lentz's method; above the mean no denominator is near 0.
    private static func fraction(_ x: Double, _ a: Double) -> Double {
        var part = x + 1 - a
        var (numerator, denominator) = (1e300, 1 / part)
        var value = denominator
        for step in 1...1_000_000 {
            let m = Double(step)
            let coefficient = -m * (m - a)
            part += 2
            denominator = 1 / (coefficient * denominator + part)
            numerator = part + coefficient / numerator
            let change = denominator * numerator
            value *= change
            if abs(change - 1) <= Double.ulpOfOne { break }
        }
        return value
    }
}
