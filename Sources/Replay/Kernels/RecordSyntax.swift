internal import PolicyEngine

/// The syntax of the records of one kind of capture, as far as ``RecordWalk`` understands it.
protocol RecordSyntax {
    /// Bytes from the end of a value to the key behind it.
    static var gap: Int { get }
    /// Bytes from the end of the last value to the delimiter behind it.
    static var closing: Int { get }
    /// True if each delimiter ends a line; else each record is one line.
    static var linesAreDelimiters: Bool { get }

    /// Takes the start of a record, up to its first key.
    ///
    /// - Returns: `nil` where a record starts in another way.
    static func opening(_ walk: inout MemberWalk, _ bytes: Span<UInt8>, _ delimiters: Span<UInt32>) -> RecordOpening?

    /// The offset at which the value of a key starts.
    ///
    /// - Parameters:
    ///   - position: The offset behind the key's pattern.
    ///   - end: The end of the value.
    /// - Returns: `nil` where there is no value.
    static func valueStart(behind position: Int, end: Int, _ bytes: Span<UInt8>) -> Int?

    /// True if the record ends with the value that a delimiter ends.
    static func endsRecord(_ delimiter: Int, blockEnd: Int, _ bytes: Span<UInt8>) -> Bool

    /// True if the bytes before the record's last delimiter close it as they must.
    static func isClosed(_ delimiter: Int, _ bytes: Span<UInt8>) -> Bool

    /// True if no quote is inside a key or a value; always true in a syntax in which that does not matter.
    static func hasExpectedQuotes(_ walk: MemberWalk, _ quotes: Span<UInt32>) -> Bool
}

/// The ID and the time that a record gives before its first key.
struct RecordOpening {
    var id: Range<Int>?
    var time: Range<Int>?
}

/// A position in a block.
struct BlockPosition {
    var offset: Int
    /// The line that starts there, counted from 1 at the start of the block.
    var line: Int
}

/// Goes over the keys and values of one record.
struct MemberWalk {
    /// The position at which the record starts.
    let start: BlockPosition
    /// The end of the block.
    let blockEnd: Int
    /// The next delimiter, by its number.
    var delimiter: Int
    /// The offset of the next key, or of what comes behind the record.
    var offset: Int
    // The first delimiter behind a member.
    private let firstDelimiter: Int

    init(start: BlockPosition, end: Int, delimiter: Int) {
        self.start = start
        blockEnd = end
        self.delimiter = delimiter
        firstDelimiter = delimiter
        offset = start.offset
    }

    /// The number of delimiters that were passed: in JSON Lines, that many members were taken.
    var passed: Int { delimiter &- firstDelimiter }

    /// The range of the record in the block.
    var range: Range<Int> { start.offset..<offset }

    /// Takes the members of the record.
    ///
    /// - Parameters:
    ///   - keys: The keys that may come, in their order.
    ///   - row: Takes the values by field.
    /// - Returns: True if the record is as it is expected to be.
    @inline(__always)
    mutating func readMembers<Syntax: RecordSyntax>(
        _ syntax: Syntax.Type, _ bytes: Span<UInt8>, _ delimiters: Span<UInt32>, _ keys: Span<KeyTemplate.Key>,
        row: inout MutableSpan<ValueRange>
    ) -> Bool {
        var key = 0
        // SAFETY: delimiters lie inside the block, and so does every offset that is derived from one; the walk's padding
        // lies behind the block, more than a pattern is long. Fields are columns of the row, from the same table.
        while delimiter < delimiters.count {
            let end = Int(unsafe delimiters[unchecked: delimiter])
            let isLast = syntax.endsRecord(end, blockEnd: blockEnd, bytes)
            let valueEnd = isLast ? end &- Syntax.closing : end
            while key < keys.count, unsafe !keys[unchecked: key].pattern.stands(in: bytes, at: offset) { key &+= 1 }
            guard key < keys.count,
                let valueStart = syntax.valueStart(
                    behind: offset &+ (unsafe keys[unchecked: key].pattern.length), end: valueEnd, bytes)
            else { return false }
            let field = unsafe keys[unchecked: key].field
            if field >= 0 { unsafe row[unchecked: field] = ValueRange(valueStart..<valueEnd) }
            key &+= 1
            delimiter &+= 1
            offset = isLast ? end &+ 1 : end &+ Syntax.gap
            if isLast { return syntax.isClosed(end, bytes) }
        }
        return false
    }
}

/// Device information: `--- <device-id> <timestamp> ---`, then `key: value` on a line each.
enum TextSyntax: RecordSyntax {
    static var gap: Int { 1 }
    static var closing: Int { 0 }
    static var linesAreDelimiters: Bool { true }

    @inline(__always)
    static func opening(
        _ walk: inout MemberWalk, _ bytes: Span<UInt8>, _ delimiters: Span<UInt32>
    ) -> RecordOpening? {
        guard walk.delimiter < delimiters.count else { return nil }
        let (start, end) = (walk.offset, Int(delimiters[walk.delimiter]))
        let idEnd = start &+ 4 &+ DeviceID.length
        guard idEnd &+ 5 <= end, startsRecord(start, bytes), bytes[idEnd] == UInt8(ascii: " "),
            bytes.word(at: end &- 4) & 0xFFFF_FFFF == ending, end &+ 1 < walk.blockEnd,
            !startsRecord(end &+ 1, bytes)
        else { return nil }
        walk.delimiter &+= 1
        walk.offset = end &+ 1
        return RecordOpening(id: start &+ 4..<idEnd, time: idEnd &+ 1..<end &- 4)
    }

    // A value may be missing with the space before it.
    @inline(__always)
    static func valueStart(behind position: Int, end: Int, _ bytes: Span<UInt8>) -> Int? {
        if position < end { return bytes[position] == UInt8(ascii: " ") ? position &+ 1 : nil }
        return position == end ? end : nil
    }

    @inline(__always)
    static func endsRecord(_ delimiter: Int, blockEnd: Int, _ bytes: Span<UInt8>) -> Bool {
        delimiter &+ 1 == blockEnd || startsRecord(delimiter &+ 1, bytes)
    }

    static func isClosed(_ delimiter: Int, _ bytes: Span<UInt8>) -> Bool { true }
    static func hasExpectedQuotes(_ walk: MemberWalk, _ quotes: Span<UInt32>) -> Bool { true }

    // `--- `
    @inline(__always)
    private static func startsRecord(_ offset: Int, _ bytes: Span<UInt8>) -> Bool {
        // SAFETY: the offset lies inside the block, and padding behind that.
        unsafe bytes.word(uncheckedAt: offset) & 0xFFFF_FFFF == 0x202D_2D2D
    }

    // ` ---`
    private static var ending: UInt64 { 0x2D2D_2D20 }
}

/// JSON Lines: `{"key":"value","key":"value"}` on a line each, without white space and escapes.
enum JSONSyntax: RecordSyntax {
    static var gap: Int { 3 }
    static var closing: Int { 2 }
    static var linesAreDelimiters: Bool { false }

    @inline(__always)
    static func opening(
        _ walk: inout MemberWalk, _ bytes: Span<UInt8>, _ delimiters: Span<UInt32>
    ) -> RecordOpening? {
        guard bytes[walk.offset] == UInt8(ascii: "{"), bytes[walk.offset &+ 1] == UInt8(ascii: "\"") else {
            return nil
        }
        walk.offset &+= 2
        return RecordOpening()
    }

    @inline(__always)
    static func valueStart(behind position: Int, end: Int, _ bytes: Span<UInt8>) -> Int? {
        position <= end ? position : nil
    }

    @inline(__always)
    static func endsRecord(_ delimiter: Int, blockEnd: Int, _ bytes: Span<UInt8>) -> Bool {
        bytes[delimiter] == UInt8(ascii: "\n")
    }

    @inline(__always)
    static func isClosed(_ delimiter: Int, _ bytes: Span<UInt8>) -> Bool {
        bytes[delimiter &- 2] == UInt8(ascii: "\"") && bytes[delimiter &- 1] == UInt8(ascii: "}")
    }

    // The quotes around keys and values are four a member, so that any other one shows.
    @inline(__always)
    static func hasExpectedQuotes(_ walk: MemberWalk, _ quotes: Span<UInt32>) -> Bool {
        let line = walk.start.line &- 1
        guard line < quotes.count else { return false }
        let before = line == 0 ? 0 : quotes[line &- 1]
        return Int(quotes[line]) &- Int(before) == 4 &* walk.passed
    }
}
