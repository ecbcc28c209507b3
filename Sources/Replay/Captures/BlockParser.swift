package import PolicyEngine

/// Finds the records of blocks and understands them; one for each worker.
///
/// A block is scanned record by record; then each of its fields is looked at for all of its records, so that one table
/// after another is in the processor's cache, and waiting for memory overlaps.
package struct BlockParser<Matcher: RecordMatcher> {
    private var attributes: AttributeTable
    private var attributeMatcher: Matcher
    private var info: InfoScanner
    private let json = JSONScanner()
    private var fields: RecordFields
    private let builder = RecordBuilder()
    private var lists: FlagListTable
    private var heads: [RecordHead] = []
    private var matches: [Matcher.Matches] = []

    /// - Parameters:
    ///   - zones: The time zones that captures may name.
    ///   - catalogue: The flags that are known.
    ///   - keptValues: How many distinct values of an attribute are kept.
    ///   - attributeMatcher: Makes who looks at the attributes.
    package init(
        zones: TimeZones, catalogue: FlagCatalogue, keptValues: Int, attributeMatcher: (inout AttributeTable) -> Matcher
    ) {
        attributes = AttributeTable(capacity: keptValues)
        self.attributeMatcher = attributeMatcher(&attributes)
        info = InfoScanner(zones: zones)
        fields = RecordFields(attributes: attributes.keys.map(\.name))
        lists = FlagListTable(catalogue)
    }

    /// Takes flags that other records brought.
    mutating func take(_ catalogue: FlagCatalogue) { lists.take(catalogue) }

    /// The keys that somebody needs and some record gave a value so far.
    var seenKeys: [String] { fields.seenKeys }

    /// Parses a block.
    ///
    /// - Parameters:
    ///   - block: Whole records.
    ///   - format: What they are.
    ///   - parsed: Takes what is found; its memory is used again.
    /// - Complexity: O(length); allocates only for what was never seen before.
    package mutating func parse(
        _ block: CaptureBlock, format: CaptureFormat, into parsed: inout ParsedBlock<Matcher.Matches>
    ) {
        parsed.clear()
        fields.beginBlock(block.bytes, isText: format == .info)
        scan(block, format: format, into: &parsed)
        fields.batch.number(with: &attributes)
        attributeMatcher.match(RecordBatch(heads: heads, attributes: fields.batch), into: &matches)
        takeFlags(into: &parsed)
        fields.endBlock()
    }

    private mutating func scan(
        _ block: CaptureBlock, format: CaptureFormat, into parsed: inout ParsedBlock<Matcher.Matches>
    ) {
        heads.removeAll(keepingCapacity: true)
        let bytes = block.bytes
        let span = bytes.span
        let isUTF8 = format != .info || span.extracting(0..<block.end).isUTF8
        var (position, line) = (0, 1)
        while position < block.end {
            let found = scan(span, from: position, line: line, block: block, format: format)
            (position, line) = (found.end, found.nextLine)
            guard let range = found.range else { continue }
            if !isUTF8 { checkUTF8(span.extracting(range), line: found.line) }
            if let head = builder.head(from: span, line: found.line, range: range, fields: &fields) {
                heads.append(head)
                fields.keepRecord(at: head.time)
                fields.noteSlips(in: &parsed.slips, line: head.line)
            } else {
                let problem = fields.problem ?? RecordProblem(line: found.line, message: "malformed record")
                parsed.malformed.append(MalformedRecord(problem: problem, range: range))
            }
        }
        parsed.lineCount = line - 1
    }

    private mutating func takeFlags(into parsed: inout ParsedBlock<Matcher.Matches>) {
        var (row, refused) = (0, [Int: String]())
        lists.read(fields.batch.rows, column: RecordField.flags) { list, slip in
            if let slip { parsed.slips.note(slip, line: heads[row].line) }
            switch list {
            case .known(let flags): parsed.add(heads[row], flags: flags, matches: matches[row])
            case .new(let text): parsed.add(heads[row], newFlags: text, matches: matches[row])
            case .malformed(let error):
                refused[row] = error.description
                parsed.add(heads[row], flags: .empty, matches: matches[row])
            }
            row += 1
        }
        if !refused.isEmpty { parsed.refuse(refused) }
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
