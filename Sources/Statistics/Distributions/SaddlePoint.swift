/// The small terms that remain of factorials and powers in a binomial probability, without the large terms that cancel.
///
/// Loader, "Fast and accurate computation of binomial probabilities" (2000). With them the probability for a billion
/// trials has 14 correct digits; with logarithms of the gamma function it would have six.
enum SaddlePoint {
    /// ½ ln(2π).
    static let logarithmOfRootTwoPi = 0.918938533204672741780329736406

    /// The error of Stirling's formula: lnΓ(x + 1) - (x + ½) ln x + x - ½ ln(2π).
    ///
    /// From 16 on by its series (Abramowitz and Stegun, 6.1.41), and below 16 by recurrence from x + 1 to x. For `x`
    /// above 0; the absolute error is at most 2e-15. Takes at most 16 steps.
    static func stirlingError(_ x: Double) -> Double {
        var (x, sum) = (x, 0.0)
        while x < 16 {
            sum += (x + 0.5) * (1 / x).logarithmOfOnePlus - 1
            x += 1
        }
        let square = 1 / (x * x)
        let series = 1.0 / 1260 - square * (1.0 / 1680 - square * (1.0 / 1188 - square * (691.0 / 360_360)))
        return sum + (1.0 / 12 - square * (1.0 / 360 - square * series)) / x
    }

    /// The deviance x ln(x/m) + m - x of a number from its mean, for `x` and `mean` above 0.
    ///
    /// Near the mean by its series in (x - m)/(x + m). The relative error is about 1e-15. Takes about 15 steps at most.
    static func deviance(_ x: Double, mean: Double) -> Double {
        let difference = x - mean
        guard abs(difference) < 0.1 * (x + mean) else { return x * (x / mean).logarithm - difference }
        let ratio = difference / (x + mean)
        var (sum, power, divisor) = (difference * ratio, 2 * x * ratio, 3.0)
        while true {
            power *= ratio * ratio
            let next = sum + power / divisor
            if next == sum { return sum }
            (sum, divisor) = (next, divisor + 2)
        }
    }
}
