internal import CLZ4

@testable import Columns

/// A stream in forms that we read and never write: bodies packed by LZ4, and dictionaries that grow by what is new (deltas).
struct RecodedStream {
    private(set) var bytes: [UInt8] = []
    /// The number of dictionaries that only add values.
    private(set) var deltas = 0
    private let isPacked: Bool
    private let hasDeltas: Bool
    // By number of the dictionary, how many values were sent.
    private var sentCounts: [Int64: Int] = [:]

    /// - Parameters:
    ///   - stream: A plain stream of ``ColumnWriter``, which sends the whole of a dictionary that has grown.
    ///   - isPacked: True for LZ4.
    ///   - hasDeltas: True for deltas.
    init(_ stream: [UInt8], isPacked: Bool, hasDeltas: Bool) throws(ColumnFailure) {
        (self.isPacked, self.hasDeltas) = (isPacked, hasDeltas)
        var (messages, start) = (MessageReader(ColumnBytes(stream)), 0)
        var types: [Int64: ColumnField] = [:]
        while let message = try messages.message(at: start) {
            let body = Array(stream[message.bodyOffset..<message.end])
            switch message.header.content {
            case .schema(let schema):
                types = schema.dictionaryTypes
                bytes += stream[start..<message.end]
            case .dictionary(let id, let header, _): try append(id, types[id], header, body)
            case .batch(let header): append(3, header, body) { $0 }
            }
            start = message.end
        }
        bytes += stream[start...]
    }

    private mutating func append(
        _ id: Int64, _ field: ColumnField?, _ header: BatchHeader, _ body: [UInt8]
    ) throws(ColumnFailure) {
        let sent = sentCounts.updateValue(header.rowCount, forKey: id)
        guard hasDeltas, let field, let sent else { return append(2, header, body) { [.int64(id), .table($0)] } }
        let plain = ColumnField(field.name, field.type)
        var (all, stored, new) = (Column(), BatchBody(body, header, at: 0), ValueList())
        let column = try stored.column(plain)
        try column.decode(0..<column.count, from: body, into: &all)
        for value in all.values[sent...] {
            if value.isAbsent {
                new.appendAbsent(width: field.type == .fixedBytes(16) ? 16 : 0)
            } else {
                new.append(body.span.extracting(value.range))
            }
        }
        var built = BodyBuilder(count: all.values.count - sent, packer: nil)
        built.append(.values(new), as: plain)
        let table = try FlatTable(root: FlatBuilder.bytes(root: built.table), at: 0)
        let less = try BatchHeader(table, bodyLength: built.bytes.count, limit: ColumnLimits.values)
        append(2, less, built.bytes) { [.int64(id), .table($0), .int8(1)] }
        deltas += 1
    }

    private mutating func append(
        _ kind: Int8, _ header: BatchHeader, _ body: [UInt8], _ around: ([FlatValue?]) -> [FlatValue?]
    ) {
        var (packed, buffers): ([UInt8], [Int64]) = ([], [])
        for part in header.buffers {
            let start = packed.count
            if isPacked, !part.isEmpty {
                packed.append(number: Int64(part.count))
                packed += Self.frame(body[part])
            } else {
                packed += body[part]
            }
            buffers += [Int64(start), Int64(packed.count - start)]
            packed += Array(repeating: 0, count: -packed.count & 7)
        }
        let nodes: [Int64] = header.nodes.reduce(into: []) { $0 += [Int64($1.count), $1.hasAbsent ? 1 : 0] }
        let table: [FlatValue?] = [
            .int64(Int64(header.rowCount)), .structures(nodes, each: 2), .structures(buffers, each: 2),
            isPacked ? .table([.int8(BodyCodec.lz4.rawValue), .int8(0)]) : nil,
        ]
        let metadata = FlatBuilder.bytes(root: [
            .int16(4), .int8(kind), .table(around(table)), .int64(Int64(packed.count)),
        ])
        bytes += [0xFF, 0xFF, 0xFF, 0xFF]
        bytes.append(number: Int32(metadata.count))
        bytes += metadata + packed
    }

    private static func frame(_ part: ArraySlice<UInt8>) -> [UInt8] {
        var frame = [UInt8](repeating: 0, count: LZ4F_compressFrameBound(part.count, nil))
        let count = unsafe part.withUnsafeBytes { part in
            unsafe frame.withUnsafeMutableBytes { frame in
                // SAFETY: liblz4 keeps to the sizes of both.
                unsafe LZ4F_compressFrame(frame.baseAddress, frame.count, part.baseAddress, part.count, nil)
            }
        }
        precondition(LZ4F_isError(count) == 0, "the frame has room for what cannot be packed")
        return Array(frame.prefix(count))
    }
}
