internal import PolicyEngine

/// Finds the records of device information and the values in them (formats: Captures, 1).
struct InfoScanner {
    let zones: TimeZones
    // The field that the line before went to, for a line that continues it; -1 for one that nobody needs.
    private var openField: Int?

    init(zones: TimeZones) {
        self.zones = zones
    }

    /// Scans the record at the start of some bytes, and the lines between records before it.
    ///
    /// - Parameters:
    ///   - bytes: The memory.
    ///   - range: The rest of the block, to its end.
    ///   - line: The line at the start, counted from 1.
    ///   - fields: Takes what is found.
    mutating func scan(
        _ bytes: Span<UInt8>, range: Range<Int>, line: Int, fields: inout RecordFields
    ) -> ScannedRecord {
        fields.beginRecord()
        openField = nil
        var cursor = LineCursor(position: range.lowerBound, end: range.upperBound)
        var (number, start, firstLine) = (line, Int?.none, line)
        while true {
            let lineStart = cursor.position
            if start != nil, readExpectedPair(at: &cursor, in: bytes, line: number, fields: &fields) {
                number += 1
                continue
            }
            guard let content = cursor.next(in: bytes, isFinal: true)?.behindMark(in: bytes) else { break }
            let kind = InfoLine(bytes, line: content)
            if start != nil, kind.startsRecord {
                cursor = LineCursor(position: lineStart, end: range.upperBound)
                break
            }
            if kind != .between {
                if start == nil {
                    if !kind.startsRecord { fields.note("line outside a record", line: number, hint: Self.startHint) }
                    (start, firstLine) = (lineStart, number)
                }
                read(content, kind: kind, in: bytes, line: number, fields: &fields)
            }
            number += 1
        }
        return ScannedRecord(
            range: start.map { $0..<cursor.position }, line: firstLine, end: cursor.position, nextLine: number)
    }

    // `key: value` with the key that came next the last time, which most lines are.
    @inline(__always)
    private mutating func readExpectedPair(
        at cursor: inout LineCursor, in bytes: Span<UInt8>, line: Int, fields: inout RecordFields
    ) -> Bool {
        let start = cursor.position
        guard let length = fields.expectedKeyLength(in: bytes, at: start), start + length + 2 <= cursor.end else {
            return false
        }
        let keyEnd = start + length
        guard bytes[keyEnd] == UInt8(ascii: ":"), bytes[keyEnd + 1] == UInt8(ascii: " "),
            let content = cursor.next(in: bytes, isFinal: true), content.upperBound >= keyEnd + 2
        else { return false }
        let field = fields.readExpected(
            key: start..<keyEnd, value: keyEnd + 2..<content.upperBound, in: bytes, line: line)
        openField = field ?? -1
        return true
    }

    private static let startHint = "a record starts with `--- <device-id> <timestamp> ---` or `captured: <timestamp>`"

    private mutating func read(
        _ line: Range<Int>, kind: InfoLine, in bytes: Span<UInt8>, line number: Int, fields: inout RecordFields
    ) {
        switch kind {
        case .between: break
        case .header: readHeader(line, in: bytes, number: number, fields: &fields)
        case .captured:
            let value = line.lowerBound + 9..<line.upperBound
            readTime(value.trimmingSpaces(in: bytes), in: bytes, number: number, fields: &fields)
        case .pair: readPair(line, in: bytes, number: number, fields: &fields)
        case .continuation:
            guard let openField else {
                return fields.note(
                    "this line starts with a space, but there is no value that it could continue", line: number)
            }
            if openField >= 0 { fields.extend(openField, with: line, in: bytes) }
        }
    }

    // `--- <device-id> <timestamp> ---`
    private func readHeader(_ line: Range<Int>, in bytes: Span<UInt8>, number: Int, fields: inout RecordFields) {
        let (idStart, end) = (line.lowerBound + 4, line.upperBound - 4)
        var idEnd = idStart
        while idEnd < end, bytes[idEnd] != UInt8(ascii: " ") { idEnd += 1 }
        guard idEnd < end, bytes.extracting(end..<line.upperBound).begins(with: " ---") else {
            return fields.note("a record's first line must be `--- <device-id> <timestamp> ---`", line: number)
        }
        fields.headerID = idStart..<idEnd
        readTime(idEnd + 1..<end, in: bytes, number: number, fields: &fields)
    }

    // `YYYY-MM-DD hh:mm:ss ZZZ`
    private func readTime(_ range: Range<Int>, in bytes: Span<UInt8>, number: Int, fields: inout RecordFields) {
        switch Timestamp.read(range, in: bytes, zones: zones) {
        case .instant(let instant): fields.instant = instant
        case .malformed(let message, let hint): fields.note(message, line: number, hint: hint)
        }
    }

    private mutating func readPair(
        _ line: Range<Int>, in bytes: Span<UInt8>, number: Int, fields: inout RecordFields
    ) {
        guard let keyEnd = InfoLine.keyEnd(in: bytes, line: line) else {
            openField = nil
            return fields.note("line without a key", line: number, hint: "a line of a record is `key: value`")
        }
        let value = min(keyEnd + 2, line.upperBound)..<line.upperBound
        let field = fields.read(
            key: ValueRange(line.lowerBound..<keyEnd), value: ValueRange(value), in: bytes, line: number)
        openField = field ?? -1
    }
}

extension Range<Int> {
    /// The part without the spaces at either end.
    fileprivate func trimmingSpaces(in bytes: Span<UInt8>) -> Range<Int> {
        var (start, end) = (lowerBound, upperBound)
        while start < end, bytes[start] == UInt8(ascii: " ") { start += 1 }
        while start < end, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
        return start..<end
    }
}

/// The result of a scan: a record, or only lines between records.
struct ScannedRecord {
    /// The range of the record in the block; `nil` where there were only lines between records.
    let range: Range<Int>?
    /// The record's first line.
    let line: Int
    /// The offset behind it.
    let end: Int
    /// The line that starts there.
    let nextLine: Int
}
