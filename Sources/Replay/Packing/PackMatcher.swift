internal import PolicyEngine

/// Numbers all values of the records that are packed.
struct PackMatcher: RecordMatcher {
    private let keys: PackedKeys
    private var numberings: [ValueNumbering]
    private let translation = NumberedRows.Translation()
    private(set) var numbered: NumberedRows?

    /// The values of a record.
    struct Matches: RecordMatches {
        let rows: NumberedRows
        let row: Int32

        // Nothing is counted by app, and no filter looks at a record.
        var app: AppNumbers {
            get { .none }
            set {}
        }

        subscript(account: Int) -> AttributeMatches {
            get { .none }
            set {}
        }
    }

    /// - Parameters:
    ///   - keys: The keys so far.
    ///   - fields: Takes them.
    init(_ keys: PackedKeys, fields: inout CaptureFields) {
        self.keys = keys
        fields.listsOthers = keys.refusal == nil
        let instructions = fields.instructions
        numberings = []
        for name in keys.names {
            numberings.append(ValueNumbering(column: fields.column(of: name), instructions: instructions))
        }
    }

    mutating func match(_ batch: borrowing RecordBatch, into matches: inout [Matches]) {
        let texts = keys.texts
        var values = NumberedRows.Values(rowCount: batch.heads.count)
        for column in numberings.indices {
            if texts.contains(column) {
                numberings[column].copy(batch.rows, into: &values)
            } else {
                numberings[column].number(batch.rows, into: &values)
            }
        }
        let rows = NumberedRows(values, translation)
        numbered = rows
        matches.removeAll(keepingCapacity: true)
        for row in batch.heads.indices { matches.append(Matches(rows: rows, row: Int32(row))) }
    }
}
