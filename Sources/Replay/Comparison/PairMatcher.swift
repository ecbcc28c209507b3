internal import PolicyEngine

/// Looks at the attributes of records for two accounts, at each value once for both.
struct PairMatcher: RecordMatcher {
    private var finder: ValueFinder<Examiner>
    private var removals: (before: RemovalMatcher?, after: RemovalMatcher?)
    // Of the current records.
    private var found: [Found] = []
    private(set) var deferred: [DeferredSearch] = []

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

    init(before: Account, after: Account, apps: AppRegistry, fields: inout CaptureFields) {
        finder = ValueFinder(Examiner(before, after, apps, &fields), instructions: fields.instructions)
        removals = (RemovalMatcher(before, &fields), RemovalMatcher(after, &fields))
    }

    var examinedColumns: [Int] { finder.columns }
    var apps: [AppNumbers] { finder.examiner.apps.seen }

    mutating func match(_ batch: borrowing RecordBatch, into matches: inout [Matches]) {
        finder.find(batch.rows, groups: batch.groups, into: &found)
        matches.removeAll(keepingCapacity: true)
        deferred.removeAll(keepingCapacity: true)
        finder.examiner.apps.beginBlock()
        for row in batch.heads.indices {
            notePutOff(row, batch)
            var (before, after) = (found[row].before, found[row].after)
            if removals.before != nil, removals.before?.isRemoved(row, batch) == true { before = before.removed(true) }
            if removals.after != nil, removals.after?.isRemoved(row, batch) == true { after = after.removed(true) }
            let system = batch.heads[row].system
            matches.append(
                Matches(
                    before: before, after: after, app: finder.examiner.apps.numbers(of: found[row].app, row, batch),
                    system: system, presence: found[row].presence))
        }
    }

    private mutating func notePutOff(_ row: Int, _ batch: borrowing RecordBatch) {
        let (before, after) = (found[row].before, found[row].after)
        guard before.hasLimitHits || after.hasLimitHits else { return }
        finder.examiner.attributes.before.addDeferred(before, account: 0, row, batch, into: &deferred)
        finder.examiner.attributes.after.addDeferred(after, account: 1, row, batch, into: &deferred)
    }

    // The findings in values.
    private struct Found: Finding {
        var before: AttributeMatches
        var after: AttributeMatches
        var app: AppValues
        var presence: AttributePresences.Mask

        static var nothing: Found { Found(before: .none, after: .none, app: .none, presence: 0) }

        mutating func formUnion(_ other: Found) {
            before = before.union(other.before)
            after = after.union(other.after)
            app.formUnion(other.app)
            presence |= other.presence
        }
    }

    private struct Examiner: ValueExaminer {
        var apps: AppNumbering
        var attributes: (before: FilteredAttributes, after: FilteredAttributes)
        // True if both accounts have the same filters, so that a value is matched once.
        private let isSame: Bool
        private let matcher = PatternMatcher()
        // By field: the bit of its attribute.
        private let presences: [AttributePresences.Mask]
        let fields: [ExaminedField]

        init(_ before: Account, _ after: Account, _ registry: AppRegistry, _ captureFields: inout CaptureFields) {
            let filters = [AttributeFilters(before), AttributeFilters(after)]
            isSame = before.filters == after.filters
            let examined = ExaminedFields(filters, &captureFields)
            fields = examined.fields
            attributes = (
                FilteredAttributes(filters[0], indices: examined.filterIndices[0], fields: fields),
                FilteredAttributes(filters[1], indices: examined.filterIndices[1], fields: fields)
            )
            apps = AppNumbering(registry, examined)
            let names = AttributePresences.names([before, after])
            var presences = fields.map { _ in AttributePresences.Mask(0) }
            for (bit, name) in names.enumerated() {
                let column = captureFields.column(of: name)
                for index in fields.indices where fields[index].column == column { presences[index] |= 1 << bit }
            }
            self.presences = presences
        }

        mutating func examine(_ value: Span<UInt8>, of field: Int) -> Found {
            let before = attributes.before.match(value, of: field, matcher: matcher)
            let after = isSame ? before : attributes.after.match(value, of: field, matcher: matcher)
            return Found(
                before: before, after: after, app: apps.examine(value, of: field), presence: presences[field])
        }
    }
}
