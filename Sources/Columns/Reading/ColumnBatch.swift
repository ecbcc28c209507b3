/// A batch of records as columns: first as it is stored (``ColumnReader/read(_:)``), then decoded.
///
/// The memory of a batch is used again for the next one that it takes.
package struct ColumnBatch: Sendable {
    /// The memory that contains the values of all columns.
    package internal(set) var bytes: [UInt8] = []
    /// The number of the batch, counted from 1.
    package private(set) var number = 0
    /// The columns in the order of the schema. Undecoded ones are those of an earlier batch; those that nobody wants have no values.
    package private(set) var columns: [Column] = []
    private var schema = ColumnSchema([])
    private var choice = ColumnChoice()
    private var header = BatchHeader()
    private var offset = 0
    private var dictionaries: [Int64: ColumnDictionary] = [:]

    package init() {}

    /// The number of records.
    package var count: Int { header.rowCount }

    /// Takes a batch whose body is in ``bytes``.
    mutating func take(
        _ header: BatchHeader, at offset: Int, number: Int, schema: ColumnSchema, choice: ColumnChoice,
        dictionaries: [Int64: ColumnDictionary]
    ) {
        (self.header, self.offset, self.number) = (header, offset, number)
        (self.schema, self.choice, self.dictionaries) = (schema, choice, dictionaries)
    }

    /// Unpacks and checks the columns that are wanted: afterwards each value is in ``bytes`` or a dictionary, and each text is UTF-8.
    package mutating func decode() throws(ColumnFailure) {
        var body = BatchBody(bytes, header, at: offset, choice)
        bytes = []
        defer { bytes = body.bytes }
        columns.resize(to: schema.fields.count, filling: Column())
        try ColumnFailure.naming(batch: number) { () throws(ColumnFailure) in
            for (index, field) in schema.fields.enumerated() {
                guard choice.includes(field) else {
                    columns[index].clear()
                    try body.skip(field)
                    continue
                }
                try body.decode(
                    field, into: &columns[index], wantsNumbers: choice.numbers.contains(field.name),
                    dictionaries: dictionaries)
            }
            try body.checkEnd()
        }
    }
}
