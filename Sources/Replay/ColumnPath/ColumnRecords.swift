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
    private var systems = KeyFindings<HeadFinding>()
    private var rejections = KeyFindings<HeadFinding>()
    // Of the current rows.
    private var foundTimes: [Instant?] = []
    private var ids: [DeviceID] = []
    private var found: [HeadFinding] = []
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
    mutating func read<Matches>(_ block: ColumnBlock, into parsed: inout ParsedBlock<Matches>) {
        let batch = block.batch.batch
        adopt(block.layout)
        problems.removeAll()
        fill(block, batch)
        readHeads(block, batch)
        parsed.lineCount = block.rows.count
        refuse(into: &parsed)
        noteMistakes(block, batch, in: &parsed.mistakes)
    }

    /// Lets go of the batch.
    mutating func end() { rows.bytes = [] }

    private mutating func adopt(_ layout: ColumnLayout) {
        guard self.layout !== layout else { return }
        self.layout = layout
        sources = Array(repeating: [], count: fields.count)
        for (index, field) in layout.fields.enumerated() {
            for key in fields.keys where ExactText(key.name) == ExactText(field.name) {
                sources[key.column].append(index)
            }
        }
        seen = Array(repeating: false, count: layout.fields.count)
    }
}

// MARK: Values

extension ColumnRecords {
    // Of the record's own data, time and ID are read from the columns of the capture.
    private static let ownText = [RecordField.flags, RecordField.rejections, RecordField.device]

    private mutating func fill(_ block: ColumnBlock, _ batch: ColumnBatch) {
        var columns: [ValueColumn] = []
        rows.setColumns(block.rows.count) { swap(&columns, &$0) }
        rows.bytes = batch.bytes
        rows.copied.removeAll(keepingCapacity: true)
        for field in sources.indices {
            note(field, block, batch)
            columns[field].clear()
            guard fields.asked.contains(field) || Self.ownText.contains(field) else { continue }
            fill(&columns[field], field, block, batch)
        }
        rows.setColumns(block.rows.count) { swap(&columns, &$0) }
    }

    // Which keys have a value, and which of these are no text.
    private mutating func note(_ field: Int, _ block: ColumnBlock, _ batch: ColumnBatch) {
        for source in sources[field] {
            let column = batch.columns[source]
            if !seen[source], block.rows.contains(where: { column.hasValue($0) }) {
                seen[source] = true
                seenFields.insert(field)
            }
            if let damaged = column.dictionary?.damaged, !damaged.isEmpty {
                for row in block.rows where damaged.contains(Int(column.keys[row])) { noteDamage(row, source, block) }
            }
            for row in column.damaged where block.rows.contains(row) { noteDamage(row, source, block) }
        }
    }

    private mutating func noteDamage(_ row: Int, _ column: Int, _ block: ColumnBlock) {
        note("the value of `\(block.layout.fields[column].name)` is not UTF-8", row, block)
    }

    private mutating func note(
        _ message: @autoclosure () -> String, _ row: Int, _ block: ColumnBlock, hint: String? = nil
    ) {
        let index = row - block.rows.lowerBound
        guard problems[index] == nil else { return }
        problems[index] = RecordProblem(line: index + 1, message: message(), hint: hint)
    }

    private mutating func fill(_ values: inout ValueColumn, _ field: Int, _ block: ColumnBlock, _ batch: ColumnBatch) {
        guard let source = sources[field].first else { return }
        let column = batch.columns[source]
        if sources[field].count > 1 || column.content != .text && column.dictionary == nil {
            values.ranges.append(contentsOf: repeatElement(.absent, count: block.rows.count))
            for source in sources[field] { add(source, to: &values.ranges, block, batch) }
        } else if let dictionary = column.dictionary {
            values.keys += column.keys[block.rows]
            values.dictionary = dictionary
        } else {
            for value in column.values[block.rows] { values.ranges.append(ValueRange(value)) }
        }
    }

    // Values of which there may be others for the same field, or that are no text.
    private mutating func add(
        _ source: Int, to ranges: inout [ValueRange], _ block: ColumnBlock, _ batch: ColumnBatch
    ) {
        let (column, form) = (batch.columns[source], block.layout.fields[source])
        for (index, row) in block.rows.enumerated() where column.hasValue(row) {
            guard ranges[index].isAbsent else {
                note("key `\(form.name)` is given twice", row, block)
                continue
            }
            if column.content == .text, column.dictionary == nil {
                ranges[index] = ValueRange(column.values[row])
                continue
            }
            let start = rows.copied.count
            if let dictionary = column.dictionary {
                dictionary.withText(ofKey: column.keys[row]) { $0.append($1, to: &rows.copied) }
            } else if column.content == .bytes {
                DeviceID(column: batch.bytes.span, column.values[row].range, isText: false)?.append(to: &rows.copied)
            } else if let text = column.text(row, form, batch) {
                rows.copied += text
            } else {
                note("the value of `\(form.name)` is neither text nor a list of names", row, block)
            }
            ranges[index] = ValueRange(start..<rows.copied.count, form: .unescaped)
        }
    }
}

// MARK: Heads

extension ColumnRecords {
    private mutating func readHeads(_ block: ColumnBlock, _ batch: ColumnBatch) {
        deviceKeys = nil
        readTimes(block, batch)
        readFindings()
        guard let column = block.layout.devices.map({ batch.columns[$0] }) else {
            return appendHeads(block, batch) { _ in nil }
        }
        if let devices = block.devices {
            let areDevices = devices.read(column.keys.span.extracting(block.rows), into: &ids)
            let (ids, first) = (ids, block.rows.lowerBound)
            if areDevices {
                appendHeads(block, batch) { ids[$0 &- first] }
            } else {
                appendHeads(block, batch) { ids[$0 &- first].isFilteredPolicy ? nil : ids[$0 &- first] }
            }
            let keys = column.keys[block.rows]
            let kept = problems.isEmpty ? Array(keys) : heads.map { keys[keys.startIndex + $0.line - 1] }
            deviceKeys = DeviceKeys(dictionary: devices.dictionary, keys: kept)
        } else {
            let (bytes, isText) = (batch.bytes, column.content == .text)
            appendHeads(block, batch) { row in
                guard row < column.values.count, !column.values[row].isAbsent else { return nil }
                return DeviceID(column: bytes.span, column.values[row].range, isText: isText)
            }
        }
    }

    @inline(__always)
    private mutating func appendHeads(_ block: ColumnBlock, _ batch: ColumnBatch, id: (Int) -> DeviceID?) {
        var heads: [RecordHead] = []
        swap(&heads, &self.heads)
        heads.removeAll(keepingCapacity: true)
        heads.reserveCapacity(block.rows.count)
        let (first, areSound) = (block.rows.lowerBound, problems.isEmpty)
        let (allFound, times) = (self.found, foundTimes)
        for index in 0..<block.rows.count {
            let (id, head) = (id(first &+ index), allFound[index])
            guard let id, let time = times[index], !head.verdict.contains(.unsound),
                areSound || problems[index] == nil
            else {
                noteProblem(id, first + index, block, batch)
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
        times.read(
            batch.columns[source], block.layout.fields[source], block.rows, batch.bytes.span, into: &foundTimes)
    }

    private mutating func readFindings() {
        found.removeAll(keepingCapacity: true)
        found.append(contentsOf: repeatElement(.nothing, count: rows.count))
        Self.find(RecordField.device, rows, with: &systems, in: &found) {
            HeadFinding(system: OperatingSystem(deviceAttribute: $0))
        }
        Self.find(RecordField.rejections, rows, with: &rejections, in: &found) { HeadFinding(rejections: $0) }
    }

    private static func find(
        _ field: Int, _ rows: borrowing ValueRows, with findings: inout KeyFindings<HeadFinding>,
        in found: inout [HeadFinding], _ examine: (Span<UInt8>) -> HeadFinding
    ) {
        let column = rows.columns[field]
        if let dictionary = column.dictionary {
            findings.add(column.keys, of: dictionary, to: &found, examine: examine)
        } else {
            for (row, value) in column.ranges.enumerated() where !value.isAbsent {
                found[row].formUnion(rows.withBytes(of: value) { examine($0.extracting($1)) })
            }
        }
    }

    // The same checks in the same order as those of ``RecordBuilder``.
    @inline(never)
    private mutating func noteProblem(_ id: DeviceID?, _ row: Int, _ block: ColumnBlock, _ batch: ColumnBatch) {
        let index = row - block.rows.lowerBound
        func text(_ field: Int) -> String? {
            guard let source = sources[field].first, batch.columns[source].hasValue(row) else { return nil }
            return batch.columns[source].shown(row, block.layout.fields[source], batch)
        }
        if id == nil {
            guard let text = text(RecordField.deviceID) else { return note("record without `device-id`", row, block) }
            guard text != DeviceID.filteredPolicyText else {
                return note("`\(text)` is not a device; it is the ID of the filtered security policy", row, block)
            }
            note(DeviceError.invalidID(text).description, row, block)
        } else if foundTimes[index] == nil {
            guard let text = text(RecordField.time) else { return note("record without `time`", row, block) }
            noteTime(text, row, block)
        } else if let source = sources[RecordField.rejections].first, found[index].verdict.contains(.unsound) {
            let text = batch.columns[source].shown(row, block.layout.fields[source], batch)
            do throws(FlagListError) { try FlagList.check(text) } catch { note(error.description, row, block) }
        }
    }

    private mutating func noteTime(_ text: String, _ row: Int, _ block: ColumnBlock) {
        guard let source = sources[RecordField.time].first, case .time(_, let zone) = block.layout.fields[source].type
        else {
            return note("`\(text)` is not a time of RFC 3339", row, block, hint: "such as 2020-07-23T11:10:43Z")
        }
        if zone == nil, times.needsZone {
            note(
                "column `time` has no time zone", row, block, hint: "give its offset from UTC with --timezone ±hh:mm")
        } else {
            note("`\(text)` units since 1970 are not in the years 1 to 9999", row, block)
        }
    }
}

// MARK: Malformed records

extension ColumnRecords {
    // Leaves the valid records in the columns.
    private mutating func refuse<Matches>(into parsed: inout ParsedBlock<Matches>) {
        guard !problems.isEmpty else { return }
        for (index, problem) in problems.sorted(by: { $0.key < $1.key }) {
            parsed.malformed.append(MalformedRecord(problem: problem, range: index..<index + 1))
        }
        let kept = heads.map { $0.line - 1 }
        rows.setColumns(kept.count) { columns in
            for index in columns.indices { columns[index].keep(kept) }
        }
    }

    private func noteMistakes(_ block: ColumnBlock, _ batch: ColumnBatch, in mistakes: inout CaptureMistakes) {
        for (source, mistake) in block.layout.lookAlikes {
            for head in heads where batch.columns[source].hasValue(block.rows.lowerBound + head.line - 1) {
                mistakes.note(mistake, line: head.line)
            }
        }
    }
}
