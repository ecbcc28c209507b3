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
    /// - Complexity: O(*n*) in the length of the text.
    package func line(_ number: Int) -> String? {
        guard number >= 1, let range = byteRange(ofLine: number) else { return nil }
        let bytes = text.utf8
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
        let bytes = text.utf8.span
        var (line, lineStart, offset) = (1, 0, 0)
        while offset < min(target, bytes.count) {
            let length = Self.lineBreakLength(at: offset, in: bytes)
            offset += max(1, length)
            if length > 0 { (line, lineStart) = (line + 1, offset) }
        }
        var column = 1
        for index in lineStart..<max(lineStart, min(target, bytes.count)) where !Self.isContinuation(bytes[index]) {
            column += 1
        }
        return SourcePosition(line: line, column: column)
    }

    private func byteRange(ofLine number: Int) -> Range<Int>? {
        let bytes = text.utf8.span
        var (line, lineStart, offset) = (1, 0, 0)
        while offset < bytes.count {
            let length = Self.lineBreakLength(at: offset, in: bytes)
            if length > 0 {
                if line == number { return lineStart..<offset }
                (line, lineStart) = (line + 1, offset + length)
            }
            offset += max(1, length)
        }
        return line == number ? lineStart..<bytes.count : nil
    }

    /// The number of bytes of the line break at an offset; 0 if there is none.
    package static func lineBreakLength(at offset: Int, in bytes: Span<UInt8>) -> Int {
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
