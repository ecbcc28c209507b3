/// Upper bounds of several shares that hold together.
package enum SimultaneousBounds {
    /// Bounds that are consistent with Holm's test of the hypotheses that a share is the limit or more.
    ///
    /// Strassburger and Bretz, "Compatible simultaneous lower confidence bounds for the Holm procedure and other
    /// Bonferroni-based closed tests", Statistics in Medicine 27 (2008): a share whose hypothesis is rejected
    /// (``Proportion/pValue(ofAtLeast:)``, ``AdjustedPValues/holm(_:)``) has the limit as its bound. The other m - r
    /// shares have exact bounds at α/(m - r). If all hypotheses are rejected, each share has its exact bound at α/m, or
    /// the limit if that is lower.
    ///
    /// - Parameters:
    ///   - shares: The shares, in any order; they may depend on each other.
    ///   - limit: The limit that they are tested against.
    ///   - confidence: The level at which all bounds hold.
    /// - Returns: The bounds in the order of the shares.
    /// - Complexity: O(m log m), and about twenty evaluations of ``BetaDistribution`` for each share.
    package static func upper(_ shares: [Proportion], limit: Double, at confidence: Confidence) -> [Double] {
        let adjusted = AdjustedPValues.holm(shares.map { $0.pValue(ofAtLeast: limit) })
        let isRejected = adjusted.map { $0 <= confidence.significance }
        let open = isRejected.count { !$0 }
        let part = confidence.shared(among: open == 0 ? shares.count : open)
        return zip(shares, isRejected).map { share, isRejected in
            if !isRejected { return share.upperBound(at: part) }
            return open == 0 ? min(limit, share.upperBound(at: part)) : limit
        }
    }
}
