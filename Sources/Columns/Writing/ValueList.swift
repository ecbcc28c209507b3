/// Values to write: those of a column, or of a dictionary, one behind the other.
package struct ValueList: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The end of each value in ``bytes``.
    private(set) var ends: [Int32] = []
    private(set) var presence = PresenceBits()

    package init() {}

    /// The number of values.
    package var count: Int { ends.count }

    /// The number of bytes of all values.
    package var byteCount: Int { bytes.count }

    /// True if a value is not absent.
    package func hasValue(_ index: Int) -> Bool { presence[index] }

    /// The bytes of a value; none for an absent one.
    package subscript(index: Int) -> ArraySlice<UInt8> {
        bytes[(index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])]
    }

    /// Appends a value.
    ///
    /// - Parameter value: The bytes; UTF-8 for a column of text. All values have less than 2 GiB.
    package mutating func append(_ value: Span<UInt8>) {
        unsafe value.withUnsafeBufferPointer { buffer in
            // SAFETY: the bytes are copied before the borrow ends.
            unsafe bytes.append(contentsOf: buffer)
        }
        endValue(isPresent: true)
    }

    /// Appends a value that is a part of some bytes.
    package mutating func append(_ value: ArraySlice<UInt8>) {
        bytes.append(contentsOf: value)
        endValue(isPresent: true)
    }

    /// Appends a text, or `nil` for an absent value.
    package mutating func append(_ text: String?) {
        bytes.append(contentsOf: (text ?? "").utf8)
        endValue(isPresent: text != nil)
    }

    /// Appends an absent value of some bytes, which take their room in a column of values of one length.
    package mutating func appendAbsent(width: Int = 0) {
        bytes.append(contentsOf: repeatElement(0, count: width))
        endValue(isPresent: false)
    }

    /// Forgets the values, and keeps the memory.
    package mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        presence = PresenceBits()
    }

    private mutating func endValue(isPresent: Bool) {
        ends.append(Int32(bytes.count))
        presence.append(isPresent)
    }
}

/// The bits that say which rows have a value, as they are written; not kept where all numbers have one.
struct PresenceBits: Sendable {
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0
    private(set) var absentCount = 0

    init() {}

    /// The bits of some numbers; one below the least stands for no value.
    init<Number: FixedWidthInteger>(of rows: [Number], from least: Number) {
        var lowest = least
        for row in rows { lowest = Swift.min(lowest, row) }
        count = rows.count
        // Bits are needed only where a value is absent.
        guard lowest < least else { return }
        bytes.reserveCapacity((count + 7) / 8)
        for start in stride(from: 0, to: count, by: 8) {
            var byte: UInt8 = 0
            for row in start..<Swift.min(start + 8, count) where rows[row] >= least { byte |= 1 << UInt8(row - start) }
            bytes.append(byte)
            absentCount += Swift.min(8, count - start) - byte.nonzeroBitCount
        }
    }

    subscript(index: Int) -> Bool { bytes[index / 8] & 1 << UInt8(index % 8) != 0 }

    mutating func append(_ isPresent: Bool) {
        if count % 8 == 0 { bytes.append(0) }
        if isPresent { bytes[count / 8] |= 1 << UInt8(count % 8) } else { absentCount += 1 }
        count += 1
    }
}
