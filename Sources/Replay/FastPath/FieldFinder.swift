/// Finds what is in the values of records; looks at equal ones once, as far as that is worth it.
///
/// Values that mostly come together are looked for as one (``ValueGroups``).
struct FieldFinder<Found: Finding> {
    private let columnsByField: [Int]
    private let instructions: VectorInstructions
    private var states: [FieldState]
    private var groupStates: [GroupState] = []
    private var revision = 0
    // Of the current rows.
    private var misses: [Int32] = []
    private var numbers: [UInt8] = []

    private typealias Memo = ValueMemo<Found>

    private struct FieldState {
        let column: Int
        /// The cost of looking at a value, as a multiple of that of one regex; `nil` where nothing is kept of it.
        let searches: Int?
        var sieve: ValueSieve?
        var memo: Memo
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
    private static var rowsAtOnce: Int { Memo.rowsAtOnce }
    /// The greatest number of rows without a group's values that are examined one by one; for more, the memo of each field is asked.
    private static var fewRows: Int { 4 }

    /// - Parameters:
    ///   - fields: The fields that are looked at.
    ///   - instructions: The instructions that values are hashed and compared with; the processor may have less.
    init(_ fields: [ExaminedField], instructions: VectorInstructions) {
        self.instructions = instructions
        columnsByField = fields.map(\.column)
        states = fields.map { field in
            let searches = field.effort.searchCount
            return FieldState(
                column: field.column, searches: searches, sieve: field.effort.exactValues.map { ValueSieve($0) },
                memo: Memo(limit: CaptureLimits.keptValues, searches: searches ?? 1, instructions: instructions))
        }
    }

    /// The columns that are looked at.
    var columns: [Int] { columnsByField }

    /// Looks at a value of a field, which is named by its index.
    typealias Examine = (_ value: Span<UInt8>, _ field: Int) -> Found

    /// Finds what is in the values of some records.
    ///
    /// - Parameters:
    ///   - rows: The values.
    ///   - groups: Those that are looked for as one.
    ///   - dictionaries: By field, the findings in the values of its dictionary; empty where no column has one.
    ///   - found: Takes what was found in each record, in their order.
    ///   - examine: Looks at a value that was not there before.
    mutating func find(
        _ rows: borrowing ValueRows, _ groups: borrowing ValueGroups, _ dictionaries: [DictionaryFindings<Found>?],
        into found: inout [Found], examine: Examine
    ) {
        found.removeAll(keepingCapacity: true)
        found.append(contentsOf: repeatElement(.nothing, count: rows.count))
        if rows.columns.isEmpty {
            find(rows, groups, into: &found, examine)
        } else {
            find(rows, dictionaries, into: &found, examine)
        }
    }

    private mutating func find(
        _ rows: borrowing ValueRows, _ groups: borrowing ValueGroups, into found: inout [Found], _ examine: Examine
    ) {
        if revision != groups.revision { adopt(groups) }
        // A capture of the other kind has none.
        let hasGroups = !groups.all.isEmpty
        var start = 0
        while start < rows.count {
            let range = start..<min(start + Self.rowsAtOnce, rows.count)
            if hasGroups {
                for group in groupStates.indices { find(group: group, rows, range, into: &found, examine) }
            }
            for field in states.indices { find(field: field, rows, range, hasGroups: hasGroups, into: &found, examine) }
            start = range.upperBound
        }
    }

    private mutating func find(
        _ rows: borrowing ValueRows, _ dictionaries: [DictionaryFindings<Found>?], into found: inout [Found],
        _ examine: Examine
    ) {
        for field in states.indices {
            let column = rows.columns[states[field].column]
            if let dictionary = column.dictionary {
                let known = field < dictionaries.count ? dictionaries[field] : nil
                guard let known, known.dictionary === dictionary else {
                    preconditionFailure("dictionaries are examined before their batches are handed out")
                }
                known.add(column.keys, to: &found, using: &numbers)
            } else if !column.ranges.isEmpty {
                for start in stride(from: 0, to: rows.count, by: Self.rowsAtOnce) {
                    let range = start..<min(start + Self.rowsAtOnce, rows.count)
                    find(field: field, rows, range, hasGroups: false, into: &found, examine)
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
        group: Int, _ rows: borrowing ValueRows, _ range: Range<Int>, into found: inout [Found],
        _ examine: Examine
    ) {
        guard !groupStates.span[group].memo.isUseless else { return }
        let column = groupStates.span[group].column
        misses.removeAll(keepingCapacity: true)
        let count = groupStates[group].memo.find(rows, range, column: column, misses: &misses, into: &found)
        groupStates[group].isDone = range.count - count <= Self.fewRows
        if count < range.count, groupStates.span[group].isDone {
            examineRest(of: group, rows, range, into: &found, examine)
        }
        for row in misses.map(Int.init) {
            var all = Found.nothing
            for field in groupStates[group].fields { all.formUnion(self.examine(row, of: field, rows, examine)) }
            found[row].formUnion(all)
            rows.withBytes(of: rows[row, column]) { groupStates[group].memo.keep(all, for: $0, range: $1) }
        }
    }

    // Looks at the values of rows in which those of a group are not together.
    private func examineRest(
        of group: Int, _ rows: borrowing ValueRows, _ range: Range<Int>, into found: inout [Found],
        _ examine: Examine
    ) {
        for row in range where rows[row, groupStates.span[group].column].isAbsent {
            for field in groupStates[group].fields { found[row].formUnion(self.examine(row, of: field, rows, examine)) }
        }
    }

    // `besides` is the column of the field's group: in rows with a value there, the group has already found what is in the field.
    private mutating func find(
        field: Int, _ rows: borrowing ValueRows, _ range: Range<Int>, hasGroups: Bool,
        into found: inout [Found], _ examine: Examine
    ) {
        var besides: Int?
        if hasGroups, let group = states.span[field].group, !groupStates.span[group].memo.isUseless {
            if groupStates.span[group].isDone { return }
            besides = groupStates.span[group].column
        }
        let column = states.span[field].column
        if states.span[field].sieve != nil {
            examinePicked(rows, range, field: field, besides: besides, into: &found, examine)
        } else if states.span[field].searches == nil || states.span[field].memo.isUseless {
            examineAll(rows, range, field: field, besides: besides, into: &found, examine)
        } else {
            misses.removeAll(keepingCapacity: true)
            states[field].memo.find(rows, range, column: column, besides: besides, misses: &misses, into: &found)
            for row in misses.map(Int.init) {
                let one = self.examine(row, of: field, rows, examine)
                found[row].formUnion(one)
                rows.withBytes(of: rows[row, column]) { states[field].memo.keep(one, for: $0, range: $1) }
            }
        }
    }

    // Looks at the values that a test may look for.
    private mutating func examinePicked(
        _ rows: borrowing ValueRows, _ range: Range<Int>, field: Int, besides: Int?, into found: inout [Found],
        _ examine: Examine
    ) {
        let column = states.span[field].column
        guard let picked = states[field].sieve?.pick(rows, range, column: column, besides: besides) else { return }
        for offset in picked {
            let row = range.lowerBound + Int(offset)
            found[row].formUnion(self.examine(row, of: field, rows, examine))
        }
    }

    // Looks at each value, whether or not it was there before.
    private func examineAll(
        _ rows: borrowing ValueRows, _ range: Range<Int>, field: Int, besides: Int?, into found: inout [Found],
        _ examine: Examine
    ) {
        let column = states.span[field].column
        let (plain, copied) = (rows.bytes, rows.copied)
        var all = found.mutableSpan
        for row in range {
            let value = rows[row, column]
            if value.isAbsent { continue }
            if let besides, !rows[row, besides].isAbsent { continue }
            let bytes = value.isPlain ? plain.span : copied.span
            all[row].formUnion(examine(bytes.extracting(value.range), field))
        }
    }

    @inline(__always)
    private func examine(_ row: Int, of field: Int, _ rows: borrowing ValueRows, _ examine: Examine) -> Found {
        let value = rows[row, states.span[field].column]
        if value.isAbsent { return .nothing }
        return rows.withBytes(of: value) { examine($0.extracting($1), field) }
    }
}
