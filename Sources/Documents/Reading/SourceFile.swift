/// The text of a file with the name by which the user knows it.
///
/// Lines end as in YAML 1.1: at CR LF, LF, CR, U+0085, U+2028 and U+2029. Copies share their text.
package struct SourceFile: Sendable {
    /// The path as it is shown to the user.
    package let path: String
    /// The whole text, without a byte order mark.
    package let text: String
    /// True if no line of it is ever shown.
    package let isSecret: Bool
    private let lines = Lines()

    /// Names a text.
    ///
    /// - Parameters:
    ///   - path: The path as it is shown to the user.
    ///   - text: The content; a byte order mark in front is dropped.
    ///   - isSecret: True if no line of it is ever shown.
    package init(path: String, text: String, isSecret: Bool = false) {
        self.path = path
        self.isSecret = isSecret
        let hasMark = text.unicodeScalars.first == "\u{FEFF}"
        self.text = hasMark ? String(text.unicodeScalars.dropFirst()) : text
    }

    /// A line without its line break.
    ///
    /// - Parameter number: The line, from 1.
    /// - Returns: `nil` when there is no such line.
    /// - Complexity: O(length of the text) the first time that a line is asked for, then O(length of the line).
    package func line(_ number: Int) -> String? {
        let ranges = lines.ranges(in: text)
        guard 1...ranges.count ~= number else { return nil }
        let (bytes, range) = (text.utf8, ranges[number - 1])
        let lower = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
        let upper = bytes.index(bytes.startIndex, offsetBy: range.upperBound)
        return String(text[lower..<upper])
    }

    /// The character at a position; `nil` behind the end of the line.
    func scalar(at position: SourcePosition) -> Unicode.Scalar? {
        line(position.line)?.unicodeScalars.dropFirst(max(1, position.column) - 1).first
    }

    /// The position of a byte, counted from 0 without a byte order mark; bytes behind the end count as the end.
    package func position(ofByte target: Int) -> SourcePosition {
        let (bytes, ranges) = (text.utf8.span, lines.ranges(in: text))
        let end = min(target, bytes.count)
        // The first line that ends there or behind it; behind the first byte of a line break is the next line.
        var (line, last) = (0, ranges.count - 1)
        while line < last {
            let middle = (line + last) / 2
            if ranges[middle].upperBound < end { line = middle + 1 } else { last = middle }
        }
        let start = ranges[line].lowerBound
        var column = 1
        for index in start..<max(start, end) where !Self.isContinuation(bytes[index]) { column += 1 }
        return SourcePosition(line: line + 1, column: column)
    }

    /// The bytes of each line without its line break; the last line has none.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - start: Where its first line begins.
    package static func lines(of bytes: Span<UInt8>, from start: Int = 0) -> [Range<Int>] {
        var (ranges, start, offset): ([Range<Int>], Int, Int) = ([], start, start)
        while offset < bytes.count {
            let length = lineBreakLength(at: offset, in: bytes)
            if length > 0 {
                ranges.append(start..<offset)
                start = offset + length
            }
            offset += max(1, length)
        }
        return ranges + [start..<bytes.count]
    }

    // The number of bytes of the line break at an offset; 0 if there is none.
    private static func lineBreakLength(at offset: Int, in bytes: Span<UInt8>) -> Int {
        let byte = bytes[offset]
        if byte == UInt8(ascii: "\n") { return 1 }
        if byte == UInt8(ascii: "\r") {
            return offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "\n") ? 2 : 1
        }
        if byte == 0xC2, offset + 1 < bytes.count, bytes[offset + 1] == 0x85 { return 2 }
        guard byte == 0xE2, offset + 2 < bytes.count, bytes[offset + 1] == 0x80 else { return 0 }
        return bytes[offset + 2] == 0xA8 || bytes[offset + 2] == 0xA9 ? 3 : 0
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    // The lines of a text, found when one is first asked for: a report names many.
    private final class Lines: Sendable {
        private let found = Lock<[Range<Int>]>([])

        func ranges(in text: String) -> [Range<Int>] {
            found.withLock { ranges in
                if ranges.isEmpty { ranges = SourceFile.lines(of: text.utf8.span) }
                return ranges
            }
        }
    }
}

/// A position in a text: a line and a column, both counted from 1.
package struct SourcePosition: Hashable, Comparable, Sendable {
    /// The line, from 1.
    package let line: Int
    /// The column, from 1, in Unicode scalars; a tab is one.
    package let column: Int

    /// Makes a position.
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

extension SourcePosition: CustomStringConvertible {
    /// `line:column`.
    package var description: String { "\(line):\(column)" }
}

extension Span<UInt8> {
    /// True if some bytes are found one after another; the search of the standard library for texts takes ten times as long.
    ///
    /// - Complexity: O(length) for bytes that seldom begin.
    package func contains(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first else { return true }
        let last = count - bytes.count
        var start = 0
        while start <= last {
            if self[start] == first, bytes.indices.allSatisfy({ self[start + $0] == bytes[$0] }) { return true }
            start += 1
        }
        return false
    }
}
