/// The body of a batch or a dictionary that is written, and the table that describes it.
struct BodyBuilder {
    private(set) var bytes: [UInt8] = []
    private let count: Int
    private let packer: ZstdBody?
    private var nodes: [Int64] = []
    private var buffers: [Int64] = []

    /// - Parameters:
    ///   - count: The number of rows.
    ///   - packer: Compresses the parts; `nil` leaves them plain.
    init(count: Int, packer: ZstdBody?) { (self.count, self.packer) = (count, packer) }

    /// The table `RecordBatch` of Arrow's format.
    var table: [FlatValue?] {
        [
            .int64(Int64(count)), .structures(nodes, each: 2), .structures(buffers, each: 2),
            packer == nil ? nil : .table([.int8(BodyCodec.zstd.rawValue), .int8(0)]),
        ]
    }

    /// Appends a column.
    mutating func append(_ column: ColumnData, as field: ColumnField) {
        precondition(column.count == count, "each column has a value for each row")
        switch column {
        case .keys(let keys):
            append(presenceOf: keys) { $0 >= 0 }
            append(keys.map { max($0, 0) }, bits: field.keys?.bits ?? 0)
        case .numbers(let numbers):
            append(presenceOf: numbers) { $0 != Column.absentNumber }
            append(numbers, bits: 64)
        case .values(let values):
            append(values.presence)
            if case .fixedBytes(let width) = field.type {
                precondition(values.bytes.count == width * count, "each value has the same number of bytes")
            } else {
                append([0] + values.ends, bits: 32)
            }
            append(part: values.bytes)
        }
    }

    private mutating func append<Number>(presenceOf rows: [Number], _ isPresent: (Number) -> Bool) {
        var bits = PresenceBits()
        for row in rows { bits.append(isPresent(row)) }
        append(bits)
    }

    private mutating func append(_ presence: PresenceBits) {
        nodes += [Int64(count), Int64(presence.absentCount)]
        append(part: presence.absentCount == 0 ? [] : presence.bytes)
    }

    private mutating func append(_ numbers: [some FixedWidthInteger], bits: Int) {
        var part: [UInt8] = []
        part.reserveCapacity(numbers.count * bits / 8)
        for number in numbers {
            switch bits {
            case 8: part.append(number: Int8(number))
            case 16: part.append(number: Int16(number))
            case 32: part.append(number: Int32(number))
            default: part.append(number: Int64(number))
            }
        }
        append(part: part)
    }

    private mutating func append(part: [UInt8]) {
        let start = bytes.count
        if let packer, !part.isEmpty {
            bytes.append(number: Int64(part.count))
            packer.pack(part, to: &bytes)
        } else {
            bytes += part
        }
        buffers += [Int64(start), Int64(bytes.count - start)]
        bytes.pad(to: 8)
    }
}

/// The values of a column in a batch that is written.
package enum ColumnData: Sendable {
    /// Indices of values in the column's dictionary; a negative one is absent.
    case keys([Int32])
    /// Text or bytes.
    case values(ValueList)
    /// Times, or whole numbers of 64 bits; ``Column/absentNumber`` is absent.
    case numbers([Int64])

    var count: Int {
        switch self {
        case .keys(let keys): keys.count
        case .values(let values): values.count
        case .numbers(let numbers): numbers.count
        }
    }
}
