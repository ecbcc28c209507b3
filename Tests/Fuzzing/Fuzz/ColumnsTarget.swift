internal import Columns

/// Columns of a stranger, from a file and through a pipe: whatever is decoded has each value in its memory.
enum ColumnsTarget {
    /// Reads all batches, and touches each value.
    static func feed(_ bytes: [UInt8]) {
        for isPipe in [false, true] { _ = try? read(ColumnBytes(bytes, isPipe: isPipe)) }
    }

    private static func read(_ source: ColumnBytes) throws(ColumnFailure) {
        let reader = try ColumnReader(source) { _ in ColumnChoice(numbers: ["line"]) }
        var (batch, columns) = (ColumnBatch(), [Column]())
        while try reader.read(&batch) {
            for rows in [0..<batch.count, batch.count / 3..<batch.count / 2] {
                try batch.decode(rows, into: &columns)
                for column in columns { check(column, rows.count, batch) }
            }
        }
    }

    private static func check(_ column: Column, _ count: Int, _ batch: ColumnBatch) {
        let isComplete =
            if let dictionary = column.dictionary {
                column.keys.count == count && column.keys.allSatisfy { dictionary.values.indices.contains(Int($0)) }
            } else if column.content == .numbers {
                column.numbers.count == count
            } else {
                column.values.count == count
            }
        guard isComplete else { fatalError("a column lacks values") }
        guard column.dictionary == nil, column.content != .numbers else { return }
        for value in column.values where column.content == .lists {
            // Its elements have to be there.
            guard value.range.upperBound <= max(column.elements[0].keys.count, column.elements[0].values.count) else {
                fatalError("a list lacks elements")
            }
        }
        if column.content == .lists {
            check(column.elements[0], max(column.elements[0].keys.count, column.elements[0].values.count), batch)
        } else if column.content == .text {
            let bytes = column.bytes(in: batch)
            for value in column.values where String(validating: bytes[value.range], as: UTF8.self) == nil {
                fatalError("a text is not UTF-8")
            }
        }
    }
}
