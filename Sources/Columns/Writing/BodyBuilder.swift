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
            append(PresenceBits(of: keys, from: 0))
            append(keys, from: 0, bits: field.keys?.bits ?? 0)
        case .numbers(let numbers):
            append(PresenceBits(of: numbers, from: Column.absentNumber + 1))
            append(numbers, from: Column.absentNumber + 1, bits: field.type.numberBits)
        case .values(let values):
            append(values.presence)
            if case .fixedBytes(let width) = field.type {
                precondition(values.bytes.count == width * count, "each value has the same number of bytes")
            } else {
                append([0] + values.ends, from: 0, bits: 32)
            }
            append(part: values.bytes)
        }
    }

    private mutating func append(_ presence: PresenceBits) {
        nodes += [Int64(count), Int64(presence.absentCount)]
        append(part: presence.absentCount == 0 ? [] : presence.bytes)
    }

    private mutating func append<Number: FixedWidthInteger>(_ numbers: [Number], from least: Number, bits: Int) {
        switch bits {
        case 8: append(part: numbers.narrowed(to: Int8.self, from: least))
        case 16: append(part: numbers.narrowed(to: Int16.self, from: least))
        case 32: append(part: numbers.narrowed(to: Int32.self, from: least))
        default: append(part: numbers.narrowed(to: Int64.self, from: least))
        }
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

extension ColumnType {
    /// The bits of a number that is written.
    fileprivate var numberBits: Int { if case .integer(let bits, _) = self { bits } else { 64 } }
}

extension Array where Element: FixedWidthInteger {
    /// The bytes of numbers with other bits, the little end first; one below the least stands for no number, and becomes 0.
    func narrowed<Narrow: FixedWidthInteger>(to type: Narrow.Type, from least: Element) -> [UInt8] {
        let narrow = map { $0 < least ? 0 : Narrow($0).littleEndian }
        return unsafe narrow.withUnsafeBytes { bytes in
            // SAFETY: the bytes of the array are copied while it lives.
            unsafe [UInt8](bytes)
        }
    }
}

/// The values of a column in a batch that is written.
package enum ColumnData: Sendable {
    /// Indices of values in the column's dictionary; a negative one is absent.
    case keys([Int32])
    /// Text or bytes.
    case values(ValueList)
    /// Times, or whole numbers; ``Column/absentNumber`` is absent.
    case numbers([Int64])

    var count: Int {
        switch self {
        case .keys(let keys): keys.count
        case .values(let values): values.count
        case .numbers(let numbers): numbers.count
        }
    }
}
