internal import PolicyEngine

/// A replay through two accounts, each with its own memory of devices.
struct PairWork: ReplayWork {
    private let before: Account
    private let after: Account
    private let apps = AppRegistry()

    init(before: Account, after: Account) {
        (self.before, self.after) = (before, after)
    }

    // Each account numbers the flags for itself.
    var catalogue: FlagCatalogue { FlagCatalogue() }
    var numberingAccounts: [Account] { [before, after] }
    var registry: AppRegistry? { apps }
    var filteringAccounts: [Account] { [before, after] }

    func makeMatcher(_ fields: inout CaptureFields) -> PairMatcher {
        PairMatcher(before: before, after: after, apps: apps, fields: &fields)
    }

    func makeEvaluator(_ symbols: inout SymbolTable) -> PairEvaluator {
        PairEvaluator(before: before, after: after, apps: apps, symbols: &symbols)
    }
}

/// The result of evaluating the same devices by two accounts.
struct PairResult: ReplayResult {
    /// Those of the side before.
    var figures: Figures
    /// Those of the side after.
    var figuresAfter: Figures
    var comparison: ComparisonFigures
    /// The verdict after of each device's latest attestation, for devices whose fetches are known.
    var verdictsAfter: [DeviceID: Bool]

    /// The same without what depends on new devices; `nil` where nothing does, or a record has `new-did`.
    var doubtful: Doubtful?

    /// The result that holds where no record has `new-did`.
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

    mutating func finish() {
        guard let doubtful else { return }
        figures.adopt(doubtful.figures)
        figuresAfter.adopt(doubtful.figuresAfter)
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
