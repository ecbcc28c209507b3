internal import CValueLookup

/// The findings in a value, or in several values of one record.
protocol Finding: Hashable, Sendable {
    /// The finding in a value that says nothing.
    static var nothing: Self { get }

    /// Adds what was found in another value of the same record.
    mutating func formUnion(_ other: Self)

    /// True if the same is found whenever the value is looked at.
    var isLasting: Bool { get }
}

extension Finding {
    var isLasting: Bool { true }
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
    /// The cost of looking at one of them.
    var effort: Effort
    /// True if the same is found in a value whoever looks at it: then workers tell each other.
    var isSameForAll = false

    /// The cost of looking at a value.
    enum Effort {
        /// That of some searches by a regex, of whatever account; none counts as one.
        case searches(Int)
        /// Less than that of looking for what was found in the value before.
        case little
        /// As little, and something is found in these values alone.
        case onlyIn([[UInt8]])

        /// The cost of looking at a value for two reasons.
        static func + (one: Effort, other: Effort) -> Effort {
            switch (one, other) {
            case (.onlyIn(let values), .onlyIn(let others)): .onlyIn(values + others)
            case (.searches(let count), .searches(let more)): .searches(count + more)
            case (.searches(let count), _), (_, .searches(let count)): .searches(count)
            default: .little
            }
        }

        /// True if looking at a value costs less than looking for what was found in it before.
        var isLittle: Bool { searchCount == nil }

        /// The number of searches that cost as much, at least one; `nil` for little.
        fileprivate var searchCount: Int? { if case .searches(let count) = self { max(1, count) } else { nil } }

        fileprivate var exactValues: [[UInt8]]? { if case .onlyIn(let values) = self { values } else { nil } }
    }
}

/// Finds what is in the values of records; looks at equal ones once, as far as that is worth it.
///
/// Values that mostly come together are looked for as one (``ValueGroups``).
struct ValueFinder<Examiner: ValueExaminer> {
    var examiner: Examiner
    private let columnsByField: [Int]
    private let instructions: VectorInstructions
    private var states: [FieldState]
    private var groupStates: [GroupState] = []
    private var revision = 0
    // Of the current rows.
    private var misses: [Int32] = []

    private typealias Memo = ValueMemo<Examiner.Found>

    private struct FieldState {
        let column: Int
        /// The cost of looking at a value, as a multiple of that of one regex; `nil` where nothing is kept of it.
        let searches: Int?
        /// The values in which alone something is found, where that is known.
        let exactValues: [[UInt8]]?
        var sieve: ValueSieve?
        var memo: Memo
        var keys: KeyFindings<Examiner.Found>
        /// The group that it is in, by its index.
        var group: Int?
    }

    private struct GroupState {
        let column: Int
        /// Its fields, by their indices.
        let fields: [Int]
        var memo: Memo
        /// True if the fields of the group were looked at in all current rows.
        var isDone = false
    }

    /// Rows that are looked at together, so that waiting for memory overlaps.
    private static var batch: Int { Memo.batch }
    /// Rows of a batch that are looked at one by one at once, as that costs less than to look for all.
    private static var fewRows: Int { 4 }

    /// - Parameters:
    ///   - examiner: The examiner of values.
    ///   - instructions: The instructions that values are hashed and compared with; the processor may have less.
    ///   - exchange: Has what other workers find.
    init(_ examiner: Examiner, instructions: VectorInstructions, exchange: FindingsExchange? = nil) {
        self.examiner = examiner
        self.instructions = instructions
        columnsByField = examiner.fields.map(\.column)
        states = examiner.fields.enumerated().map { number, field in
            let searches = field.effort.searchCount
            return FieldState(
                column: field.column, searches: searches, exactValues: field.effort.exactValues,
                sieve: field.effort.exactValues.map { ValueSieve($0) },
                memo: Memo(limit: CaptureLimits.keptValues, searches: searches ?? 1, instructions: instructions),
                keys: KeyFindings(shared: field.isSameForAll ? exchange?.findings(ofField: number) : nil))
        }
    }

    /// The columns that are looked at.
    var columns: [Int] { columnsByField }

    /// Finds what is in the values of some records.
    ///
    /// - Parameters:
    ///   - rows: The values.
    ///   - groups: Those that are looked for as one.
    ///   - found: Takes what was found in each record, in their order.
    mutating func find(_ rows: borrowing ValueRows, groups: borrowing ValueGroups, into found: inout [Examiner.Found]) {
        found.removeAll(keepingCapacity: true)
        found.append(contentsOf: repeatElement(.nothing, count: rows.count))
        guard rows.columns.isEmpty else { return findByColumn(rows, into: &found) }
        if revision != groups.revision { adopt(groups) }
        // A capture of the other kind has none.
        let hasGroups = !groups.all.isEmpty
        var start = 0
        while start < rows.count {
            let range = start..<min(start + Self.batch, rows.count)
            if hasGroups {
                for group in groupStates.indices { find(group: group, rows, range, into: &found) }
            }
            for field in states.indices { find(field: field, rows, range, hasGroups: hasGroups, into: &found) }
            start = range.upperBound
        }
    }

    private mutating func findByColumn(_ rows: borrowing ValueRows, into found: inout [Examiner.Found]) {
        for field in states.indices {
            let column = rows.columns[states[field].column]
            if let dictionary = column.dictionary {
                var keys = KeyFindings<Examiner.Found>()
                swap(&keys, &states[field].keys)
                let sought = states[field].exactValues
                keys.add(column.keys, of: dictionary, to: &found, sought: sought) { examiner.examine($0, of: field) }
                swap(&keys, &states[field].keys)
            } else if !column.ranges.isEmpty {
                for start in stride(from: 0, to: rows.count, by: Self.batch) {
                    let range = start..<min(start + Self.batch, rows.count)
                    find(field: field, rows, range, hasGroups: false, into: &found)
                }
            }
        }
    }

    // The members of a group may have changed.
    private mutating func adopt(_ groups: borrowing ValueGroups) {
        revision = groups.revision
        let usable = groups.all.filter { group in columnsByField.contains(where: group.columns.contains) }
        for field in states.indices {
            states[field].group = usable.firstIndex { $0.columns.contains(states[field].column) }
        }
        groupStates = usable.map { group in
            let fields = states.indices.filter { group.columns.contains(columnsByField[$0]) }
            let searches = fields.reduce(0) { $0 + (states[$1].searches ?? 0) }
            return GroupState(
                column: group.column, fields: fields,
                memo: Memo(limit: CaptureLimits.keptValues, searches: searches, instructions: instructions))
        }
    }

    private mutating func find(
        group: Int, _ rows: borrowing ValueRows, _ range: Range<Int>, into found: inout [Examiner.Found]
    ) {
        guard !groupStates.span[group].memo.isUseless else { return }
        let column = groupStates.span[group].column
        misses.removeAll(keepingCapacity: true)
        let count = groupStates[group].memo.find(rows, range, column: column, misses: &misses, into: &found)
        groupStates[group].isDone = range.count - count <= Self.fewRows
        if count < range.count, groupStates.span[group].isDone { examineRest(of: group, rows, range, into: &found) }
        for row in misses.map(Int.init) {
            var all = Examiner.Found.nothing
            for field in groupStates[group].fields { all.formUnion(examine(row, of: field, rows)) }
            found[row].formUnion(all)
            rows.withBytes(of: rows[row, column]) { groupStates[group].memo.keep(all, for: $0, range: $1) }
        }
    }

    // Looks at the values of rows in which those of a group are not together.
    private mutating func examineRest(
        of group: Int, _ rows: borrowing ValueRows, _ range: Range<Int>, into found: inout [Examiner.Found]
    ) {
        for row in range where rows[row, groupStates.span[group].column].isAbsent {
            for field in groupStates[group].fields { found[row].formUnion(examine(row, of: field, rows)) }
        }
    }

    private mutating func find(
        field: Int, _ rows: borrowing ValueRows, _ range: Range<Int>, hasGroups: Bool,
        into found: inout [Examiner.Found]
    ) {
        var besides: Int?
        if hasGroups, let group = states.span[field].group, !groupStates.span[group].memo.isUseless {
            if groupStates.span[group].isDone { return }
            besides = groupStates.span[group].column
        }
        let column = states.span[field].column
        if states.span[field].sieve != nil {
            examinePicked(rows, range, field: field, besides: besides, into: &found)
        } else if states.span[field].searches == nil || states.span[field].memo.isUseless {
            examineAll(rows, range, field: field, besides: besides, into: &found)
        } else {
            misses.removeAll(keepingCapacity: true)
            states[field].memo.find(rows, range, column: column, besides: besides, misses: &misses, into: &found)
            for row in misses.map(Int.init) {
                let one = examine(row, of: field, rows)
                found[row].formUnion(one)
                rows.withBytes(of: rows[row, column]) { states[field].memo.keep(one, for: $0, range: $1) }
            }
        }
    }

    // Looks at the values that a test may look for.
    private mutating func examinePicked(
        _ rows: borrowing ValueRows, _ range: Range<Int>, field: Int, besides: Int?, into found: inout [Examiner.Found]
    ) {
        let column = states.span[field].column
        guard let picked = states[field].sieve?.pick(rows, range, column: column, besides: besides) else { return }
        for offset in picked {
            let row = range.lowerBound + Int(offset)
            found[row].formUnion(examine(row, of: field, rows))
        }
    }

    // Looks at each value, whether or not it was there before.
    private mutating func examineAll(
        _ rows: borrowing ValueRows, _ range: Range<Int>, field: Int, besides: Int?, into found: inout [Examiner.Found]
    ) {
        let column = states.span[field].column
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
    private mutating func examine(_ row: Int, of field: Int, _ rows: borrowing ValueRows) -> Examiner.Found {
        let value = rows[row, states.span[field].column]
        if value.isAbsent { return .nothing }
        return rows.withBytes(of: value) { examiner.examine($0.extracting($1), of: field) }
    }
}

/// Knows some values by their length and a byte of them, so that most others can be passed over at once.
struct ValueSieve: Sendable {
    private var words = [UInt64](repeating: 0, count: Int(value_sieve_words))
    // Of the current rows.
    private var rows = [UInt32](repeating: 0, count: ValueSlots.batch)

    /// - Parameter values: The values.
    init(_ values: [[UInt8]]) {
        for value in values {
            // SAFETY: a sieve has that number of words, and the value that number of bytes.
            unsafe words.withUnsafeMutableBufferPointer { words in
                unsafe value.withUnsafeBufferPointer {
                    unsafe value_sieve_add(words.baseAddress, $0.baseAddress, $0.count)
                }
            }
        }
    }

    /// The rows of a batch whose value may be one of these, in rising order.
    ///
    /// - Parameters:
    ///   - all: The rows.
    ///   - range: Which of them, no more than ``ValueSlots/batch``.
    ///   - column: Which value of each.
    ///   - besides: A column; rows that have a value there are left out.
    mutating func pick(
        _ all: borrowing ValueRows, _ range: Range<Int>, column: Int, besides: Int?
    ) -> ArraySlice<UInt32> {
        let count = unsafe all.withColumn(column, besides: besides, of: range) { column in
            unsafe words.withUnsafeBufferPointer { words in
                unsafe rows.withUnsafeMutableBufferPointer { rows in
                    var column = unsafe column
                    // SAFETY: there is room for a batch, and the column has no more rows. Values outside its memory are
                    // refused.
                    return unsafe value_sieve_pick(words.baseAddress, &column, rows.baseAddress)
                }
            }
        }
        precondition(count >= 0, "values lie inside their memory")
        return rows[..<count]
    }
}
