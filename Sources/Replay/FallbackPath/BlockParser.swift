internal import PolicyEngine

/// Finds the records of blocks and understands them; one for each worker.
///
/// A block is read record by record: by ``RecordWalk`` where its records are as usual, else by the scanners. Then each of
/// its fields is looked at for many records at once, so that waiting for memory overlaps.
struct BlockParser {
    private var finder: RecordFinder
    private var walk: RecordWalk
    private var info: InfoScanner
    private let json = JSONScanner()
    private var fields: RecordFields
    /// The keys that are needed.
    let captureFields: CaptureFields
    private let builder: RecordBuilder
    private var lists: FlagListTable
    // Of the current block.
    private var heads: [RecordHead] = []
    private var flags: [FlagSet] = []
    private var found = FoundColumns()

    /// - Parameters:
    ///   - needs: What is looked for in records.
    ///   - zones: The time zones that captures may name.
    ///   - catalogue: The flags that are known.
    ///   - instructions: The instructions that bytes are compared with; `nil` leaves every record to the scanners.
    ///   - deadline: When searches in values give up.
    init(
        _ needs: RecordNeeds, zones: TimeZones, catalogue: FlagCatalogue, instructions: VectorInstructions? = .avx512,
        deadline: ContinuousClock.Instant? = nil
    ) {
        var captureFields = CaptureFields(instructions: instructions ?? .none, deadline: deadline)
        captureFields.names = needs.names
        finder = RecordFinder(needs, &captureFields)
        walk = RecordWalk(zones: zones, instructions: instructions)
        info = InfoScanner(zones: zones)
        builder = RecordBuilder(zones: zones)
        self.captureFields = captureFields
        fields = RecordFields(captureFields)
        lists = FlagListTable(catalogue, instructions: captureFields.instructions)
    }

    /// Takes flags that other records brought.
    mutating func adopt(_ catalogue: FlagCatalogue) { lists.adopt(catalogue) }

    /// The keys that somebody needs and some record gave a value so far.
    var seenKeys: [String] { fields.seenKeys }

    /// The keys that nobody needs and some record gave so far, where they are listed.
    var unneededKeys: [String] { fields.unneededKeys }

    /// Parses a block.
    ///
    /// - Parameters:
    ///   - block: Whole records.
    ///   - format: Their format.
    ///   - parsed: Takes what is found; its memory is used again.
    /// - Complexity: O(length); allocates only for what was never seen before.
    mutating func parse(
        _ block: CaptureBlock, format: CaptureFormat, into parsed: inout ParsedBlock
    ) {
        parsed.clear()
        fields.beginBlock(block.bytes, isText: format == .info)
        scan(block, format: format, into: &parsed)
        walk.observe(fields.rows, columns: finder.examinedColumns)
        for group in walk.groups.all { fields.rows.join(group.columns, into: group.column) }
        // Taken out of the value while `finish` changes other parts of it, and then given back with memory to use again.
        var heads: [RecordHead] = []
        swap(&heads, &self.heads)
        finish(&heads, fields.rows, groups: walk.groups, into: &parsed)
        swap(&heads, &self.heads)
        fields.endBlock()
    }

    /// Finds what accounts need in the values of records whose heads are known, whatever they were read from.
    ///
    /// - Parameters:
    ///   - heads: The heads of the valid records; become memory to use again.
    ///   - rows: Their values.
    ///   - groups: The fields whose values are looked for as one.
    ///   - dictionaries: The findings in their dictionaries, where they have some.
    ///   - parsed: Takes the records.
    mutating func finish(
        _ heads: inout [RecordHead], _ rows: ValueRows, groups: ValueGroups = ValueGroups(),
        dictionaries: ExaminedDictionaries = ExaminedDictionaries(), into parsed: inout ParsedBlock
    ) {
        let records = UnexaminedRecords(heads: heads, rows: rows, groups: groups, dictionaries: dictionaries)
        finder.find(records, into: &found)
        parsed.apps += finder.apps
        let refused = readFlags(records, into: &parsed)
        parsed.take(&heads, &flags, &found)
        if !refused.isEmpty { parsed.refuse(refused) }
    }

    private mutating func scan(
        _ block: CaptureBlock, format: CaptureFormat, into parsed: inout ParsedBlock
    ) {
        heads.removeAll(keepingCapacity: true)
        let bytes = block.bytes
        let span = bytes.span
        let isUTF8 = span.extracting(0..<block.end).isUTF8
        walk.begin(end: block.end, isText: format == .info, isUTF8: isUTF8)
        var position = BlockPosition(offset: 0, line: 1)
        while position.offset < block.end {
            walk.read(span, from: &position, rows: &fields.rows, heads: &heads)
            guard position.offset < block.end else { break }
            let scanned = scan(span, from: position, block: block, format: format)
            position = BlockPosition(offset: scanned.end, line: scanned.nextLine)
            guard let range = scanned.range else { continue }
            if format == .info, !isUTF8 { checkUTF8(span.extracting(range), line: scanned.line) }
            if let head = builder.head(from: span, line: scanned.line, range: range, fields: &fields) {
                heads.append(head)
                fields.keepRecord()
                fields.noteMistakes(in: &parsed.mistakes, line: head.line)
                walk.learn { fields.keyOrder() }
            } else {
                let problem = fields.problem ?? RecordProblem(line: scanned.line, message: "malformed record")
                parsed.malformed.append(MalformedRecord(problem: problem, range: range))
            }
        }
        parsed.lineCount = position.line - 1
    }

    private mutating func readFlags(
        _ records: borrowing UnexaminedRecords, into parsed: inout ParsedBlock
    ) -> [Int: FlagListError] {
        var refused: [Int: FlagListError] = [:]
        for row in lists.read(records.rows, column: RecordField.flags, into: &flags) {
            if let mistake = lists.mistake(ofRow: row) { parsed.mistakes.note(mistake, line: records.heads[row].line) }
            switch lists.list(ofRow: row, in: records.rows) {
            case .known: break
            case .new(let text): parsed.note(newFlags: text, ofRecordAt: row)
            case .malformed(let error): refused[row] = error
            }
        }
        return refused
    }

    private mutating func scan(
        _ bytes: Span<UInt8>, from position: BlockPosition, block: CaptureBlock, format: CaptureFormat
    ) -> ScannedRecord {
        let (start, line) = (position.offset, position.line)
        if format == .info { return info.scan(bytes, range: start..<block.end, line: line, fields: &fields) }
        var cursor = LineCursor(position: start, end: block.end)
        guard let content = cursor.next(in: bytes, isFinal: true)?.behindMark(in: bytes),
            InfoLine(bytes, line: content) != .between
        else {
            return ScannedRecord(range: nil, line: line, end: cursor.position, nextLine: line + 1)
        }
        let isCut = block.isLast && cursor.position == block.end && block.lacksFinalNewline
        json.scan(bytes, line: content, number: line, isCut: isCut, fields: &fields)
        return ScannedRecord(range: start..<cursor.position, line: line, end: cursor.position, nextLine: line + 1)
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
