internal import CLibrary
internal import PolicyEngine

/// The kinds of capture.
package enum CaptureFormat: String, Hashable, Sendable, CaseIterable {
    /// Device information, as `device -getInfo` prints it.
    case info
    /// Fetches, as `device -getFetches` prints them.
    case fetches
    /// JSON Lines.
    case jsonl
    /// Columns in the form of Arrow IPC.
    case arrow
}

extension CaptureFormat {
    /// Finds out the kind by the first line with content.
    ///
    /// - Parameters:
    ///   - bytes: The memory of the capture's start.
    ///   - range: The range that was read of it.
    ///   - isFinal: True if no more will come.
    /// - Returns: `nil` when no line says anything yet; `.some(nil)` when the first that does is of no kind.
    static func detect(in bytes: Span<UInt8>, range: Range<Int>, isFinal: Bool) -> CaptureFormat?? {
        if bytes.extracting(range).startsColumns { return .some(.arrow) }
        if OtherForm(bytes.extracting(range)) == .utf16 { return .some(nil) }
        var lines = LineCursor(position: range.lowerBound, end: range.upperBound)
        while let line = lines.next(in: bytes, isFinal: isFinal) {
            let kind = InfoLine(bytes, line: line)
            if kind == .between { continue }
            if kind.startsRecord { return .some(.info) }
            let first = firstTextByte(of: bytes.extracting(line))
            if first == UInt8(ascii: "{") { return .some(.jsonl) }
            if first == UInt8(ascii: "[") { return .some(nil) }
            if FetchLine.startsWithDevice(bytes, line: line) { return .some(.fetches) }
            return .some(InfoLine.keyEnd(in: bytes, line: line) == nil ? nil : .info)
        }
        return nil
    }

    private static func firstTextByte(of line: Span<UInt8>) -> UInt8? {
        for offset in line.indices where line[offset] != UInt8(ascii: " ") && line[offset] != UInt8(ascii: "\t") {
            return line[offset]
        }
        return nil
    }
}

extension CaptureFormat {
    /// The offset of the last record, whose end is not known yet: bytes before it are whole records.
    ///
    /// - Parameters:
    ///   - bytes: The memory, which starts with a record.
    ///   - count: The number of bytes that were read.
    /// - Returns: `nil` where no record is known to be whole.
    func lastRecordStart(in bytes: Span<UInt8>, count: Int) -> Int? {
        var end = count
        while let newline = bytes.lastNewline(before: end) {
            let start = newline + 1
            // Lines end anywhere; a record of device information where the next one starts.
            if self != .info || startsRecord(bytes, range: start..<count) { return start > 0 ? start : nil }
            end = newline
        }
        return nil
    }

    /// The offset of the first record that starts at or behind an offset.
    ///
    /// - Parameters:
    ///   - offset: At least 1: the byte before it is looked at, too.
    ///   - bytes: The memory.
    ///   - count: The number of bytes that were read.
    ///   - isFinal: True if nothing comes behind these.
    /// - Returns: `nil` where none starts, or where more must be read to say so.
    func recordStart(from offset: Int, in bytes: Span<UInt8>, count: Int, isFinal: Bool) -> Int? {
        var lines = LineCursor(position: offset - 1, end: count)
        while lines.next(in: bytes, isFinal: false) != nil, lines.position < count {
            let start = lines.position
            if self != .info { return start }
            guard isFinal || count - start >= InfoLine.decidingBytes else { return nil }
            if startsRecord(bytes, range: start..<count) { return start }
        }
        return nil
    }

    // Bytes that may yet turn out to start a record do not: more will be read behind them.
    private func startsRecord(_ bytes: Span<UInt8>, range: Range<Int>) -> Bool {
        InfoLine(bytes, line: range).startsRecord
    }
}

extension Span<UInt8> {
    /// True if these are the first bytes of a file or a stream of Arrow: a mark, or a length that no text begins with.
    fileprivate var startsColumns: Bool {
        begins(with: "ARROW1") || count >= 4 && (0..<4).allSatisfy { self[$0] == 0xFF }
    }

    /// The offset of the last newline before another offset.
    fileprivate func lastNewline(before end: Int) -> Int? {
        var offset = end - 1
        while offset >= 0 {
            if self[offset] == UInt8(ascii: "\n") { return offset }
            offset -= 1
        }
        return nil
    }
}

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
