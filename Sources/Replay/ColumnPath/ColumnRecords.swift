internal import Columns
internal import PolicyEngine

/// Understands the records of a batch of columns: what they say of themselves, and where their other values are.
///
/// A value of a dictionary is looked at once. What cannot be understood is a malformed record, for the same reasons as in lines.
struct ColumnRecords {
    /// The heads of the valid records.
    var heads: [RecordHead] = []
    /// Their values.
    private(set) var rows: ValueRows
    /// Their devices, where the column of IDs has a dictionary.
    private(set) var deviceKeys: DeviceKeys?
    private let fields: CaptureFields
    private var layout: ColumnLayout?
    // By field, the columns of the capture with its values; by column, true if some record has a value.
    private var sources: [[Int]] = []
    private var seen: [Bool] = []
    private var seenFields: Set<Int> = []
    private var times: ColumnTimes
    // The columns of the current rows, in the order of the schema, and what else is known of these.
    private var columns: [Column] = []
    private var foundTimes: [Instant?] = []
    private var ids: [DeviceID] = []
    private var found: [HeadFinding] = []
    private var numbers: [UInt8] = []
    private var problems: [Int: RecordProblem] = [:]

    /// - Parameters:
    ///   - fields: The keys that are needed.
    ///   - zones: The zones of times that name none.
    init(_ fields: CaptureFields, zones: TimeZones) {
        self.fields = fields
        rows = ValueRows(width: fields.count + ValueGroups.limit)
        times = ColumnTimes(zones)
    }

    /// The keys that somebody needs and some record gave a value so far.
    var seenKeys: [String] { fields.keys.filter { seenFields.contains($0.column) }.map(\.name) }

    /// Reads a block.
    ///
    /// - Parameters:
    ///   - block: The records.
    ///   - parsed: Takes those that are malformed, and the mistakes in the others.
    /// - Throws: What is wrong with the columns.
    mutating func read(
        _ block: ColumnBlock, into parsed: inout ParsedBlock
    ) throws(CaptureFailure) {
        let batch = block.batch.batch
        adopt(block.layout)
        try decode(block, batch)
        problems.removeAll()
        fill(block, batch)
        readHeads(block, batch)
        parsed.lineCount = block.rows.count
        refuse(into: &parsed)
        noteMistakes(block, in: &parsed.mistakes)
    }

    private mutating func decode(_ block: ColumnBlock, _ batch: ColumnBatch) throws(CaptureFailure) {
        do throws(ColumnFailure) {
            try batch.decode(block.rows, into: &columns)
        } catch {
            throw .columns(path: block.layout.path, error)
        }
    }

    /// Lets go of the batch.
    mutating func end() { rows.bytes = [] }

    private mutating func adopt(_ layout: ColumnLayout) {
        guard self.layout !== layout else { return }
        self.layout = layout
        sources = layout.sources(of: fields)
        seen = Array(repeating: false, count: layout.fields.count)
    }
}

// MARK: Values

extension ColumnRecords {
    // Of the record's own data, time and ID are read from the columns of the capture.
    private static let ownText = [RecordField.flags, RecordField.rejections, RecordField.device]

    private mutating func fill(_ block: ColumnBlock, _ batch: ColumnBatch) {
        var values: [ValueColumn] = []
        rows.setColumns(block.rows.count) { swap(&values, &$0) }
        rows.bytes = batch.bytes
        rows.copied.removeAll(keepingCapacity: true)
        for field in sources.indices {
            note(field, block)
            values[field].clear()
            guard fields.asked.contains(field) || Self.ownText.contains(field) else { continue }
            fill(&values[field], field, block, batch)
        }
        rows.setColumns(block.rows.count) { swap(&values, &$0) }
    }

    // Which keys have a value, and which of these are no text.
    private mutating func note(_ field: Int, _ block: ColumnBlock) {
        for source in sources[field] {
            if !seen[source], (0..<block.rows.count).contains(where: { columns[source].hasValue($0) }) {
                seen[source] = true
                seenFields.insert(field)
            }
            if let damaged = columns[source].dictionary?.damaged, !damaged.isEmpty {
                for index in columns[source].keys.indices where damaged.contains(Int(columns[source].keys[index])) {
                    noteDamage(index, source, block)
                }
            }
            for index in columns[source].damaged { noteDamage(index, source, block) }
        }
    }

    private mutating func noteDamage(_ index: Int, _ column: Int, _ block: ColumnBlock) {
        note("the value of `\(block.layout.fields[column].name)` is not UTF-8", index)
    }

    private mutating func note(_ message: @autoclosure () -> String, _ index: Int, hint: String? = nil) {
        guard problems[index] == nil else { return }
        problems[index] = RecordProblem(line: index + 1, message: message(), hint: hint)
    }

    private mutating func fill(_ values: inout ValueColumn, _ field: Int, _ block: ColumnBlock, _ batch: ColumnBatch) {
        guard let source = sources[field].first else { return }
        if sources[field].count > 1 || !columns[source].isPlainText && columns[source].dictionary == nil {
            values.ranges.append(contentsOf: repeatElement(.absent, count: block.rows.count))
            for source in sources[field] { add(source, to: &values.ranges, block, batch) }
        } else if let dictionary = columns[source].dictionary {
            values.keys += columns[source].keys
            values.dictionary = dictionary
        } else {
            values.take(columns[source].values)
        }
    }

    // Values of which there may be others for the same field, or that are no text of the batch.
    private mutating func add(
        _ source: Int, to ranges: inout [ValueRange], _ block: ColumnBlock, _ batch: ColumnBatch
    ) {
        let (column, form) = (columns[source], block.layout.fields[source])
        for index in ranges.indices where column.hasValue(index) {
            guard ranges[index].isAbsent else {
                note("key `\(form.name)` is given twice", index)
                continue
            }
            if column.isPlainText, column.dictionary == nil {
                ranges[index] = ValueRange(column.values[index])
                continue
            }
            let start = rows.copied.count
            if let dictionary = column.dictionary {
                dictionary.withText(ofKey: column.keys[index]) { $0.append($1, to: &rows.copied) }
            } else if column.content == .bytes {
                DeviceID(column: batch.bytes.span, column.values[index].range, isText: false)?
                    .append(to: &rows.copied)
            } else if let text = column.text(index, form, batch) {
                rows.copied += text
            } else {
                note("the value of `\(form.name)` is neither text nor a list of names", index)
            }
            ranges[index] = ValueRange(start..<rows.copied.count, form: .unescaped)
        }
    }
}

extension Column {
    // True for text in the memory of the batch.
    fileprivate var isPlainText: Bool { content == .text && texts == nil }
}

// MARK: Heads

extension ColumnRecords {
    private mutating func readHeads(_ block: ColumnBlock, _ batch: ColumnBatch) {
        deviceKeys = nil
        readTimes(block, batch)
        readFindings(block.dictionaries)
        guard let source = block.layout.devices else { return appendHeads(block, batch) { _ in nil } }
        if let devices = block.devices {
            readKeyedHeads(block, batch, devices, source)
        } else {
            let (values, bytes) = (columns[source].values, columns[source].bytes(in: batch))
            let isText = columns[source].content == .text
            appendHeads(block, batch) { index in
                guard !values[index].isAbsent else { return nil }
                return DeviceID(column: bytes.span, values[index].range, isText: isText)
            }
        }
    }

    private mutating func readKeyedHeads(
        _ block: ColumnBlock, _ batch: ColumnBatch, _ devices: KeyedDevices, _ source: Int
    ) {
        let keys = columns[source].keys
        let areDevices = devices.read(keys.span, into: &ids)
        let ids = ids
        if areDevices {
            appendHeads(block, batch) { ids[$0] }
        } else {
            appendHeads(block, batch) { ids[$0].isFilteredPolicy ? nil : ids[$0] }
        }
        let kept = problems.isEmpty ? keys : heads.map { keys[$0.line - 1] }
        deviceKeys = DeviceKeys(dictionary: devices.dictionary, keys: kept)
    }

    @inline(__always)
    private mutating func appendHeads(_ block: ColumnBlock, _ batch: ColumnBatch, id: (Int) -> DeviceID?) {
        var heads: [RecordHead] = []
        swap(&heads, &self.heads)
        heads.removeAll(keepingCapacity: true)
        heads.reserveCapacity(block.rows.count)
        let areSound = problems.isEmpty
        let (allFound, times) = (self.found, foundTimes)
        for index in 0..<block.rows.count {
            let (id, head) = (id(index), allFound[index])
            guard let id, let time = times[index], !head.verdict.contains(.unsound),
                areSound || problems[index] == nil
            else {
                noteProblem(id, index, block, batch)
                continue
            }
            heads.append(
                RecordHead(
                    id: id, time: time, system: head.system, capturedVerdict: head.verdict.verdict, line: index &+ 1,
                    range: index..<index &+ 1))
        }
        swap(&heads, &self.heads)
    }

    private mutating func readTimes(_ block: ColumnBlock, _ batch: ColumnBatch) {
        guard let source = sources[RecordField.time].first else {
            foundTimes = Array(repeating: nil, count: block.rows.count)
            return
        }
        let bytes = columns[source].bytes(in: batch)
        times.read(columns[source], block.layout.fields[source], block.rows.count, bytes.span, into: &foundTimes)
    }

    private mutating func readFindings(_ dictionaries: ExaminedDictionaries) {
        found.removeAll(keepingCapacity: true)
        found.append(contentsOf: repeatElement(.nothing, count: rows.count))
        find(RecordField.device, dictionaries.systems) { HeadFinding(system: OperatingSystem(deviceAttribute: $0)) }
        find(RecordField.rejections, dictionaries.rejections) { HeadFinding(rejections: $0) }
    }

    private mutating func find(
        _ field: Int, _ known: DictionaryFindings<HeadFinding>?, _ examine: (Span<UInt8>) -> HeadFinding
    ) {
        let column = rows.columns[field]
        if let known {
            known.add(column.keys, to: &found, using: &numbers)
        } else {
            for (row, value) in column.ranges.enumerated() where !value.isAbsent {
                found[row].formUnion(rows.withBytes(of: value) { examine($0.extracting($1)) })
            }
        }
    }

    // The same checks in the same order as those of ``RecordBuilder``.
    @inline(never)
    private mutating func noteProblem(_ id: DeviceID?, _ index: Int, _ block: ColumnBlock, _ batch: ColumnBatch) {
        func text(_ field: Int) -> String? {
            guard let source = sources[field].first, columns[source].hasValue(index) else { return nil }
            return columns[source].shown(index, block.layout.fields[source], batch)
        }
        if id == nil {
            guard let text = text(RecordField.deviceID) else {
                return note("record without `device-id`", index, hint: block.layout.hint(onMissing: "device-id"))
            }
            guard text != DeviceID.filteredPolicyText else {
                return note("`\(text)` is not a device; it is the ID of the filtered security policy", index)
            }
            note(DeviceError.invalidID(text).description, index)
        } else if foundTimes[index] == nil {
            guard let text = text(RecordField.time) else {
                return note("record without `time`", index, hint: block.layout.hint(onMissing: "time"))
            }
            noteTime(text, index, block)
        } else if let source = sources[RecordField.rejections].first, found[index].verdict.contains(.unsound) {
            let text = columns[source].shown(index, block.layout.fields[source], batch)
            do throws(FlagListError) { try FlagList.names(in: text) } catch { note(error.description, index) }
        }
    }

    private mutating func noteTime(_ text: String, _ index: Int, _ block: ColumnBlock) {
        guard let source = sources[RecordField.time].first, case .time(_, let zone) = block.layout.fields[source].type
        else {
            return note("`\(text)` is not a time of RFC 3339", index, hint: RecordTime.hint(on: text))
        }
        if zone == nil, times.needsZone {
            note(
                "column `time` has no time zone", index, hint: "give its offset from UTC with --timezone ±hh:mm")
        } else {
            note("`\(text)` units since 1970 are not in the years 1 to 9999", index)
        }
    }
}

// MARK: Malformed records

extension ColumnRecords {
    // Leaves the valid records in the columns.
    private mutating func refuse(into parsed: inout ParsedBlock) {
        guard !problems.isEmpty else { return }
        for (index, problem) in problems.sorted(by: { $0.key < $1.key }) {
            parsed.malformed.append(MalformedRecord(problem: problem, range: index..<index + 1))
        }
        let kept = heads.map { $0.line - 1 }
        rows.setColumns(kept.count) { columns in
            for index in columns.indices { columns[index].keep(kept) }
        }
    }

    private func noteMistakes(_ block: ColumnBlock, in mistakes: inout CaptureMistakes) {
        for (source, mistake) in block.layout.lookAlikes {
            for head in heads where columns[source].hasValue(head.line - 1) {
                mistakes.note(mistake, line: head.line)
            }
        }
    }
}
