/// A batch of records as columns, as it is stored; its rows are decoded in parts, on any thread.
///
/// The memory of a batch is used again for the next one that it takes.
package struct ColumnBatch: Sendable {
    /// The memory that contains the values of all columns.
    package internal(set) var bytes: [UInt8] = []
    /// The number of the batch, counted from 1.
    package private(set) var number = 0
    /// The number of records.
    package private(set) var count = 0
    // In the order of the schema; `nil` for those that nobody wants.
    private var columns: [StoredColumn?] = []

    package init() {}

    /// Takes a batch whose body is in ``bytes``: finds the columns that are wanted, and unpacks them.
    mutating func take(
        _ header: BatchHeader, at offset: Int, number: Int, schema: ColumnSchema, choice: ColumnChoice,
        dictionaries: [Int64: ColumnDictionary]
    ) throws(ColumnFailure) {
        (self.number, count) = (number, header.rowCount)
        columns.removeAll(keepingCapacity: true)
        var body = BatchBody(bytes, header, at: offset, choice)
        bytes = []
        defer { bytes = body.bytes }
        try ColumnFailure.naming(batch: number) { () throws(ColumnFailure) in
            for field in schema.fields {
                guard choice.includes(field) else {
                    columns.append(nil)
                    try body.skip(field)
                    continue
                }
                let wantsNumbers = choice.numbers.contains(field.name)
                columns.append(try body.column(field, wantsNumbers: wantsNumbers, dictionaries: dictionaries))
            }
            try body.checkEnd()
        }
    }

    /// Decodes some rows of the columns that are wanted: afterwards each value is in its memory, and each text is UTF-8.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - decoded: Takes the columns in the order of the schema, whose rows are counted from the first of these; those that
    ///     nobody wants have none. Their memory is used again.
    package func decode(_ rows: Range<Int>, into decoded: inout [Column]) throws(ColumnFailure) {
        decoded.resize(to: columns.count, filling: Column())
        for index in columns.indices { try decode(rows, ofColumn: index, into: &decoded[index]) }
    }

    /// Decodes some rows of a column.
    package func decode(
        _ rows: Range<Int>, ofColumn index: Int, into decoded: inout Column
    ) throws(ColumnFailure) {
        guard let column = columns[index] else { return decoded.clear() }
        try ColumnFailure.naming(batch: number) { () throws(ColumnFailure) in
            try column.decode(rows, from: bytes, into: &decoded)
        }
    }

    /// The dictionary of a column; `nil` if it has none.
    package func dictionary(ofColumn index: Int) -> ColumnDictionary? { columns[index]?.dictionary }

    /// The dictionaries of all columns that are wanted.
    package var dictionaries: [ColumnDictionary] { columns.compactMap { $0?.dictionary } }
}

extension Column {
    /// The memory that contains its values.
    ///
    /// - Parameter batch: The batch that it was decoded from.
    package func bytes(in batch: borrowing ColumnBatch) -> [UInt8] { texts ?? batch.bytes }
}
