/// Writes columns in the form of Arrow IPC, in one pass: a stream, or a file with its dictionaries behind the batches.
///
/// A dictionary may grow while batches are written. A stream repeats one that has grown before the next batch; neither form has
/// deltas, which polars refuses.
package struct ColumnWriter {
    /// The form of the output.
    package enum Form: Sendable { case file, stream }

    /// The dictionaries by their numbers; values may be appended to them.
    package var dictionaries: [Int64: ValueList]
    private let schema: ColumnSchema
    private let form: Form
    private let packer: ZstdBody?
    private var position = 0
    private var sentCounts: [Int64: Int] = [:]
    // By kind of message the numbers of the footer: offset, bytes of metadata, bytes of the body.
    private var dictionaryBlocks: [Int64] = []
    private var batchBlocks: [Int64] = []

    private static let magic = Array("ARROW1".utf8)
    // The version of the format, and the kinds of messages.
    private static let version = FlatValue.int16(4)
    private enum Kind: Int8 {
        case schema = 1
        case dictionary, batch
    }

    /// Begins an output.
    ///
    /// - Parameters:
    ///   - schema: The columns: times, numbers of 64 bits, text, bytes, values of one length, and dictionaries of the last three.
    ///   - form: A file or a stream.
    ///   - level: The level of zstd; `nil` writes plain bytes.
    ///   - output: The bytes so far are appended here, as by each of the functions; the caller takes them away.
    package init(_ schema: ColumnSchema, as form: Form, level: Int? = nil, to output: inout [UInt8]) {
        (self.schema, self.form, packer) = (schema, form, level.map { ZstdBody(level: $0) })
        dictionaries = schema.dictionaryTypes.mapValues { _ in ValueList() }
        if form == .file { append(Self.magic + [0, 0], to: &output) }
        _ = append(.schema, schema.table, body: [], to: &output)
    }

    /// Appends a batch.
    ///
    /// - Parameters:
    ///   - columns: The columns in the order of the schema, all of one length.
    ///   - output: Takes the bytes.
    package mutating func write(_ columns: [ColumnData], to output: inout [UInt8]) {
        precondition(columns.count == schema.fields.count, "each field has its column")
        if form == .stream { writeDictionaries(to: &output) }
        var body = BodyBuilder(count: columns.first?.count ?? 0, packer: packer)
        for (column, field) in zip(columns, schema.fields) { body.append(column, as: field) }
        batchBlocks += append(.batch, body.table, body: body.bytes, to: &output)
    }

    /// Ends the output.
    package mutating func finish(to output: inout [UInt8]) {
        writeDictionaries(to: &output)
        append([0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], to: &output)
        guard form == .file else { return }
        var footer = FlatBuilder.bytes(root: [
            Self.version, .table(schema.table), .structures(dictionaryBlocks, each: 3),
            .structures(batchBlocks, each: 3),
        ])
        footer.append(number: Int32(footer.count))
        append(footer + Self.magic, to: &output)
    }

    private mutating func writeDictionaries(to output: inout [UInt8]) {
        for (id, field) in schema.dictionaryTypes.sorted(by: { $0.key < $1.key }) {
            guard let values = dictionaries[id], sentCounts[id] != values.count else { continue }
            sentCounts[id] = values.count
            var body = BodyBuilder(count: values.count, packer: packer)
            body.append(.values(values), as: ColumnField(field.name, field.type))
            dictionaryBlocks += append(
                .dictionary, [.int64(id), .table(body.table)], body: body.bytes, to: &output)
        }
    }

    // Appends a message; the numbers of its block.
    private mutating func append(
        _ kind: Kind, _ header: [FlatValue?], body: [UInt8], to output: inout [UInt8]
    ) -> [Int64] {
        let metadata = FlatBuilder.bytes(root: [
            Self.version, .int8(kind.rawValue), .table(header), .int64(Int64(body.count)),
        ])
        let block = [Int64(position), Int64(metadata.count + 8), Int64(body.count)]
        var prefix: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
        prefix.append(number: Int32(metadata.count))
        append(prefix + metadata, to: &output)
        append(body, to: &output)
        return block
    }

    private mutating func append(_ bytes: [UInt8], to output: inout [UInt8]) {
        output += bytes
        position += bytes.count
    }
}
