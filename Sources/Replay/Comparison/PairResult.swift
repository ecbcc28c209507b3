internal import PolicyEngine

/// What two accounts made of the same devices.
struct PairResult: ReplayResult {
    /// Those of the side before.
    var figures: Figures
    /// Those of the side after.
    var figuresAfter: Figures
    var comparison: ComparisonFigures
    /// The verdict after of each device's latest attestation, for devices whose fetches are known.
    var verdictsAfter: [DeviceID: Bool]

    mutating func merge(_ other: PairResult) {
        figures.add(other.figures)
        figuresAfter.add(other.figuresAfter)
        comparison.add(other.comparison)
        verdictsAfter.merge(other.verdictsAfter) { mine, _ in mine }
    }
}
