package import Statistics

/// Sums over devices, from which the share of their attestations that have a property follows, with its interval.
///
/// Devices are independent of each other, and attestations of one device are not. A difference between two shares of the
/// same attestations is the share of the differences, which may be below 0.
package struct ShareMoments: Figure, Addable, Hashable {
    /// The devices of which it is known how many attestations have the property.
    package private(set) var known = RatioMoments()
    /// The other devices, as if all of their attestations had it.
    package private(set) var unknown = RatioMoments()

    package static let fields: [Field<ShareMoments>] = [.sum("known", \.known), .sum("unknown", \.unknown)]

    package init() {}

    /// Adds a device.
    ///
    /// - Parameters:
    ///   - count: The number of its attestations that have the property; `nil` if it is not known.
    ///   - total: The number of all its attestations.
    package mutating func add(_ count: Int?, of total: Int) {
        if let count { known.add(count, over: total) } else { unknown.add(total, over: total) }
    }

    /// The sums over all devices if a share of the attestations of unknown ones has the property.
    ///
    /// - Parameter factor: 0 for none, 1 for all; -1 for differences.
    private func all(_ factor: Int128) -> RatioMoments {
        let part = RatioMoments(
            count: unknown.count, numerators: factor * unknown.numerators, denominators: unknown.denominators,
            numeratorSquares: factor * factor * unknown.numeratorSquares, products: factor * unknown.products,
            denominatorSquares: unknown.denominatorSquares)
        return known.adding(part ?? unknown)
    }

    /// The share among all attestations, as far as it is known; `nil` without attestations.
    package var estimate: Double? { all(0).estimate }

    /// The attestations of a device on average; `nil` for fewer than two devices.
    package func meanInterval(at confidence: Confidence) -> (estimate: Double, interval: ConfidenceInterval)? {
        let all = all(1)
        let mean = RatioMoments(
            count: all.count, numerators: all.denominators, denominators: Int128(all.count),
            numeratorSquares: all.denominatorSquares, products: all.denominators, denominatorSquares: Int128(all.count))
        guard let mean, let estimate = mean.estimate, let interval = mean.interval(at: confidence) else { return nil }
        return (estimate, interval.clamped(to: 0 ... .infinity))
    }

    /// The interval of the share, from the case that no attestation of an unknown device has the property to the case
    /// that all have it (``RatioMoments/shareInterval(at:)``); `nil` without attestations.
    package func interval(at confidence: Confidence) -> ConfidenceInterval? {
        guard let least = all(0).shareInterval(at: confidence), let most = all(1).shareInterval(at: confidence) else {
            return nil
        }
        return ConfidenceInterval(least.lower, most.upper)
    }

    /// The interval of a difference, likewise (``RatioMoments/interval(at:)``); `nil` for fewer than two devices.
    package func differenceInterval(at confidence: Confidence) -> ConfidenceInterval? {
        guard let least = all(-1).interval(at: confidence), let most = all(1).interval(at: confidence) else {
            return nil
        }
        return ConfidenceInterval(least.lower, most.upper).clamped(to: -1...1)
    }

    /// The greatest share, for limits, if all attestations of unknown devices have the property
    /// (``RatioMoments/shareUpperBound(at:)``); `nil` without attestations.
    package func upperBound(at confidence: Confidence) -> Double? { all(1).shareUpperBound(at: confidence) }
}
