internal import CLibrary

/// Walks over the lines of some bytes; LF and CRLF both end a line.
struct LineCursor {
    /// The offset of the next line.
    private(set) var position: Int
    /// The offset behind the last byte that was read.
    let end: Int

    /// The next line without its end.
    ///
    /// - Parameters:
    ///   - bytes: The bytes under the cursor.
    ///   - isFinal: True if nothing comes behind `end`, so that the last line may lack its newline.
    /// - Returns: `nil` at the end, or when the line is not complete yet; the cursor then stays.
    mutating func next(in bytes: Span<UInt8>, isFinal: Bool) -> Range<Int>? {
        guard position < end else { return nil }
        var lineEnd: Int
        let start = position
        if let newline = Self.firstNewline(in: bytes, range: position..<end) {
            lineEnd = newline
            position = newline + 1
        } else {
            guard isFinal else { return nil }
            lineEnd = end
            position = end
        }
        if lineEnd > start, bytes[lineEnd - 1] == UInt8(ascii: "\r") { lineEnd -= 1 }
        return start..<lineEnd
    }

    private static func firstNewline(in bytes: Span<UInt8>, range: Range<Int>) -> Int? {
        precondition(range.upperBound <= bytes.count, "the range lies inside the bytes")
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return nil }
            // SAFETY: the range was checked to lie inside the buffer.
            guard let found = unsafe memchr(base + range.lowerBound, Int32(UInt8(ascii: "\n")), range.count)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }
}
