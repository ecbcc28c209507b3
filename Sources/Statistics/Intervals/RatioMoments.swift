/// The sums from which a ratio of two totals follows, with its error, such as the failing among all attestations of a
/// sample of devices.
///
/// Units are independent of each other, and each has a numerator x and a denominator y; events of one unit need not be
/// independent. Sums are whole numbers, so the sums of parts add up to those of the whole in any order. The difference of
/// two ratios with the same denominators, such as before and after a change, is the ratio of the differences x₂ - x₁: use
/// these as numerators for a paired comparison.
package struct RatioMoments: Hashable, Sendable {
    /// The number of units.
    package private(set) var count = 0
    /// Σx
    package private(set) var numerators: Int128 = 0
    /// Σy
    package private(set) var denominators: Int128 = 0
    /// Σx²
    package private(set) var numeratorSquares: Int128 = 0
    /// Σxy
    package private(set) var products: Int128 = 0
    /// Σy²
    package private(set) var denominatorSquares: Int128 = 0
    /// True if a sum of squares reached 2¹²⁷; there is no estimate then. Sums of counts are far smaller.
    package private(set) var hasOverflowed = false

    /// The sums without units.
    package init() {}

    /// Makes it of stored sums.
    ///
    /// - Returns: `nil` for sums that are impossible: squares below 0, or products or totals larger than the squares
    ///   allow.
    package init?(
        count: Int, numerators: Int128, denominators: Int128, numeratorSquares: Int128, products: Int128,
        denominatorSquares: Int128
    ) {
        guard count >= 0, numeratorSquares >= 0, denominatorSquares >= 0, numerators.magnitude <= numeratorSquares,
            denominators.magnitude <= denominatorSquares,
            products.magnitude <= max(numeratorSquares, denominatorSquares)
        else { return nil }
        (self.count, self.numerators, self.denominators) = (count, numerators, denominators)
        (self.numeratorSquares, self.products) = (numeratorSquares, products)
        self.denominatorSquares = denominatorSquares
    }

    /// Adds a unit.
    ///
    /// - Parameters:
    ///   - numerator: Its numerator, of any sign.
    ///   - denominator: Its denominator, usually 0 or more.
    package mutating func add(_ numerator: Int, over denominator: Int) {
        var device = RatioMoments()
        let (x, y) = (Int128(numerator), Int128(denominator))
        (device.count, device.numerators, device.denominators) = (1, x, y)
        (device.numeratorSquares, device.products, device.denominatorSquares) = (x * x, x * y, y * y)
        add(device)
    }

    /// Adds the sums of other units.
    ///
    /// If the sums of squares do not overflow, no other sum of any of the units does, because |xy| ≤ (x² + y²)/2. Sums of
    /// squares only grow. So the result, overflow included, does not depend on order and grouping.
    package mutating func add(_ other: RatioMoments) {
        count &+= other.count
        numerators &+= other.numerators
        denominators &+= other.denominators
        products &+= other.products
        let (first, second) = (numeratorSquares, denominatorSquares)
        numeratorSquares &+= other.numeratorSquares
        denominatorSquares &+= other.denominatorSquares
        if other.hasOverflowed || numeratorSquares < first || denominatorSquares < second { hasOverflowed = true }
    }
}
