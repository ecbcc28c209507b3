internal import PolicyEngine

/// Turns scanned fields into an attestation with numbers for names.
struct RecordBuilder {
    private let attributes: [(key: AttributeKey, field: Int)]
    private var lists: FlagListTable

    init(attributes: [(name: String, key: AttributeKey)], fields: RecordFields, catalogue: FlagCatalogue) {
        self.attributes = attributes.compactMap { attribute in
            fields.field(ofAttribute: attribute.name).map { (attribute.key, $0) }
        }
        lists = FlagListTable(catalogue)
    }

    /// Takes flags that other records brought.
    mutating func take(_ catalogue: FlagCatalogue) { lists.take(catalogue) }

    /// Builds a record.
    ///
    /// - Parameters:
    ///   - bytes: The memory of the block.
    ///   - line: The record's first line.
    ///   - fields: What was scanned; gets a problem where the values make no sense.
    ///   - record: Where to put it.
    ///   - table: Takes new values of attributes.
    /// - Returns: Whether the record is sound.
    mutating func build(
        from bytes: Span<UInt8>, line: Int, fields: inout RecordFields, into record: inout CaptureRecord,
        attributes table: inout AttributeTable
    ) -> Bool {
        guard fields.problem == nil else { return false }
        guard let id = deviceID(in: bytes, line: line, fields: &fields),
            let time = time(in: bytes, line: line, fields: &fields),
            hasSoundRejections(in: bytes, line: line, fields: &fields),
            takeFlags(in: bytes, line: line, fields: &fields, into: &record)
        else { return false }
        record.line = line
        record.id = id
        record.attestation.time = time
        record.capturedVerdict = fields[RecordField.rejections].map(\.range.isEmpty)
        record.operatingSystem = .unknown
        if let device = fields[RecordField.device], !device.isJoined {
            record.operatingSystem = fields.withBytes(of: device, in: bytes) { memory, range in
                OperatingSystem(deviceAttribute: memory.extracting(range))
            }
        }
        for (key, field) in attributes {
            record.attestation.set(number(of: field, key: key, in: bytes, fields: fields, table: &table), for: key)
        }
        return true
    }

    private func number(
        of field: Int, key: AttributeKey, in bytes: Span<UInt8>, fields: borrowing RecordFields,
        table: inout AttributeTable
    ) -> ValueNumber {
        guard let value = fields[field] else { return .absent }
        if value.form == .plain { return table.intern(bytes, range: value.range, for: key) }
        return table.intern(fields.copied.span, range: value.range, for: key)
    }

    private func deviceID(in bytes: Span<UInt8>, line: Int, fields: inout RecordFields) -> DeviceID? {
        let given = fields[RecordField.deviceID]
        guard let value = fields.headerID.map({ FieldValue(range: $0) }) ?? given else {
            fields.note("record without `device-id`", line: line)
            return nil
        }
        guard given?.isJoined != true else {
            fields.note("`device-id` goes over several lines", line: line)
            return nil
        }
        guard let id = fields.withBytes(of: value, in: bytes, { DeviceID($0, range: $1) }) else {
            let text = fields.text(of: value, in: bytes)
            fields.note(DeviceError.invalidID(text).description, line: line)
            return nil
        }
        if fields.headerID != nil, let given, !bytes.hasSameBytes(in: given.range, as: bytes, in: value.range) {
            let other = fields.text(of: given, in: bytes)
            fields.note("`device-id` is `\(other)`, but the record is that of `\(id)`", line: line)
            return nil
        }
        guard !id.isFilteredPolicy else {
            fields.note("`\(id)` is not a device; it stands for the filtered security policy", line: line)
            return nil
        }
        if given == nil { fields.set(value, for: RecordField.deviceID) }
        return id
    }

    private func time(in bytes: Span<UInt8>, line: Int, fields: inout RecordFields) -> Instant? {
        if let instant = fields.instant { return instant }
        guard let value = fields[RecordField.time] else {
            fields.note("record without `time`", line: line)
            return nil
        }
        guard let instant = fields.withBytes(of: value, in: bytes, { Instant(rfc3339: $0, range: $1) }) else {
            let text = fields.text(of: value, in: bytes)
            fields.note("`\(text)` is not a time of RFC 3339", line: line, hint: "such as 2020-07-23T11:10:43Z")
            return nil
        }
        return instant
    }

    // Flags, and names such as `filter:myip`; present and empty means that the service passed the device.
    private func hasSoundRejections(in bytes: Span<UInt8>, line: Int, fields: inout RecordFields) -> Bool {
        guard let value = fields[RecordField.rejections], !value.range.isEmpty else { return true }
        guard !value.isJoined else {
            fields.note("the list of rejections goes over several lines", line: line)
            return false
        }
        if fields.withBytes(of: value, in: bytes, { FlagList.isSound($0.extracting($1)) }) { return true }
        do throws(FlagListError) {
            try FlagList.check(fields.text(of: value, in: bytes))
        } catch {
            fields.note(error.description, line: line)
        }
        return false
    }

    private mutating func takeFlags(
        in bytes: Span<UInt8>, line: Int, fields: inout RecordFields, into record: inout CaptureRecord
    ) -> Bool {
        record.attestation.flags = .empty
        record.newFlags = nil
        guard let value = fields[RecordField.flags], !value.range.isEmpty else { return true }
        guard !value.isJoined else {
            fields.note("the list of flags goes over several lines", line: line)
            return false
        }
        let list =
            value.form == .plain
            ? lists.read(bytes, range: value.range) : lists.read(fields.copied.span, range: value.range)
        switch list {
        case .known(let flags): record.attestation.flags = flags
        case .new(let text): record.newFlags = text
        case .malformed(let error):
            fields.note(error.description, line: line)
            return false
        }
        return true
    }
}
