/// Finds where a function is 0.
enum RootFinder {
    /// The point in a range at which a monotone function changes its sign.
    ///
    /// Chandrupatla, "A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function without
    /// using derivatives", Advances in Engineering Software 28 (1997): inverse quadratic interpolation if it is sure to
    /// converge, and bisection otherwise. Values may be infinite. The result is accurate to its last digits.
    ///
    /// - Returns: The end at which the function is nearer to 0, if it does not change its sign.
    /// - Complexity: About ten evaluations for a smooth function, and at most ``stepLimit``.
    static func root(in range: ClosedRange<Double>, _ function: (Double) -> Double) -> Double {
        var latest = Point(range.upperBound, function)
        var opposite = Point(range.lowerBound, function)
        guard (latest.value < 0) != (opposite.value < 0) else { return nearest(latest, opposite).x }
        var share = 0.5
        for _ in 0..<stepLimit {
            let next = Point(latest.x + share * (opposite.x - latest.x), function)
            let previous: Point
            if (next.value < 0) == (latest.value < 0) {
                previous = latest
            } else {
                (previous, opposite) = (opposite, latest)
            }
            latest = next
            let best = nearest(latest, opposite)
            let tolerance = best.x.ulp / abs(opposite.x - latest.x)
            if best.value == 0 || tolerance > 0.5 || !tolerance.isFinite { return best.x }
            share = min(max(step(latest, opposite, previous), tolerance), 1 - tolerance)
        }
        return nearest(latest, opposite).x
    }

    // More than bisection needs from 1 to the smallest number above 0.
    private static let stepLimit = 2200

    private struct Point {
        let x: Double
        let value: Double

        init(_ x: Double, _ function: (Double) -> Double) { (self.x, value) = (x, function(x)) }
    }

    private static func nearest(_ one: Point, _ other: Point) -> Point {
        abs(one.value) < abs(other.value) ? one : other
    }

    // The part of the way from a to b at which the next point lies.
    private static func step(_ a: Point, _ b: Point, _ c: Point) -> Double {
        let place = (a.x - b.x) / (c.x - b.x)
        let level = (a.value - b.value) / (c.value - b.value)
        guard level > 1 - (1 - place).squareRoot(), level < place.squareRoot() else { return 0.5 }
        let first = a.value / (b.value - a.value) * c.value / (b.value - c.value)
        let second = a.value / (c.value - a.value) * b.value / (c.value - b.value)
        let part = first + (c.x - a.x) / (b.x - a.x) * second
        return part.isFinite ? part : 0.5
    }
}
