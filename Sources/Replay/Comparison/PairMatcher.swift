internal import PolicyEngine

/// Looks at the attributes of records for two accounts, at each value once for both.
struct PairMatcher: RecordMatcher {
    private var finder: ValueFinder<Examiner>
    private var removals: (before: RemovalMatcher?, after: RemovalMatcher?)
    // Of the records at hand.
    private var found: [Found] = []

    /// What is found in the attributes of a record on both sides.
    struct Matches: Sendable {
        let before: AttributeMatches
        let after: AttributeMatches
        let app: AppNumbers
        let system: OperatingSystem
        let presence: AttributePresences.Mask
    }

    init(before: Account, after: Account, apps: AppRegistry, fields: inout CaptureFields) {
        finder = ValueFinder(Examiner(before, after, apps, &fields))
        removals = (RemovalMatcher(before, &fields), RemovalMatcher(after, &fields))
    }

    var examinedColumns: [Int] { finder.columns }

    mutating func match(_ batch: borrowing RecordBatch, into matches: inout [Matches]) {
        finder.find(batch.rows, groups: batch.groups, into: &found)
        matches.removeAll(keepingCapacity: true)
        for row in batch.heads.indices {
            var (before, after) = (found[row].before, found[row].after)
            if removals.before != nil, removals.before?.isRemoved(row, batch) == true { before = before.removed(true) }
            if removals.after != nil, removals.after?.isRemoved(row, batch) == true { after = after.removed(true) }
            let system = batch.heads[row].system
            matches.append(
                Matches(
                    before: before, after: after, app: finder.examiner.apps.numbers(of: found[row].app, on: system),
                    system: system, presence: found[row].presence))
        }
    }

    // What is found in values.
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
        private let filters: (before: AttributeFilters, after: AttributeFilters)
        // Whether both accounts have the same filters, so that a value is matched once.
        private let isSame: Bool
        private let matcher = PatternMatcher()
        // By field: which attribute of the filters it is, if it is one, and its bit.
        private let indices: (before: [Int?], after: [Int?])
        private let presences: [AttributePresences.Mask]
        let fields: [ExaminedField]

        init(_ before: Account, _ after: Account, _ registry: AppRegistry, _ captureFields: inout CaptureFields) {
            filters = (AttributeFilters(before), AttributeFilters(after))
            isSame = before.filters == after.filters
            let examined = ExaminedFields([filters.before, filters.after], &captureFields)
            fields = examined.fields
            indices = (examined.filterIndices[0], examined.filterIndices[1])
            apps = AppNumbering(registry, fields: (examined.app, examined.version))
            let names = AttributePresences.names([before, after])
            var presences = fields.map { _ in AttributePresences.Mask(0) }
            for (bit, name) in names.enumerated() {
                let column = captureFields.column(of: name)
                for index in fields.indices where fields[index].column == column { presences[index] |= 1 << bit }
            }
            self.presences = presences
        }

        mutating func examine(_ value: Span<UInt8>, of field: Int) -> Found {
            let before = indices.before[field].map { filters.before.match(value, at: $0, matcher: matcher) } ?? .none
            let after =
                isSame
                ? before
                : indices.after[field].map { filters.after.match(value, at: $0, matcher: matcher) } ?? .none
            return Found(
                before: before, after: after, app: apps.examine(value, of: field), presence: presences[field])
        }
    }
}
