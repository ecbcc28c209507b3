extension ProportionComparison {
    /// The greatest difference that the samples do not exclude, one-sided: the upper bound of one share minus the lower bound
    /// of the other, both exact and each with α/2.
    ///
    /// Its coverage is at least the level, whatever the shares are, and even if the groups depend on each other.
    package func differenceUpperBound(at confidence: Confidence) -> Double {
        let half = confidence.shared(among: 2)
        return group.upperBound(at: half) - reference.lowerBound(at: half)
    }

    /// The least difference that the samples do not exclude, in the same way.
    package func differenceLowerBound(at confidence: Confidence) -> Double {
        -ProportionComparison(reference, to: group).differenceUpperBound(at: confidence)
    }
}
