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

    /// The same without what hangs on new devices; `nil` where nothing does, or a record told which are new.
    var doubtful: Doubtful?

    /// What is known where no record tells which devices are new.
    struct Doubtful {
        var figures: Figures
        var figuresAfter: Figures
        var comparison: ComparisonFigures

        fileprivate mutating func add(_ other: Doubtful) {
            figures.add(other.figures)
            figuresAfter.add(other.figuresAfter)
            comparison.add(other.comparison)
        }
    }

    mutating func settle() {
        guard let doubtful else { return }
        figures.settle(doubtful.figures)
        figuresAfter.settle(doubtful.figuresAfter)
        let disagreements = comparison.disagreements
        comparison = doubtful.comparison
        comparison.disagreements = disagreements
    }

    mutating func merge(_ other: PairResult) {
        if let more = other.doubtful { doubtful?.add(more) } else { doubtful = nil }
        figures.add(other.figures)
        figuresAfter.add(other.figuresAfter)
        comparison.add(other.comparison)
        verdictsAfter.merge(other.verdictsAfter) { mine, _ in mine }
    }
}
