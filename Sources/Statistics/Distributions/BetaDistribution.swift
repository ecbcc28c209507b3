/// The beta distribution, whose probabilities are the regularised incomplete beta function Iₓ(a, b).
package struct BetaDistribution: Hashable, Sendable {
    private let a: Double
    private let b: Double

    /// - Returns: `nil` unless both parameters are above 0 and finite.
    package init?(_ a: Double, _ b: Double) {
        guard a > 0, b > 0, (a + b).isFinite else { return nil }
        (self.a, self.b) = (a, b)
    }

    /// The probability of a value up to `x`: Iₓ(a, b); 0 below 0 and 1 above 1.
    ///
    /// The continued fraction of DiDonato and Morris ("Algorithm 708", ACM Transactions on Mathematical Software 18,
    /// 1992, formula 9) with Loader's form of xᵃ(1-x)ᵇ/B(a, b). The relative error is about 1e-13 for parameters up to
    /// 1e9. Takes O(√(a + b)) steps at most, and about ten in the tails.
    package func lowerTail(_ x: Double) -> Double {
        isLow(x) ? Self.direct(x, 1 - x, a, b) : 1 - Self.direct(1 - x, x, b, a)
    }

    /// The probability of a value above `x`, which is accurate even if it is small.
    package func upperTail(_ x: Double) -> Double {
        isLow(x) ? 1 - Self.direct(x, 1 - x, a, b) : Self.direct(1 - x, x, b, a)
    }

    /// The value below which a share `p` lies; 0 for 0 or less, and 1 for 1 or more.
    ///
    /// The root of ``lowerTail(_:)`` (``RootFinder``), with a relative error of about 1e-13. Takes about ten evaluations
    /// of it.
    package func quantile(lowerTail p: Double) -> Double {
        guard p > 0, p < 1 else { return p >= 1 ? 1 : 0 }
        return RootFinder.root(in: 0...1) { lowerTail($0) - p }
    }

    /// The value above which a share `p` lies; 1 for 0 or less, and 0 for 1 or more.
    package func quantile(upperTail p: Double) -> Double {
        guard p > 0, p < 1 else { return p >= 1 ? 0 : 1 }
        return RootFinder.root(in: 0...1) { upperTail($0) - p }
    }

    // The continued fraction converges fast below the mean.
    private func isLow(_ x: Double) -> Bool { x <= a / (a + b) }

    private static func direct(_ x: Double, _ y: Double, _ a: Double, _ b: Double) -> Double {
        guard x > 0 else { return 0 }
        guard y > 0 else { return 1 }
        // xᵃ yᵇ / B(a, b), by the binomial coefficient in terms of which B(a, b) can be written.
        let factor = BinomialDistribution.mass(a, b, x, y) * a / (a + b) * b
        return factor / fraction(x, y, a, b)
    }

    // Lentz's method; up to the mean every term is above 0.
    private static func fraction(_ x: Double, _ y: Double, _ a: Double, _ b: Double) -> Double {
        // a - (a + b) x, with little cancellation.
        let distance = a * y - b * x
        func term(_ m: Double) -> Double {
            m + m * (b - m) * x / (a + 2 * m - 1) + (a + m) * (distance + 1 + m * (1 + y)) / (a + 2 * m + 1)
        }
        // At m = 0 the second part is 0, even if a is 1.
        var value = a * (distance + 1) / (a + 1)
        var (numerator, denominator) = (value, 0.0)
        for step in 1...stepLimit {
            let m = Double(step)
            let odd = a + 2 * m - 1
            let coefficient = (a + m - 1) / odd * ((a + b + m - 1) / odd) * m * (b - m) * x * x
            denominator = 1 / (term(m) + coefficient * denominator)
            numerator = term(m) + coefficient / numerator
            let change = denominator * numerator
            value *= change
            if abs(change - 1) <= Double.ulpOfOne { break }
        }
        return value
    }

    // More than any sample needs; it ends the loop for parameters of any size.
    private static let stepLimit = 1_000_000
}
