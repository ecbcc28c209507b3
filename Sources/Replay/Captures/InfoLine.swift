internal import PolicyEngine

/// The kind of a line of device information (formats: Captures, 1).
enum InfoLine {
    /// Blank, or `getting …` as the manual's scripts print: belongs to no record.
    case between
    /// `--- <device-id> <timestamp> ---`: starts a record.
    case header
    /// `captured: <timestamp>`: starts a record, too.
    case captured
    /// Starts with a space: continues with the value above.
    case continuation
    /// `key: value`, or nothing that is known.
    case pair

    /// Finds out what a line is.
    init(_ bytes: Span<UInt8>, line: Range<Int>) {
        guard !line.isEmpty else {
            self = .between
            return
        }
        // The first byte decides on nearly every line.
        switch bytes[line.lowerBound] {
        case UInt8(ascii: "g"): self = bytes.extracting(line).begins(with: "getting ") ? .between : .pair
        case UInt8(ascii: "-"): self = bytes.extracting(line).begins(with: "--- ") ? .header : .pair
        case UInt8(ascii: "c"): self = bytes.extracting(line).begins(with: "captured:") ? .captured : .pair
        case UInt8(ascii: " "): self = bytes.extracting(line).isBlank ? .between : .continuation
        case 0xEF where line.behindMark(in: bytes) != line: self = InfoLine(bytes, line: line.behindMark(in: bytes))
        default: self = .pair
        }
    }

    /// Bytes of a line that show whether it starts a record: `captured:` behind a mark is the longest that does.
    static let decidingBytes = 12

    /// True if the line starts a record.
    var startsRecord: Bool { self == .header || self == .captured }

    /// The end of a line's key: before the first `: `, or before a `:` at the line's end; values may hold colons.
    static func keyEnd(in bytes: Span<UInt8>, line: Range<Int>) -> Int? {
        for offset in line where bytes[offset] == UInt8(ascii: ":") {
            if offset + 1 == line.upperBound || bytes[offset + 1] == UInt8(ascii: " ") { return offset }
        }
        return nil
    }
}

extension Range<Int> {
    /// A line without the byte order mark at its start, which files that were joined bring along.
    func behindMark(in bytes: Span<UInt8>) -> Range<Int> {
        guard count >= 3, bytes[lowerBound] == 0xEF, bytes[lowerBound + 1] == 0xBB, bytes[lowerBound + 2] == 0xBF else {
            return self
        }
        return lowerBound + 3..<upperBound
    }
}

extension Span<UInt8> {
    /// True if there are only spaces.
    fileprivate var isBlank: Bool {
        for offset in indices where self[offset] != UInt8(ascii: " ") { return false }
        return true
    }
}
