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

    func makeMatcher(_ attributes: inout AttributeTable) -> PairMatcher {
        PairMatcher(before: before, after: after, apps: apps, attributes: &attributes)
    }

    func makeEvaluator(_ symbols: inout SymbolTable) -> PairEvaluator {
        PairEvaluator(before: before, after: after, apps: apps, symbols: &symbols)
    }
}

/// Looks at the attributes of records for two accounts.
struct PairMatcher: RecordMatcher {
    private var before: AttributeMatcher
    // `nil` where both accounts find the same in all attributes, so that matching once is enough.
    private var after: AttributeMatcher?
    private var apps: AppNumbering
    private let presences: AttributePresences
    private let matcher = PatternMatcher()
    // Of the records at hand.
    private var found: (before: [AttributeMatches], after: [AttributeMatches]) = ([], [])

    /// What is found in the attributes of a record on both sides.
    struct Matches: Sendable {
        let before: AttributeMatches
        let after: AttributeMatches
        let app: AppNumbers
        let system: OperatingSystem
        let presence: AttributePresences.Mask
    }

    init(before: Account, after: Account, apps: AppRegistry, attributes: inout AttributeTable) {
        self.apps = AppNumbering(apps, attributes: &attributes)
        self.before = AttributeMatcher(before, source: .capture, attributes: &attributes)
        let isSame =
            before.filters == after.filters && before.registrations == after.registrations
            && before.removedRegistrations == after.removedRegistrations
        self.after = isSame ? nil : AttributeMatcher(after, source: .capture, attributes: &attributes)
        presences = AttributePresences([before, after], attributes: &attributes)
    }

    mutating func match(_ batch: borrowing RecordBatch, into matches: inout [Matches]) {
        before.match(batch.attributes, matcher: matcher, into: &found.before)
        if after == nil {
            found.after = found.before
        } else {
            after?.match(batch.attributes, matcher: matcher, into: &found.after)
        }
        matches.removeAll(keepingCapacity: true)
        for row in batch.heads.indices {
            matches.append(
                Matches(
                    before: found.before[row], after: found.after[row], app: apps.numbers(of: row, in: batch),
                    system: batch.heads[row].system, presence: presences.mask(of: row, in: batch.attributes)))
        }
    }
}

/// What two accounts made of the same devices.
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

    /// What is known where no record has `new-did`.
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
