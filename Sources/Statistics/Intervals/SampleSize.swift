/// The number of units that a sample needs for an exact upper bound.
package enum SampleSize {
    /// The least total at which a count has an exact upper bound (``Proportion/upperBound(at:)``) of at most a share.
    ///
    /// With a count of 0 it is ln α / ln(1 - p), rounded up: 2,995 units exclude 0.1 % at 95 %, and 29,956 units exclude
    /// 0.01 %. Found by bisection, with about a hundred evaluations of ``BetaDistribution``.
    ///
    /// - Returns: `nil` for a share outside of 0…1 or one of its ends, a count below 0, and where more than
    ///   ``Proportion/limit`` would be needed.
    package static func total(
        toExclude share: Double, with count: Int = 0, at confidence: Confidence
    ) -> Int? {
        guard count >= 0, share > 0, share < 1 else { return nil }
        return least { total in
            guard let proportion = Proportion(count, of: total) else { return false }
            return proportion.pValue(ofAtLeast: share) <= confidence.significance
        }
    }

    /// The least sample that excludes a share, and whose own share is at least that observed.
    ///
    /// Both of its numbers are whole. If the share of all units is that observed, about half of the samples of this size
    /// have at most that count, and exclude the share. Found by bisection, too.
    ///
    /// - Returns: `nil` unless the share observed is less than the one that is to be excluded, and where more than
    ///   ``Proportion/limit`` units would be needed.
    package static func sample(
        toExclude share: Double, observing observed: Proportion, at confidence: Confidence
    ) -> Proportion? {
        guard observed.share < share else { return nil }
        func sample(_ count: Int) -> Proportion? {
            total(toExclude: share, with: count, at: confidence).flatMap { Proportion(count, of: $0) }
        }
        // If no sample is large enough, a larger count is none, either.
        let count = least { count in sample(count - 1).map { $0.share >= observed.share } ?? true }
        return count.flatMap { sample($0 - 1) }
    }

    // The least number of 1 or more that is sufficient, provided that all larger ones are sufficient, too.
    private static func least(_ isEnough: (Int) -> Bool) -> Int? {
        var high = 1
        while !isEnough(high) {
            high *= 2
            guard high <= Proportion.limit else { return nil }
        }
        var low = high / 2
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if isEnough(middle) { high = middle } else { low = middle }
        }
        return high
    }
}
