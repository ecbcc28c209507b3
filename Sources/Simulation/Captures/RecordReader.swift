package import PolicyEngine

/// Reads a capture of attestations, a record at a time, from a window that moves over it.
package struct RecordReader {
    package private(set) var file: CaptureFile
    private var info: InfoScanner
    private var json = JSONScanner()
    private var fields: RecordFields
    private var builder: RecordBuilder
    /// Where the latest record stands in the window, for ``copyRecord(to:)``.
    private var latest = 0..<0
    /// Whether the last line lacks its newline, which in a text capture hints at a cut (formats: Captures).
    package private(set) var lacksFinalNewline = false

    /// What was read.
    package enum Step {
        case record
        case malformed(RecordProblem)
        case end
    }

    /// - Parameters:
    ///   - file: A capture of device information or JSON Lines.
    ///   - zones: The time zones that it may name.
    ///   - attributes: The attributes that filters and reports need.
    /// - Throws: ``CaptureFailure/wrongKind(path:found:)`` for fetches.
    package init(
        _ file: CaptureFile, zones: TimeZones, attributes: [(name: String, key: AttributeKey)]
    ) throws(CaptureFailure) {
        guard file.format != .fetches else { throw .wrongKind(path: file.path, found: file.format) }
        self.file = file
        info = InfoScanner(zones: zones)
        fields = RecordFields(attributes: attributes.map(\.name))
        builder = RecordBuilder(attributes: attributes, fields: fields)
    }

    /// Reads the next record.
    ///
    /// - Parameters:
    ///   - record: Where to put it; as before unless the result is ``Step/record``.
    ///   - symbols: Takes new names; as before unless the result is ``Step/record``.
    /// - Throws: ``CaptureFailure``.
    /// - Complexity: O(length of the record); allocates only for what was never seen before.
    package mutating func next(
        into record: inout CaptureRecord, symbols: inout SymbolTable
    ) throws(CaptureFailure) -> Step {
        while true {
            guard let found = scan() else {
                try file.buffer.refill(line: file.line)
                continue
            }
            let line = file.line + found.skippedLines
            noteMissingNewline(upTo: found.end)
            file.line += found.lineCount
            file.buffer.consume(to: found.end)
            if let start = found.start {
                latest = start..<found.end
                return build(line: line, into: &record, symbols: &symbols)
            }
            if file.buffer.isAtEnd, file.buffer.unconsumed.isEmpty { return .end }
        }
    }

    /// Copies the bytes of the latest record and ends its last line; valid until the next one is read.
    package func copyRecord(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: file.buffer.bytes[latest])
        if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    }

    // Finds the next record; `nil` when more bytes are needed for it.
    private mutating func scan() -> FoundRecord? {
        let isFinal = file.buffer.isAtEnd
        let bytes = file.buffer.bytes
        let span = bytes.span
        guard file.format == .jsonl else {
            return info.scan(
                span, range: file.buffer.unconsumed, isFinal: isFinal, line: file.line, fields: &fields)
        }
        var cursor = LineCursor(position: file.buffer.start, end: file.buffer.end)
        guard let line = cursor.next(in: span, isFinal: isFinal) else {
            return isFinal ? FoundRecord(start: nil, end: file.buffer.end, lineCount: 0) : nil
        }
        guard InfoLine(span.extracting(line)) != .between else {
            return FoundRecord(start: nil, end: cursor.position, lineCount: 1)
        }
        let isCut = isFinal && cursor.position == file.buffer.end && bytes[file.buffer.end - 1] != UInt8(ascii: "\n")
        json.scan(span, line: line, number: file.line, isCut: isCut, fields: &fields)
        return FoundRecord(start: line.lowerBound, end: cursor.position, lineCount: 1)
    }

    private mutating func build(line: Int, into record: inout CaptureRecord, symbols: inout SymbolTable) -> Step {
        if file.format == .info { checkUTF8(line: line) }
        let bytes = file.format == .jsonl ? json.text : file.buffer.bytes
        let isSound = builder.build(from: bytes.span, line: line, fields: &fields, into: &record, symbols: &symbols)
        if isSound { return .record }
        return .malformed(fields.problem ?? RecordProblem(line: line, message: "malformed record"))
    }

    // Text that is not UTF-8 would match no regex, and so would slip past filters.
    private mutating func checkUTF8(line: Int) {
        let bytes = file.buffer.bytes
        do throws(UTF8.ValidationError) {
            let span = bytes.span
            _ = try UTF8Span(validating: span.extracting(latest))
        } catch {
            let offset = error.byteOffsets.lowerBound
            fields.note("not UTF-8 at byte \(offset + 1) of the record", line: line)
        }
    }

    private mutating func noteMissingNewline(upTo end: Int) {
        guard file.buffer.isAtEnd, end == file.buffer.end, end > file.buffer.start else { return }
        lacksFinalNewline = file.buffer.bytes[end - 1] != UInt8(ascii: "\n")
    }
}
