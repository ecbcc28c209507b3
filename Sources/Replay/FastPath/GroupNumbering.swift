/// Numbers the values of fields that mostly come together (``ValueGroups``) by one look at all of them.
struct GroupNumbering {
    /// The fields by the indices of their columns among those that are numbered.
    let members: [Int]
    private let column: Int
    private var slots: ValueSlots
    private var answers = ValueSlots.Answers()
    // Group by group the numbers of the members.
    private var numbers: [Int32] = []
    // Of the current rows: for each the number of its group, 0 for one that is not known.
    private var groups: [UInt32] = []

    /// - Parameters:
    ///   - column: The column of the bytes of all fields.
    ///   - members: The fields by the indices of their columns among those that are numbered.
    ///   - instructions: The instructions that values are hashed and compared with; the processor may have less.
    init(column: Int, members: [Int], instructions: VectorInstructions) {
        (self.column, self.members) = (column, members)
        slots = ValueSlots(instructions: instructions, tagBits: .max)
    }

    /// Looks for the groups of some records.
    mutating func find(_ rows: borrowing ValueRows) {
        groups.removeAll(keepingCapacity: true)
        for start in stride(from: 0, to: rows.count, by: ValueSlots.rowsAtOnce) {
            let range = start..<min(start + ValueSlots.rowsAtOnce, rows.count)
            _ = slots.find(rows, range, column: column, besides: nil, into: &answers)
            groups.append(contentsOf: answers.numbers[..<range.count])
        }
    }

    /// The number of some records whose groups are known.
    func knownCount(in range: Range<Int>) -> Int { groups[range].count { $0 != 0 } }

    /// The number of a member's value in a record; `nil` if the group of the record is not known.
    @inline(__always)
    func number(of member: Int, row: Int) -> Int32? {
        let group = Int(groups[row])
        return group == 0 ? nil : numbers[(group - 1) * members.count + member]
    }

    /// Keeps the groups of the current records that were not known, while there is room.
    mutating func keep(_ rows: borrowing ValueRows, numbered: borrowing NumberedValues.Values) {
        for row in 0..<rows.count where groups[row] == 0 && slots.count < CaptureLimits.keptValues {
            rows.withValue(row, column) { bytes, range in
                guard slots.insert(bytes, range, number: UInt32(slots.count + 1)) else { return }
                for member in members { numbers.append(numbered.numbers[member * numbered.rowCount + row]) }
            }
        }
    }
}
