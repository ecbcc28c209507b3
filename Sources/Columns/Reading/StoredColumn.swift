/// A column of a batch as it is stored: where its parts are, which are there and long enough.
///
/// Any of its rows can be decoded, by any number of threads at a time. What the parts say of a row is checked then.
struct StoredColumn: Sendable {
    let field: ColumnField
    /// The number of rows.
    let count: Int
    let presence: Presence
    let values: Values
    /// True to list text that is not UTF-8, rather than to refuse it.
    let keepsDamagedText: Bool

    /// The parts with the values.
    indirect enum Values: Sendable {
        /// All are absent.
        case none
        case keys(DictionaryKeys, ColumnDictionary, StoredPart)
        case booleans(StoredPart)
        /// Their JSON texts are wanted.
        case integers(bits: Int, isSigned: Bool, StoredPart)
        case floats(bits: Int, StoredPart)
        /// The numbers themselves are wanted; those of times, too.
        case numbers(bits: Int, isSigned: Bool, StoredPart)
        case ranges(StoredOffsets, StoredPart)
        case views(StoredOffsets, [StoredPart])
        case fixedBytes(Int, StoredPart)
        /// The sizes are there for lists that are in any order.
        case lists(StoredOffsets, sizes: StoredOffsets?, StoredColumn)
    }

    /// The dictionary of the keys; `nil` for a column without keys.
    var dictionary: ColumnDictionary? {
        if case .keys(_, let dictionary, _) = values { dictionary } else { nil }
    }

    /// Decodes some rows.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - bytes: The memory of the batch.
    ///   - column: Takes their values, in place of its content; its memory is used again.
    func decode(_ rows: Range<Int>, from bytes: [UInt8], into column: inout Column) throws(ColumnFailure) {
        precondition(rows.lowerBound >= 0 && rows.upperBound <= count, "the column has the rows")
        column.clear()
        try ColumnFailure.naming(column: field.name) { () throws(ColumnFailure) in
            try append(rows, from: bytes, to: &column)
        }
    }

    /// Adds the values of some rows to those of others of the same column.
    func append(_ rows: Range<Int>, from bytes: [UInt8], to column: inout Column) throws(ColumnFailure) {
        switch values {
        case .none: column.values.resize(to: column.values.count + rows.count, filling: .absent)
        case .keys(let keys, let dictionary, let part):
            column.content = dictionary.isText ? .text : .bytes
            column.dictionary = dictionary
            try appendKeys(keys, dictionary.count, part, rows, bytes, to: &column.keys)
        case .booleans(let part): appendBooleans(part, rows, bytes, to: &column)
        case .integers(let bits, let isSigned, let part):
            try appendTexts(bits, isSigned: isSigned, part, rows, bytes, to: &column) {
                isSigned ? $0.description : UInt64(bitPattern: $0).description
            }
        case .floats(let bits, let part):
            try appendTexts(bits, isSigned: false, part, rows, bytes, to: &column) {
                FloatText.text(of: $0, bits: bits)
            }
        case .numbers(let bits, let isSigned, let part):
            column.content = .numbers
            try appendNumbers(bits, isSigned: isSigned, part, rows, bytes, to: &column.numbers)
        case .ranges(let offsets, let data):
            if !field.type.isText { column.content = .bytes }
            try appendRanges(offsets, data, rows, bytes, to: &column)
        case .views(let views, let parts):
            if !field.type.isText { column.content = .bytes }
            try appendViews(views, parts, rows, bytes, to: &column)
        case .fixedBytes(let width, let part):
            column.content = .bytes
            column.values.reserveCapacity(column.values.count + rows.count + 1)
            for row in rows {
                let start = part.range.lowerBound + row * width
                column.values.append(presence.contains(row, in: bytes) ? ColumnValue(start..<start + width) : .absent)
            }
        case .lists(let offsets, let sizes, let elements):
            column.content = .lists
            if column.elements.isEmpty { column.elements.append(Column()) }
            try appendLists(offsets, sizes, elements, rows, bytes, to: &column)
        }
    }
}

/// A part of a body.
struct StoredPart: Sendable {
    /// The place in the memory, unpacked.
    let range: Range<Int>
    /// The place in the input.
    let offset: Int
    let isPacked: Bool

    /// A failure at a byte of the part.
    func failure(_ message: String, at byte: Int = 0) -> ColumnFailure {
        ColumnFailure(message, at: offset + (isPacked ? 0 : byte))
    }
}

/// Offsets of 4 or 8 bytes.
struct StoredOffsets: Sendable {
    let part: StoredPart
    let isLarge: Bool

    /// An offset, which has to be in the memory.
    @inline(__always)
    func offset(_ index: Int, in bytes: [UInt8]) -> Int {
        let byte = part.range.lowerBound &+ index &* (isLarge ? 8 : 4)
        // SAFETY: the span checks that the number lies in it, and every pattern of bits is a number.
        let bytes = unsafe bytes.span.bytes
        return unsafe isLarge
            ? Int(Int64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: byte, as: Int64.self)))
            : Int(Int32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: byte, as: Int32.self)))
    }

    /// A failure at an offset.
    func failure(_ message: String, at index: Int) -> ColumnFailure {
        part.failure(message, at: index * (isLarge ? 8 : 4))
    }
}

/// The bits that say which rows have a value.
struct Presence: Sendable {
    /// The first byte of the bits; `nil` if all rows have one.
    let start: Int?

    @inline(__always)
    func contains(_ row: Int, in bytes: [UInt8]) -> Bool {
        guard let start else { return true }
        return bytes[start &+ row >> 3] >> (row & 7) & 1 != 0
    }
}

extension ColumnType {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
}

extension Column {
    /// Forgets the values, and keeps the memory.
    mutating func clear() {
        (content, dictionary, texts) = (.text, nil, nil)
        damaged.removeAll()
        keys.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        for index in elements.indices { elements[index].clear() }
    }
}
