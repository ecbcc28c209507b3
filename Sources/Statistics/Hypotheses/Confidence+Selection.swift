extension Confidence {
    /// The level at which intervals of some parameters must hold that were selected by what the sample shows: then those
    /// that miss their parameter are an expected share of α at most of those that are reported.
    ///
    /// Benjamini and Yekutieli, "False discovery rate-adjusted multiple confidence intervals for selected parameters", JASA
    /// 100 (2005): 1 - R·α/m for R of m parameters. It is this level if all or none are selected.
    ///
    /// - Parameters:
    ///   - count: The selected parameters.
    ///   - all: All that could have been selected.
    package func selected(_ count: Int, among all: Int) -> Confidence {
        guard count > 0, count < all else { return self }
        return Confidence(significance: significance * Double(count) / Double(all)) ?? self
    }
}
