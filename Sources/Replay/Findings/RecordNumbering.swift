internal import PolicyEngine

/// Numbers all values of the records that are packed.
struct RecordNumbering {
    private let keys: PackedKeys
    private var numberings: [ValueNumbering]
    private let columns: [Int]
    private let instructions: VectorInstructions
    // The fields that are numbered together, as of a revision of the groups; and by column its place in them.
    private var groups: [GroupNumbering] = []
    private var places: [(group: Int, member: Int)?]
    private var revision = 0
    private let translation = NumberedValues.Translation()

    /// - Parameters:
    ///   - keys: The keys so far.
    ///   - fields: Takes them.
    init(_ keys: PackedKeys, fields: inout CaptureFields) {
        self.keys = keys
        fields.listsOthers = keys.refusal == nil
        let instructions = fields.instructions
        columns = keys.names.map { fields.column(of: $0) }
        numberings = columns.map { ValueNumbering(column: $0, instructions: instructions) }
        places = columns.map { _ in nil }
        self.instructions = instructions
    }

    /// The columns that it looks at, where equal values mean the same.
    var examinedColumns: [Int] { columns }

    /// Numbers the values of the records of a block.
    mutating func number(_ records: borrowing UnexaminedRecords) -> NumberedValues {
        let texts = keys.texts
        if revision != records.groups.revision { adopt(records.groups) }
        for group in groups.indices { groups[group].find(records.rows) }
        var values = NumberedValues.Values(rowCount: records.heads.count)
        for column in numberings.indices {
            if texts.contains(column) {
                numberings[column].copy(records.rows, into: &values)
            } else {
                let group = places[column].map { (groups[$0.group], $0.member) }
                numberings[column].number(records.rows, in: group, into: &values)
            }
        }
        for group in groups.indices { groups[group].keep(records.rows, numbered: values) }
        return NumberedValues(values, translation)
    }

    // The members of a group may have changed.
    private mutating func adopt(_ groups: borrowing ValueGroups) {
        revision = groups.revision
        self.groups = groups.all.map { group in
            GroupNumbering(
                column: group.column, members: group.columns.compactMap { columns.firstIndex(of: $0) },
                instructions: instructions)
        }
        places = columns.map { _ in nil }
        for (group, numbering) in self.groups.enumerated() {
            for (member, column) in numbering.members.enumerated() { places[column] = (group, member) }
        }
    }
}
