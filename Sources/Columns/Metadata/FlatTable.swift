/// A table of a FlatBuffer: the fields of a message, each of which is checked to lie in the bytes before it is read.
///
/// A table is reached from the root by a fixed number of steps, so that tables which contain themselves do no harm.
struct FlatTable {
    private let bytes: [UInt8]
    private let origin: Int
    private let position: Int
    private let fields: Range<Int>

    /// The root of a FlatBuffer.
    ///
    /// - Parameters:
    ///   - bytes: The whole buffer.
    ///   - origin: The place of its first byte in the input, for failures.
    init(root bytes: [UInt8], at origin: Int) throws(ColumnFailure) {
        let start = try bytes.number(at: 0, origin: origin, as: UInt32.self)
        try self.init(bytes, origin, position: Int(start))
    }

    private init(_ bytes: [UInt8], _ origin: Int, position: Int) throws(ColumnFailure) {
        (self.bytes, self.origin, self.position) = (bytes, origin, position)
        let list = position - Int(try bytes.number(at: position, origin: origin, as: Int32.self))
        let size = Int(try bytes.number(at: list, origin: origin, as: UInt16.self))
        guard size >= 4, list + size <= bytes.count else {
            throw ColumnFailure("the list of a table's fields is damaged", at: origin + position)
        }
        fields = list + 4..<list + size
    }

    /// A failure at the start of the table.
    func failure(_ message: String, hint: String? = nil) -> ColumnFailure {
        ColumnFailure(message, at: origin + position, hint: hint)
    }

    private func field(_ index: Int) throws(ColumnFailure) -> Int? {
        let entry = fields.lowerBound + 2 * index
        guard entry + 2 <= fields.upperBound else { return nil }
        let offset = Int(try bytes.number(at: entry, origin: origin, as: UInt16.self))
        return offset == 0 ? nil : position + offset
    }

    /// A number; `value` where the field is absent.
    func number<Number: FixedWidthInteger>(_ index: Int, or value: Number = 0) throws(ColumnFailure) -> Number {
        guard let field = try field(index) else { return value }
        return try bytes.number(at: field, origin: origin)
    }

    /// A boolean; false where the field is absent.
    func boolean(_ index: Int) throws(ColumnFailure) -> Bool { try number(index, or: UInt8(0)) != 0 }

    /// A table in the table.
    func table(_ index: Int) throws(ColumnFailure) -> FlatTable? {
        guard let field = try field(index) else { return nil }
        return try table(from: field)
    }

    /// A text; `nil` where the field is absent.
    func text(_ index: Int, limit: Int = ColumnLimits.metadataBytes) throws(ColumnFailure) -> String? {
        guard let range = try vector(index, size: 1) else { return nil }
        guard range.count <= limit else { throw failure("a name has \(range.count) bytes; \(limit) are the limit") }
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw ColumnFailure("a text is not UTF-8", at: origin + range.lowerBound)
        }
        return text
    }

    /// The tables of a vector; none where the field is absent.
    func tables(_ index: Int, limit: Int) throws(ColumnFailure) -> [FlatTable] {
        var tables: [FlatTable] = []
        guard let range = try vector(index, size: 4) else { return tables }
        guard range.count / 4 <= limit else {
            throw failure("a list has \(range.count / 4) entries; \(limit) are the limit")
        }
        for entry in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            tables.append(try table(from: entry))
        }
        return tables
    }

    /// The entries of a vector of structures, as numbers of 8 bytes, of which each has some.
    func numbers(_ index: Int, each count: Int) throws(ColumnFailure) -> [Int64] {
        var numbers: [Int64] = []
        guard let range = try vector(index, size: 8 * count) else { return numbers }
        numbers.reserveCapacity(range.count / 8)
        for entry in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
            numbers.append(try bytes.number(at: entry, origin: origin))
        }
        return numbers
    }

    private func table(from reference: Int) throws(ColumnFailure) -> FlatTable {
        let target = reference + Int(try bytes.number(at: reference, origin: origin, as: UInt32.self))
        return try FlatTable(bytes, origin, position: target)
    }

    // The bytes of a vector with elements of a size.
    private func vector(_ index: Int, size: Int) throws(ColumnFailure) -> Range<Int>? {
        guard let field = try field(index) else { return nil }
        let start = field + Int(try bytes.number(at: field, origin: origin, as: UInt32.self))
        let count = Int(try bytes.number(at: start, origin: origin, as: UInt32.self))
        guard count <= (bytes.count - start - 4) / size else {
            throw ColumnFailure("a list of \(count) entries is longer than what contains it", at: origin + start)
        }
        return start + 4..<start + 4 + count * size
    }
}

extension [UInt8] {
    /// A number, the little end first.
    ///
    /// - Parameters:
    ///   - offset: The place of its first byte.
    ///   - origin: The place of the array in the input, for the failure if the number does not lie in the array.
    func number<Number: FixedWidthInteger>(
        at offset: Int, origin: Int, as type: Number.Type = Number.self
    ) throws(ColumnFailure) -> Number {
        let size = MemoryLayout<Number>.size
        guard offset >= 0, offset <= count - size else {
            throw ColumnFailure(
                "a number is not in what describes the columns", at: origin + Swift.min(Swift.max(0, offset), count))
        }
        return self[offset..<offset + size].reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// Appends a number, the little end first.
    mutating func append(number: some FixedWidthInteger) {
        unsafe Swift.withUnsafeBytes(of: number.littleEndian) { bytes in
            // SAFETY: the bytes of the number are copied while it lives.
            unsafe append(contentsOf: bytes)
        }
    }

    /// Appends zeros up to a multiple of a size.
    mutating func pad(to size: Int) { append(contentsOf: repeatElement(0, count: (size - count % size) % size)) }
}
