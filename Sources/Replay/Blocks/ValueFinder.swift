internal import PolicyEngine

/// What was found in a value, or in several of one record.
protocol Finding: Hashable, Sendable {
    /// What is found in a value that says nothing.
    static var nothing: Self { get }

    /// Adds what was found in another value of the same record.
    mutating func formUnion(_ other: Self)
}

/// Looks at values of records, one by one.
protocol ValueExaminer {
    associatedtype Found: Finding

    /// The fields that it looks at.
    var fields: [ExaminedField] { get }

    /// Looks at a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - field: The field, by its index in ``fields``.
    mutating func examine(_ value: Span<UInt8>, of field: Int) -> Found
}

/// A field that somebody looks at.
struct ExaminedField {
    /// The column of its values.
    let column: Int
    /// Whether looking at a value costs less than to look for what was found in it before.
    let isCheap: Bool
}

/// Finds what is in the values of records; looks at equal ones once, as far as that is worth it.
///
/// Values that mostly come together are looked for as one (``ValueGroups``).
struct ValueFinder<Examiner: ValueExaminer> {
    /// Who looks at values.
    var examiner: Examiner
    private let fields: [ExaminedField]
    // By field.
    private var memos: [Memo]
    // By group.
    private var groupMemos: [Memo] = []
    private var revision = 0
    // Of the rows at hand.
    private var misses: [Int32] = []

    private typealias Memo = ValueMemo<Examiner.Found, ProcessHash>

    /// Rows that are looked at together, so that waiting for memory overlaps.
    private static var batch: Int { Memo.batch }

    init(_ examiner: Examiner) {
        self.examiner = examiner
        fields = examiner.fields
        memos = fields.map { _ in Memo(limit: CaptureLimits.keptValues) }
    }

    /// The columns that are looked at.
    var columns: [Int] { fields.map(\.column) }

    /// Finds what is in the values of some records.
    ///
    /// - Parameters:
    ///   - rows: The values.
    ///   - groups: Those that are looked for as one.
    ///   - found: Takes what was found in each record, in their order.
    mutating func find(_ rows: borrowing ValueRows, groups: borrowing ValueGroups, into found: inout [Examiner.Found]) {
        found.removeAll(keepingCapacity: true)
        found.append(contentsOf: repeatElement(.nothing, count: rows.count))
        if revision != groups.revision {
            // What a group is made of may have changed.
            revision = groups.revision
            groupMemos = groups.all.map { _ in Memo(limit: CaptureLimits.keptValues) }
        }
        var start = 0
        while start < rows.count {
            let range = start..<min(start + Self.batch, rows.count)
            for group in groups.all.indices { find(group, rows, range, groups: groups, into: &found) }
            for field in fields.indices { find(field: field, rows, range, groups: groups, into: &found) }
            start = range.upperBound
        }
    }

    private mutating func find(
        _ group: Int, _ rows: borrowing ValueRows, _ range: Range<Int>, groups: borrowing ValueGroups,
        into found: inout [Examiner.Found]
    ) {
        guard !groupMemos.span[group].isUseless else { return }
        let column = groups.all[group].column
        misses.removeAll(keepingCapacity: true)
        groupMemos[group].find(rows, range, column: column, misses: &misses, into: &found)
        for row in misses.map(Int.init) {
            var all = Examiner.Found.nothing
            for field in fields.indices where groups.all[group].columns.contains(fields[field].column) {
                all.formUnion(examine(rows[row, fields[field].column], of: field, rows))
            }
            found[row].formUnion(all)
            rows.withBytes(of: rows[row, column]) { groupMemos[group].keep(all, for: $0, range: $1) }
        }
    }

    private mutating func find(
        field: Int, _ rows: borrowing ValueRows, _ range: Range<Int>, groups: borrowing ValueGroups,
        into found: inout [Examiner.Found]
    ) {
        let column = fields[field].column
        var besides: Int?
        if let group = groups.index(ofGroupWith: column), !groupMemos.span[group].isUseless {
            besides = groups.all[group].column
            guard range.contains(where: { rows[$0, groups.all[group].column].isAbsent }) else { return }
        }
        misses.removeAll(keepingCapacity: true)
        if fields[field].isCheap || memos.span[field].isUseless {
            examineAll(rows, range, field: field, besides: besides, into: &found)
            return
        }
        memos[field].find(rows, range, column: column, besides: besides, misses: &misses, into: &found)
        for row in misses.map(Int.init) {
            let one = examine(rows[row, column], of: field, rows)
            found[row].formUnion(one)
            rows.withBytes(of: rows[row, column]) { memos[field].keep(one, for: $0, range: $1) }
        }
    }

    // Looks at each value, whether or not it was there before.
    private mutating func examineAll(
        _ rows: borrowing ValueRows, _ range: Range<Int>, field: Int, besides: Int?, into found: inout [Examiner.Found]
    ) {
        let column = fields[field].column
        let (plain, copied) = (rows.bytes, rows.copied)
        var all = found.mutableSpan
        for row in range {
            let value = rows[row, column]
            if value.isAbsent { continue }
            if let besides, !rows[row, besides].isAbsent { continue }
            let bytes = value.isPlain ? plain.span : copied.span
            all[row].formUnion(examiner.examine(bytes.extracting(value.range), of: field))
        }
    }

    @inline(__always)
    private mutating func examine(
        _ value: ValueRange, of field: Int, _ rows: borrowing ValueRows
    ) -> Examiner.Found {
        if value.isAbsent { return .nothing }
        return rows.withBytes(of: value) { examiner.examine($0.extracting($1), of: field) }
    }
}
