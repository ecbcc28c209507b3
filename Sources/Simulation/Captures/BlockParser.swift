internal import PolicyEngine

/// Finds the records of blocks and understands them; one for each worker.
struct BlockParser<Appraiser: RecordAppraiser> {
    private var attributes: AttributeTable
    private var appraiser: Appraiser
    private var info: InfoScanner
    private let json = JSONScanner()
    private var fields: RecordFields
    private var builder: RecordBuilder
    private var record: CaptureRecord

    /// - Parameters:
    ///   - zones: The time zones that captures may name.
    ///   - catalogue: The flags that are known.
    ///   - keptValues: How many distinct values of an attribute are kept.
    ///   - appraiser: Makes who looks at the attributes.
    init(
        zones: TimeZones, catalogue: FlagCatalogue, keptValues: Int, appraiser: (inout AttributeTable) -> Appraiser
    ) {
        attributes = AttributeTable(capacity: keptValues)
        self.appraiser = appraiser(&attributes)
        info = InfoScanner(zones: zones)
        fields = RecordFields(attributes: attributes.keys.map(\.name))
        builder = RecordBuilder(attributes: attributes.keys, fields: fields, catalogue: catalogue)
        record = CaptureRecord(id: DeviceID(first: 0, second: 0))
    }

    /// Takes flags that other records brought.
    mutating func take(_ catalogue: FlagCatalogue) { builder.take(catalogue) }

    /// Parses a block.
    ///
    /// - Parameters:
    ///   - block: Whole records.
    ///   - format: What they are.
    ///   - parsed: Takes what is found; its memory is used again.
    /// - Complexity: O(length); allocates only for what was never seen before.
    mutating func parse(_ block: CaptureBlock, format: CaptureFormat, into parsed: inout ParsedBlock<Appraiser.Findings>) {
        parsed.clear()
        let bytes = block.bytes
        let span = bytes.span
        let isUTF8 = format != .info || span.extracting(0..<block.end).isUTF8
        var (position, line) = (0, 1)
        while position < block.end {
            let found = scan(span, from: position, line: line, block: block, format: format)
            (position, line) = (found.end, found.nextLine)
            guard let range = found.range else { continue }
            if !isUTF8 { checkUTF8(span.extracting(range), line: found.line) }
            let isSound = builder.build(
                from: span, line: found.line, fields: &fields, into: &record, attributes: &attributes)
            if isSound {
                parsed.add(record, findings: appraiser.appraise(record, in: attributes), range: range)
            } else {
                let problem = fields.problem ?? RecordProblem(line: found.line, message: "malformed record")
                parsed.add(MalformedRecord(problem: problem, range: range))
            }
        }
        parsed.lineCount = line - 1
    }

    private mutating func scan(
        _ bytes: Span<UInt8>, from position: Int, line: Int, block: CaptureBlock, format: CaptureFormat
    ) -> ScannedRecord {
        if format == .info { return info.scan(bytes, range: position..<block.end, line: line, fields: &fields) }
        var cursor = LineCursor(position: position, end: block.end)
        guard let content = cursor.next(in: bytes, isFinal: true), InfoLine(bytes, line: content) != .between else {
            return ScannedRecord(range: nil, line: line, end: cursor.position, nextLine: line + 1)
        }
        let isCut = block.isLast && cursor.position == block.end && block.lacksFinalNewline
        json.scan(bytes, line: content, number: line, isCut: isCut, fields: &fields)
        return ScannedRecord(
            range: position..<cursor.position, line: line, end: cursor.position, nextLine: line + 1)
    }

    // Text that is not UTF-8 would match no regex, and so would slip past filters.
    private mutating func checkUTF8(_ record: Span<UInt8>, line: Int) {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: record)
        } catch {
            fields.note("not UTF-8 at byte \(error.byteOffsets.lowerBound + 1) of the record", line: line)
        }
    }
}
