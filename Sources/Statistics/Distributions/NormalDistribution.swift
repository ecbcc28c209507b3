/// The normal distribution with mean 0 and deviation 1.
package enum NormalDistribution {
    /// The probability of a value up to `x`: ½ erfc(-x/√2).
    ///
    /// Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.29. The relative error is at most 1e-15 for `x`
    /// above -3, and 1e-13 down to -37; below -38 it is 0. Every `x` is allowed. Takes constant time.
    package static func lowerTail(_ x: Double) -> Double { 0.5 * (-x * 0.5.squareRoot()).complementaryError }

    /// The probability of a value above `x`, which is accurate for large `x`, too: ``lowerTail(_:)`` of -x.
    package static func upperTail(_ x: Double) -> Double { lowerTail(-x) }

    /// The value below which a share `p` of all values lies.
    ///
    /// Wichura, "Algorithm AS 241: The percentage points of the normal distribution", Applied Statistics 37 (1988),
    /// routine PPND16: rational functions with a relative error of at most 1e-15. It is -∞ for 0, ∞ for 1, and not a
    /// number outside of 0…1. Takes constant time.
    package static func quantile(_ p: Double) -> Double {
        guard p > 0, p < 1 else { return p == 0 ? -.infinity : p == 1 ? .infinity : .nan }
        let offset = p - 0.5
        if abs(offset) <= 0.425 { return offset * centre(0.180625 - offset * offset) }
        let root = (-min(p, 1 - p).logarithm).squareRoot()
        let distance = root <= 5 ? middle(root - 1.6) : tail(root - 5)
        return offset < 0 ? -distance : distance
    }

    // For p in 0.075…0.925.
    private static func centre(_ r: Double) -> Double {
        polynomial(
            r, 2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
            13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608)
            / polynomial(
                r, 5226.495278852545925, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867,
                5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1)
    }

    // Outside of that, as long as the nearer tail is above exp(-25).
    private static func middle(_ r: Double) -> Double {
        polynomial(
            r, 7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177, 1.27045825245236838258,
            3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734)
            / polynomial(
                r, 1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966, 0.14810397642748007459,
                0.68976733498510000455, 1.6763848301838038494, 2.05319162663775882187, 1)
    }

    private static func tail(_ r: Double) -> Double {
        polynomial(
            r, 2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386, 0.026532189526576123093,
            0.29656057182850489123, 1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772)
            / polynomial(
                r, 2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5,
                7.868691311456132591e-4, 0.0148753612908506148525, 0.13692988092273580531, 0.59983220655588793769, 1)
    }

    // By Horner's rule, the coefficient of the highest power first.
    private static func polynomial(_ x: Double, _ coefficients: Double...) -> Double {
        coefficients.reduce(0) { sum, coefficient in sum * x + coefficient }
    }
}
