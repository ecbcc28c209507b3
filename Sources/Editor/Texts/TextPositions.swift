internal import Documents

/// The unit in which a client counts the characters of a line.
package enum PositionEncoding: String, Sendable {
    case utf8 = "utf-8"
    case utf16 = "utf-16"
    case utf32 = "utf-32"

    /// The units that a character of some bytes takes.
    fileprivate func width(ofBytes count: Int) -> Int {
        switch self {
        case .utf8: count
        case .utf16: count == 4 ? 2 : 1
        case .utf32: 1
        }
    }
}

/// A position as clients have it: a line and a character in it, both counted from 0.
package struct TextPosition: Hashable, Comparable, Sendable {
    package let line: Int
    /// In the units of a ``PositionEncoding``.
    package let character: Int

    package init(line: Int, character: Int) { (self.line, self.character) = (line, character) }

    package static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.line, left.character) < (right.line, right.character)
    }
}

/// A text, and where each of its characters is: for clients by lines and units, for the parser by Unicode scalars.
///
/// Lines of clients end at CR LF, LF and CR; those of the parser also at U+0085, U+2028 and U+2029, and it does not count a byte
/// order mark.
package struct TextPositions: Sendable {
    /// The text in UTF-8.
    package let bytes: [UInt8]
    // The first byte of each line: as clients see them.
    private let lineStarts: [Int]
    // The bytes of each 256th scalar, without the mark.
    private let milestones: [Int]
    private let isASCII: Bool
    private let start: Int

    private static let stride = 256
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        start = bytes.starts(with: Self.mark) ? Self.mark.count : 0
        (lineStarts, isASCII) = Self.lines(of: bytes.span)
        milestones = isASCII ? [] : Self.milestones(of: bytes.span, from: start)
    }

    private static func lines(of bytes: Span<UInt8>) -> (starts: [Int], isASCII: Bool) {
        var (starts, all, index) = ([0], UInt8(0), 0)
        while index < bytes.count {
            let byte = bytes[index]
            all |= byte
            index += 1
            if byte == 0x0A || byte == 0x0D && !(index < bytes.count && bytes[index] == 0x0A) { starts.append(index) }
        }
        return (starts, all < 0x80)
    }

    private static func milestones(of bytes: Span<UInt8>, from start: Int) -> [Int] {
        var (milestones, count) = ([Int](), 0)
        for index in start..<max(start, bytes.count) where bytes[index] & 0xC0 != 0x80 {
            if count % stride == 0 { milestones.append(index) }
            count += 1
        }
        return milestones
    }

    /// The byte order mark, if the text begins with one.
    var mark: [UInt8] { start > 0 ? Self.mark : [] }

    // MARK: Clients

    /// The number of lines.
    package var lineCount: Int { lineStarts.count }

    /// The bytes of a line without its line break; none of a line that is not there.
    package func line(_ number: Int) -> Range<Int> {
        guard lineStarts.indices.contains(number) else { return bytes.count..<bytes.count }
        let first = lineStarts[number]
        var end = number + 1 < lineStarts.count ? lineStarts[number + 1] : bytes.count
        while end > first, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
        return first..<end
    }

    /// The byte at a position; one behind the end of its line counts as that end.
    package func byte(at position: TextPosition, _ encoding: PositionEncoding) -> Int {
        guard position.line < lineStarts.count else { return bytes.count }
        let line = line(max(0, position.line))
        var (byte, units) = (line.lowerBound, 0)
        while byte < line.upperBound {
            let length = Self.length(of: bytes[byte])
            let width = encoding.width(ofBytes: length)
            guard units + width <= position.character else { break }
            (byte, units) = (min(byte + length, line.upperBound), units + width)
        }
        return byte
    }

    /// The position of a byte.
    package func position(ofByte target: Int, _ encoding: PositionEncoding) -> TextPosition {
        let number = line(ofByte: target)
        var (byte, units) = (lineStarts[number], 0)
        let end = min(target, line(number).upperBound)
        while byte < end {
            let length = Self.length(of: bytes[byte])
            (byte, units) = (byte + length, units + encoding.width(ofBytes: length))
        }
        return TextPosition(line: number, character: units)
    }

    /// The line with a byte.
    package func line(ofByte target: Int) -> Int {
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= target { low = middle } else { high = middle }
        }
        return low
    }

    // The length of the character that a byte begins; bytes that begin none are read one at a time.
    private static func length(of byte: UInt8) -> Int {
        switch byte {
        case 0xC0..<0xE0: 2
        case 0xE0..<0xF0: 3
        case 0xF0...: 4
        default: 1
        }
    }

    // MARK: The parser

    /// The byte of a Unicode scalar, counted from 0; behind the last one it is the end.
    package func byte(ofScalar index: Int) -> Int {
        if isASCII { return min(index + start, bytes.count) }
        guard index / Self.stride < milestones.count else { return bytes.count }
        var byte = milestones[index / Self.stride]
        for _ in 0..<(index % Self.stride) where byte < bytes.count { byte += Self.length(of: bytes[byte]) }
        return min(byte, bytes.count)
    }

    /// The Unicode scalar that begins at a byte, or before it.
    package func scalar(ofByte target: Int) -> Int {
        if isASCII { return max(0, target - start) }
        var (low, high) = (0, milestones.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if milestones[middle] <= target { low = middle } else { high = middle }
        }
        guard var byte = milestones.first.map({ _ in milestones[low] }) else { return 0 }
        var index = low * Self.stride
        while byte < min(target, bytes.count) {
            byte += Self.length(of: bytes[byte])
            if byte <= target { index += 1 }
        }
        return index
    }

    /// The bytes of a part of scalars.
    package func bytes(ofScalars range: Range<Int>) -> Range<Int> {
        let lower = byte(ofScalar: range.lowerBound)
        return lower..<max(lower, byte(ofScalar: range.upperBound))
    }

    /// The text of some bytes.
    package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

/// The bytes at which the parser's lines start, for positions of diagnostics.
struct ParserLines {
    private let starts: [Int]
    private let positions: TextPositions

    init(_ positions: TextPositions) {
        self.positions = positions
        starts = SourceFile.lines(of: positions.bytes.span, from: positions.byte(ofScalar: 0)).map(\.lowerBound)
    }

    /// The byte at a position; one behind the end of the text counts as that end.
    func byte(at position: SourcePosition) -> Int {
        guard position.line >= 1, position.line <= starts.count else { return positions.bytes.count }
        let scalar = positions.scalar(ofByte: starts[position.line - 1])
        return positions.byte(ofScalar: scalar + max(0, position.column - 1))
    }
}
