/// Values to write: those of a column, or of a dictionary, one behind the other.
package struct ValueList: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The end of each value in ``bytes``.
    private(set) var ends: [Int32] = []
    private(set) var presence = PresenceBits()

    package init() {}

    /// The number of values.
    package var count: Int { ends.count }

    /// Appends a value.
    ///
    /// - Parameter value: The bytes; UTF-8 for a column of text. All values have less than 2 GiB.
    package mutating func append(_ value: Span<UInt8>) {
        for index in value.indices { bytes.append(value[index]) }
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

/// The bits that say which rows have a value, as they are written.
struct PresenceBits: Sendable {
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0
    private(set) var absentCount = 0

    mutating func append(_ isPresent: Bool) {
        if count % 8 == 0 { bytes.append(0) }
        if isPresent { bytes[count / 8] |= 1 << UInt8(count % 8) } else { absentCount += 1 }
        count += 1
    }
}
