internal import Columns
internal import PolicyEngine

/// Finds and understands the records of captures of any kind; one for each worker.
struct CaptureParser {
    private var lines: BlockParser
    // Made where a capture has columns.
    private var columns: ColumnRecords?
    private let zones: TimeZones

    /// - Parameters:
    ///   - needs: What is looked for in records.
    ///   - zones: The time zones that captures may name, and that of times which name none.
    ///   - catalogue: The flags that are known.
    ///   - instructions: The instructions that bytes are compared with; `nil` leaves every record to the scanners.
    ///   - deadline: When searches in values give up.
    init(
        _ needs: RecordNeeds, zones: TimeZones, catalogue: FlagCatalogue, instructions: VectorInstructions?,
        deadline: ContinuousClock.Instant?
    ) {
        self.zones = zones
        lines = BlockParser(
            needs, zones: zones, catalogue: catalogue, instructions: instructions, deadline: deadline)
    }

    /// Takes flags that other records brought.
    mutating func adopt(_ catalogue: FlagCatalogue) { lines.adopt(catalogue) }

    /// The keys that somebody needs and some record gave a value so far.
    var seenKeys: [String] { lines.seenKeys + (columns?.seenKeys ?? []) }

    /// The keys that nobody needs and some record may have, where they are listed: those of the columns, or of the lines so far.
    func unneededKeys(of columns: ColumnBlock?) -> [String] {
        guard let columns else { return lines.unneededKeys }
        guard lines.captureFields.listsOthers else { return [] }
        let known = lines.captureFields.keys.map(\.name) + ColumnNames.origins
        let needed = known.exactTexts
        return columns.layout.fields.map(\.name).filter { !needed.contains(ExactText($0)) }
    }

    /// Parses a block.
    ///
    /// - Parameters:
    ///   - columns: The records, if the capture has columns.
    ///   - block: Else the records as lines.
    ///   - format: The format of the lines.
    ///   - parsed: Takes what is found; its memory is used again.
    /// - Throws: What is wrong with the columns, none of whose records are taken.
    mutating func parse(
        _ columns: ColumnBlock?, _ block: CaptureBlock, format: CaptureFormat,
        into parsed: inout ParsedBlock
    ) throws(CaptureFailure) {
        if let columns {
            try parse(columns, into: &parsed)
        } else {
            lines.parse(block, format: format, into: &parsed)
        }
    }

    private mutating func parse(
        _ block: ColumnBlock, into parsed: inout ParsedBlock
    ) throws(CaptureFailure) {
        parsed.clear()
        var records = columns.take() ?? ColumnRecords(lines.captureFields, zones: zones)
        defer {
            records.end()
            columns = records
        }
        try records.read(block, into: &parsed)
        parsed.devices = records.deviceKeys
        lines.finish(&records.heads, records.rows, dictionaries: block.dictionaries, into: &parsed)
    }
}
