internal import Columns

/// Numbers the distinct values of one key, for one worker: from 0, in the order in which it sees them.
struct ValueNumbering {
    private let column: Int
    private let instructions: VectorInstructions
    private var slots: ValueSlots
    private var answers = ValueSlots.Answers()
    // Of the latest dictionary of columns, by key the number of the value.
    private var dictionary: ColumnDictionary?
    private var numbersByKey: [Int32] = []

    /// The number by key of a value that nobody has looked at.
    private static let unknown = Int32.min

    /// - Parameters:
    ///   - column: The column of the values.
    ///   - instructions: The instructions that values are hashed and compared with; the processor may have less.
    init(column: Int, instructions: VectorInstructions) {
        (self.column, self.instructions) = (column, instructions)
        slots = ValueSlots(instructions: instructions, tagBits: .max)
    }

    /// Numbers the values of some records.
    ///
    /// - Parameters:
    ///   - rows: The records.
    ///   - group: A group that the values are in, with the index of the column in it; looked for in the records.
    ///   - numbered: Takes a number for each record, and the values that are new to this worker.
    mutating func number(
        _ rows: borrowing ValueRows, in group: (numbering: GroupNumbering, member: Int)?,
        into numbered: inout NumberedValues.Values
    ) {
        let base = numbered.beginColumn(hasNumbers: true)
        if !rows.columns.isEmpty {
            let values = rows.columns[column]
            if let dictionary = values.dictionary { return number(values.keys, of: dictionary, at: base, &numbered) }
            guard !values.ranges.isEmpty else { return }
        }
        var start = 0
        while start < rows.count {
            let range = start..<min(start + ValueSlots.rowsAtOnce, rows.count)
            if let group, group.numbering.knownCount(in: range) * 2 >= range.count {
                number(rows, range, in: group, at: base, &numbered)
            } else if find(rows, range, at: base + start, in: &numbered), keepMissed(rows, start, base, &numbered) {
                _ = find(rows, range, at: base + start, in: &numbered)
            }
            start = range.upperBound
        }
    }

    // Most records have a known group.
    private mutating func number(
        _ rows: borrowing ValueRows, _ range: Range<Int>, in group: (numbering: GroupNumbering, member: Int),
        at base: Int, _ numbered: inout NumberedValues.Values
    ) {
        for row in range {
            let known = group.numbering.number(of: group.member, row: row)
            let number = known ?? rows.withValue(row, column) { self.number(of: $0, $1, &numbered) }
            if let number { numbered.numbers[base + row] = number }
        }
    }

    // Returns whether some values are not known.
    private mutating func find(
        _ rows: borrowing ValueRows, _ range: Range<Int>, at base: Int, in numbered: inout NumberedValues.Values
    ) -> Bool {
        guard slots.find(rows, range, column: column, besides: nil, into: &answers) > 0 else { return false }
        let known = answers.numbers.span
        var numbers = numbered.numbers.mutableSpan
        // 0 stands for no number.
        for row in 0..<range.count { numbers[base + row] = Int32(bitPattern: known[row]) - 1 }
        return !answers.misses.isEmpty
    }

    // Returns whether a value comes twice among those that were missed.
    private mutating func keepMissed(
        _ rows: borrowing ValueRows, _ start: Int, _ base: Int, _ numbered: inout NumberedValues.Values
    ) -> Bool {
        var isTwice = false
        for missed in answers.misses.map(Int.init) {
            rows.withBytes(of: rows[start + missed, column]) { bytes, range in
                guard slots.insert(bytes, range, number: UInt32(slots.count + 1)) else {
                    isTwice = true
                    return
                }
                numbered.append(bytes, range)
                numbered.numbers[base + start + missed] = Int32(slots.count - 1)
            }
        }
        return isTwice
    }

    // Looks at each value of a dictionary once.
    private mutating func number(
        _ keys: [Int32], of dictionary: ColumnDictionary, at base: Int, _ numbered: inout NumberedValues.Values
    ) {
        if self.dictionary !== dictionary {
            self.dictionary = dictionary
            numbersByKey = Array(repeating: Self.unknown, count: dictionary.values.count)
        }
        for (row, key) in keys.enumerated() {
            var number = numbersByKey[Int(key)]
            if number == Self.unknown {
                number = dictionary.withText(ofKey: key) { self.number(of: $0, $1, &numbered) } ?? -1
                numbersByKey[Int(key)] = number
            }
            numbered.numbers[base + row] = number
        }
    }

    private mutating func number(
        of bytes: Span<UInt8>, _ range: Range<Int>, _ numbered: inout NumberedValues.Values
    ) -> Int32 {
        let count = slots.count
        let number = slots.intern(bytes, range, number: UInt32(count + 1))
        if slots.count > count { numbered.append(bytes, range) }
        return Int32(bitPattern: number) - 1
    }

    /// Hands over the values of some records as they are, each with a number below -1; the others are forgotten.
    mutating func copy(_ rows: borrowing ValueRows, into numbered: inout NumberedValues.Values) {
        if slots.count > 0 { slots = ValueSlots(instructions: instructions, tagBits: .max) }
        (dictionary, numbersByKey) = (nil, [])
        let base = numbered.beginColumn(hasNumbers: false)
        for row in 0..<rows.count {
            rows.withValue(row, column) { bytes, range in
                numbered.numbers[base + row] = NumberedValues.number(ofText: numbered.columnCount)
                numbered.append(bytes, range)
            }
        }
    }
}
