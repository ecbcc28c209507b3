/// The description of a message: a schema, or the parts of the body behind it.
struct MessageHeader {
    /// The kind of the message.
    enum Content {
        case schema(ColumnSchema)
        case dictionary(Int64, BatchHeader, isDelta: Bool)
        case batch(BatchHeader)
    }

    let content: Content
    /// The bytes of the body.
    let bodyLength: Int

    /// Reads the table `Message` of Arrow's format.
    ///
    /// - Parameters:
    ///   - bytes: The metadata.
    ///   - offset: Their place in the input.
    init(_ bytes: [UInt8], at offset: Int) throws(ColumnFailure) {
        let message = try FlatTable(root: bytes, at: offset)
        let version = try message.number(0, or: Int16(0))
        guard 3...4 ~= version else {
            throw message.failure("version \(Int(version) + 1) of Arrow's format is not read; versions 4 and 5 are")
        }
        let length = try message.number(3, or: Int64(0))
        guard 0...Int64(ColumnLimits.bodyBytes) ~= length else {
            throw message.failure("a body of \(length) bytes is refused; the limit is 1 GiB")
        }
        bodyLength = Int(length)
        guard let header = try message.table(2) else { throw message.failure("a message has no header") }
        switch try message.number(1, or: UInt8(0)) {
        case 1: content = .schema(try ColumnSchema(header))
        case 2:
            guard let data = try header.table(1) else { throw header.failure("a dictionary has no values") }
            content = .dictionary(
                try header.number(0),
                try BatchHeader(data, bodyLength: bodyLength, limit: ColumnLimits.values),
                isDelta: try header.boolean(2))
        case 3: content = .batch(try BatchHeader(header, bodyLength: bodyLength, limit: ColumnLimits.rows))
        case let kind: throw message.failure("a message of kind \(kind) is not read")
        }
    }
}

/// The description of a batch of records, or of the values of a dictionary.
struct BatchHeader: Sendable {
    var rowCount = 0
    /// For each column and each column of elements the number of values.
    var nodes: [Node] = []
    /// The parts of the body.
    var buffers: [Range<Int>] = []
    /// For each column of views the number of buffers with long values.
    var viewBuffers: [Int64] = []
    var codec: BodyCodec?

    struct Node: Sendable {
        let count: Int
        let hasAbsent: Bool
    }

    init() {}

    /// Reads the table `RecordBatch`.
    init(_ table: FlatTable, bodyLength: Int, limit: Int) throws(ColumnFailure) {
        rowCount = try Self.count(try table.number(0), limit: limit, table)
        let pairs = try table.numbers(1, each: 2)
        for index in stride(from: 0, to: pairs.count, by: 2) {
            let count = try Self.count(pairs[index], limit: ColumnLimits.values, table)
            nodes.append(Node(count: count, hasAbsent: pairs[index + 1] != 0))
        }
        let places = try table.numbers(2, each: 2)
        for index in stride(from: 0, to: places.count, by: 2) {
            let (start, count, end) = (places[index], places[index + 1], Int64(bodyLength))
            guard 0...end ~= start, 0...end - start ~= count else {
                throw table.failure("\(count) bytes from byte \(start) are not in a body of \(bodyLength) bytes")
            }
            buffers.append(Int(start)..<Int(start + count))
        }
        if let compression = try table.table(3) { codec = try BodyCodec(compression) }
        viewBuffers = try table.numbers(4, each: 1)
    }

    private static func count(_ count: Int64, limit: Int, _ table: FlatTable) throws(ColumnFailure) -> Int {
        guard 0...Int64(limit) ~= count else {
            throw table.failure(
                "a batch of \(count) values is refused; the limit is \(limit)",
                hint: limit == ColumnLimits.rows ? "write it in smaller batches" : nil)
        }
        return Int(count)
    }
}

extension BodyCodec {
    /// Reads the table `BodyCompression`.
    init(_ table: FlatTable) throws(ColumnFailure) {
        let (codec, method) = (try table.number(0, or: Int8(0)), try table.number(1, or: Int8(0)))
        guard let known = BodyCodec(rawValue: codec), method == 0 else {
            throw table.failure("compression \(codec) with method \(method) is unknown")
        }
        self = known
    }
}
