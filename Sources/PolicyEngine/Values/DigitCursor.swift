/// Walks over the digits and punctuation of a timestamp; the bytes stay with the caller.
public struct DigitCursor: Sendable {
    /// The offset of the next byte to read.
    public private(set) var position: Int
    /// The offset behind the last byte that may be read.
    public let end: Int

    /// Makes a cursor over a part of some bytes.
    ///
    /// - Parameter range: The part; every call must pass bytes that hold it.
    public init(over range: Range<Int>) {
        (position, end) = (range.lowerBound, range.upperBound)
    }

    /// Whether every byte was read.
    public var isAtEnd: Bool { position == end }

    /// Reads exactly so many digits.
    ///
    /// - Returns: Their value, or `nil` when another byte stands among them.
    public mutating func digits(_ count: Int, in bytes: Span<UInt8>) -> Int? {
        guard position + count <= end else { return nil }
        var value = 0
        for offset in position..<position + count {
            guard bytes[offset].isDigit else { return nil }
            value = value * 10 + Int(bytes[offset] - UInt8(ascii: "0"))
        }
        position += count
        return value
    }

    /// Skips one given byte, if it is the next.
    public mutating func skip(_ byte: UInt8, in bytes: Span<UInt8>) -> Bool {
        guard position < end, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Skips any number of digits.
    ///
    /// - Returns: How many there were.
    public mutating func skipDigits(in bytes: Span<UInt8>) -> Int {
        let start = position
        while position < end, bytes[position].isDigit { position += 1 }
        return position - start
    }

    /// Reads `Z`, `z` or `±hh:mm`.
    ///
    /// - Returns: Seconds ahead of UTC, below a day either way; `nil` when the form is another.
    public mutating func offset(in bytes: Span<UInt8>) -> Int? {
        if skip(UInt8(ascii: "Z"), in: bytes) || skip(UInt8(ascii: "z"), in: bytes) { return 0 }
        let isAhead = skip(UInt8(ascii: "+"), in: bytes)
        guard isAhead || skip(UInt8(ascii: "-"), in: bytes) else { return nil }
        guard let hours = digits(2, in: bytes), hours < 24,
            skip(UInt8(ascii: ":"), in: bytes),
            let minutes = digits(2, in: bytes), minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (isAhead ? 60 : -60)
    }
}
