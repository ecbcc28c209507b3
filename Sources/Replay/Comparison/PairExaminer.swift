internal import Figures
internal import PolicyEngine

/// Looks at the attributes of records for two accounts, at each value once for both.
struct PairExaminer: RecordExaminer {
    let fields: [ExaminedField]
    private var appNumbering: AppNumbering
    private var attributes: (before: FilteredAttributes, after: FilteredAttributes)
    private var removals: (before: RemovalMatcher?, after: RemovalMatcher?)
    // True if both accounts have the same filters, so that a value is matched once.
    private let isSame: Bool
    private let matcher: PatternMatcher
    // By field: the bit of its attribute.
    private let presences: [AttributePresences.Mask]

    /// The findings in the attributes of a record on both sides.
    struct Matches: RecordMatches {
        var before: AttributeMatches
        var after: AttributeMatches
        var app: AppNumbers
        let system: OperatingSystem
        let presence: AttributePresences.Mask

        subscript(account: Int) -> AttributeMatches {
            get { account == 0 ? before : after }
            set { if account == 0 { before = newValue } else { after = newValue } }
        }
    }

    /// The findings in values.
    struct Found: Finding {
        fileprivate var before: AttributeMatches
        fileprivate var after: AttributeMatches
        fileprivate var app: AppValues
        fileprivate var presence: AttributePresences.Mask

        static var nothing: Found { Found(before: .none, after: .none, app: .none, presence: 0) }

        mutating func formUnion(_ other: Found) {
            before = before.union(other.before)
            after = after.union(other.after)
            app.formUnion(other.app)
            presence |= other.presence
        }
    }

    /// - Parameters:
    ///   - before: The account before.
    ///   - after: The account after.
    ///   - registry: The apps of the capture.
    ///   - captureFields: Takes the keys that are needed.
    init(before: Account, after: Account, _ registry: AppRegistry, _ captureFields: inout CaptureFields) {
        let filters = [AttributeFilters(before), AttributeFilters(after)]
        isSame = before.filters == after.filters
        matcher = PatternMatcher(deadline: captureFields.deadline)
        let examined = ExaminedFields(filters, &captureFields)
        // That a value is there is found in each.
        let fields = examined.fields.map { field in
            ExaminedField(column: field.column, effort: field.effort + .little, isSameForAll: field.isSameForAll)
        }
        self.fields = fields
        attributes = (
            FilteredAttributes(filters[0], indices: examined.filterIndices[0]),
            FilteredAttributes(filters[1], indices: examined.filterIndices[1])
        )
        appNumbering = AppNumbering(registry, examined)
        let names = AttributePresences.names([before, after])
        var presences = fields.map { _ in AttributePresences.Mask(0) }
        for (bit, name) in names.enumerated() {
            let column = captureFields.column(of: name)
            for index in fields.indices where fields[index].column == column { presences[index] |= 1 << bit }
        }
        self.presences = presences
        removals = (RemovalMatcher(before, &captureFields), RemovalMatcher(after, &captureFields))
    }

    var apps: [AppNumbers] { appNumbering.seen }

    mutating func examine(_ value: Span<UInt8>, of field: Int) -> Found {
        let before = attributes.before.match(value, of: field, matcher: matcher)
        let after = isSame ? before : attributes.after.match(value, of: field, matcher: matcher)
        return Found(
            before: before, after: after, app: appNumbering.examine(value, of: field), presence: presences[field])
    }

    mutating func match(_ found: [Found], in batch: borrowing RecordBatch, into matches: inout [Matches]) {
        appNumbering.beginBlock()
        for row in batch.heads.indices {
            var (before, after) = (found[row].before, found[row].after)
            if removals.before != nil, removals.before?.isRemoved(row, batch) == true { before = before.removed(true) }
            if removals.after != nil, removals.after?.isRemoved(row, batch) == true { after = after.removed(true) }
            matches.append(
                Matches(
                    before: before, after: after, app: appNumbering.numbers(of: found[row].app, row, batch),
                    system: batch.heads[row].system, presence: found[row].presence))
        }
    }
}

/// A replay through two accounts, each with its own memory of devices.
struct PairWork: ExaminingWork {
    private let before: Account
    private let after: Account
    private let keepsDecisions: Bool
    private let apps = AppRegistry()

    /// - Parameters:
    ///   - before: The account before.
    ///   - after: The account after.
    ///   - keepsDecisions: True if the decisions of both are written.
    init(before: Account, after: Account, keepsDecisions: Bool = false) {
        (self.before, self.after) = (before, after)
        self.keepsDecisions = keepsDecisions
    }

    // Each account numbers the flags for itself.
    var catalogue: FlagCatalogue { FlagCatalogue() }
    var numberingAccounts: [Account] { [before, after] }
    var registry: AppRegistry? { apps }
    var filteringAccounts: [Account] { [before, after] }

    func makeExaminer(_ fields: inout CaptureFields) -> PairExaminer {
        PairExaminer(before: before, after: after, apps, &fields)
    }

    func makeEvaluator(_ symbols: inout SymbolTable) -> PairEvaluator {
        PairEvaluator(
            before: before, after: after, apps: apps, keepsDecisions: keepsDecisions, symbols: &symbols)
    }
}

/// The result of evaluating the same devices by two accounts.
struct PairResult: ReplayResult {
    var counted: DoubtedFigures<PairFigures>
    /// The verdict after of each device's latest attestation, for devices whose fetches are known.
    var verdictsAfter: [DeviceID: Bool]

    var figures: Figures {
        get { counted.value.before }
        set { counted.value.before = newValue }
    }

    mutating func finish() { counted.finish() }

    mutating func add(_ other: PairResult) {
        counted.add(other.counted)
        verdictsAfter.merge(other.verdictsAfter) { mine, _ in mine }
    }
}
