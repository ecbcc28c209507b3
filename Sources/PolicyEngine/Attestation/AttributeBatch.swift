/// The attributes of some attestations, column by column: the values as they stand in memory, and their numbers.
package struct AttributeBatch: Sendable {
    /// The values.
    package var rows: ValueRows
    /// When each attestation was.
    package var times: [Instant] = []
    // By index of the key: where its values stand in the rows, and their numbers.
    private let columns: [Int]
    private var numbers: [[ValueNumber]]

    /// - Parameters:
    ///   - width: How many fields a row has.
    ///   - columns: By index of each key, where its values stand in a row.
    package init(width: Int, columns: [Int]) {
        rows = ValueRows(width: width)
        self.columns = columns
        numbers = columns.map { _ in [] }
    }

    /// How many attestations there are.
    package var count: Int { rows.count }

    /// Numbers all values.
    package mutating func number(with table: inout AttributeTable) {
        for index in columns.indices {
            table.intern(rows, column: columns[index], for: AttributeKey(index: index), into: &numbers[index])
        }
    }

    /// Where the values of a key stand in the rows.
    package func column(of key: AttributeKey) -> Int { columns[key.index] }

    /// The numbers of the values of a key, by row.
    package func numbers(of key: AttributeKey) -> [ValueNumber] { numbers[key.index] }

    /// The number of one value of a key.
    package func number(of key: AttributeKey, row: Int) -> ValueNumber { numbers[key.index][row] }

    /// The value of a key as text; `nil` where it is absent.
    package func text(of key: AttributeKey, row: Int) -> String? {
        let value = rows[row, columns[key.index]]
        return value.isAbsent ? nil : rows.text(of: value)
    }

    /// The attributes of one attestation, and its time.
    package func attestation(_ row: Int) -> Attestation {
        var attestation = Attestation(time: times[row], device: DeviceIndex(offset: 0))
        for index in columns.indices { attestation.set(numbers[index][row], for: AttributeKey(index: index)) }
        return attestation
    }
}
