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

    /// The least total at which a sample with an observed share excludes a higher share.
    ///
    /// The same for a count of `observed` × total, which need not be whole here. It tells how large a sample must be if
    /// further units are like those observed. Found by bisection, too.
    ///
    /// - Returns: `nil` unless 0 ≤ `observed` < `share` < 1, and where more than ``Proportion/limit`` would be needed.
    package static func total(
        toExclude share: Double, observing observed: Double, at confidence: Confidence
    ) -> Int? {
        guard observed >= 0, observed < share, share < 1 else { return nil }
        return least { total in
            let (count, total) = (observed * Double(total), Double(total))
            guard let beta = BetaDistribution(count + 1, total - count) else { return false }
            return beta.upperTail(share) <= confidence.significance
        }
    }

    // The least total that is sufficient, provided that all larger ones are sufficient, too.
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
