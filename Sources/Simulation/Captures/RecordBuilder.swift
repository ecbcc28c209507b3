internal import PolicyEngine

/// Turns scanned fields into an attestation with numbers for names.
struct RecordBuilder {
    private let attributes: [(key: AttributeKey, field: Int)]
    // The sets of flags by the text that lists them: few different lists make up most captures.
    private var lists = ValueTable(capacity: CaptureLimits.keptFlagLists)
    // INVARIANT: one for each kept list; `nil` for a text that is no list of flags.
    private var sets: [FlagSet?] = []

    init(attributes: [(name: String, key: AttributeKey)], fields: RecordFields) {
        self.attributes = attributes.compactMap { attribute in
            fields.field(ofAttribute: attribute.name).map { (attribute.key, $0) }
        }
    }

    /// Builds a record.
    ///
    /// - Parameters:
    ///   - bytes: The memory that the fields' values stand in.
    ///   - line: The record's first line.
    ///   - fields: What was scanned; gets a problem where the values make no sense.
    ///   - record: Where to put it.
    ///   - symbols: Takes new names.
    /// - Returns: Whether the record is sound.
    mutating func build(
        from bytes: Span<UInt8>, line: Int, fields: inout RecordFields, into record: inout CaptureRecord,
        symbols: inout SymbolTable
    ) -> Bool {
        guard fields.problem == nil else { return false }
        guard let id = deviceID(in: bytes, line: line, fields: &fields),
            let time = time(in: bytes, line: line, fields: &fields),
            let flags = flags(in: bytes, line: line, fields: &fields, symbols: &symbols),
            hasSoundRejections(in: bytes, line: line, fields: &fields)
        else { return false }
        record.line = line
        record.attestation.time = time
        record.attestation.device = symbols.devices.intern(id)
        record.attestation.flags = flags
        record.capturedVerdict = fields.values[RecordField.rejections].map(\.range.isEmpty)
        record.operatingSystem = .unknown
        if let device = fields.values[RecordField.device], !device.isJoined {
            record.operatingSystem = OperatingSystem(deviceAttribute: bytes.extracting(device.range))
        }
        for (key, field) in attributes {
            record.attestation.set(
                intern(fields.values[field], key: key, in: bytes, fields: fields, symbols: &symbols), for: key)
        }
        return true
    }

    private func intern(
        _ value: FieldValue?, key: AttributeKey, in bytes: Span<UInt8>, fields: borrowing RecordFields,
        symbols: inout SymbolTable
    ) -> ValueNumber {
        guard let value else { return .absent }
        if value.isJoined { return symbols.attributes.intern(fields.joined.span, range: value.range, for: key) }
        return symbols.attributes.intern(bytes, range: value.range, for: key)
    }

    private func deviceID(in bytes: Span<UInt8>, line: Int, fields: inout RecordFields) -> DeviceID? {
        let given = fields.values[RecordField.deviceID]
        guard let range = fields.headerID ?? given?.range else {
            fields.note("record without `device-id`", line: line)
            return nil
        }
        guard given?.isJoined != true else {
            fields.note("`device-id` goes over several lines", line: line)
            return nil
        }
        guard let id = DeviceID(bytes, range: range) else {
            fields.note(DeviceError.invalidID(RecordFields.text(range, in: bytes)).description, line: line)
            return nil
        }
        if let given, !bytes.hasSameBytes(in: given.range, as: bytes, in: range) {
            let other = RecordFields.text(given.range, in: bytes)
            fields.note("`device-id` is `\(other)`, but the record is that of `\(id)`", line: line)
            return nil
        }
        guard !id.isFilteredPolicy else {
            fields.note("`\(id)` is not a device; it stands for the filtered security policy", line: line)
            return nil
        }
        if given == nil { fields.set(FieldValue(range: range), for: RecordField.deviceID) }
        return id
    }

    private func time(in bytes: Span<UInt8>, line: Int, fields: inout RecordFields) -> Instant? {
        if let instant = fields.instant { return instant }
        guard let value = fields.values[RecordField.time] else {
            fields.note("record without `time`", line: line)
            return nil
        }
        guard let instant = Instant(rfc3339: bytes, range: value.range) else {
            let text = RecordFields.text(value.range, in: bytes)
            fields.note("`\(text)` is not a time of RFC 3339", line: line, hint: "such as 2020-07-23T11:10:43Z")
            return nil
        }
        return instant
    }

    // Flags, and names such as `filter:myip`; present and empty means that the service passed the device.
    private func hasSoundRejections(in bytes: Span<UInt8>, line: Int, fields: inout RecordFields) -> Bool {
        guard let value = fields.values[RecordField.rejections], !value.range.isEmpty else { return true }
        guard !value.isJoined else {
            fields.note("the list of rejections goes over several lines", line: line)
            return false
        }
        if FlagList.isSound(bytes.extracting(value.range)) { return true }
        do throws(FlagListError) {
            try FlagList.check(RecordFields.text(value.range, in: bytes))
        } catch {
            fields.note(error.description, line: line)
        }
        return false
    }

    private mutating func flags(
        in bytes: Span<UInt8>, line: Int, fields: inout RecordFields, symbols: inout SymbolTable
    ) -> FlagSet? {
        guard let value = fields.values[RecordField.flags], !value.range.isEmpty else { return .empty }
        guard !value.isJoined else {
            fields.note("the list of flags goes over several lines", line: line)
            return nil
        }
        let list = lists.intern(bytes, range: value.range)
        if list.offset < sets.count, let known = sets[list.offset] { return known }
        do throws(FlagListError) {
            let set = try FlagList.read(RecordFields.text(value.range, in: bytes), catalogue: &symbols.catalogue)
            if list.offset == sets.count { sets.append(set) }
            return set
        } catch {
            if list.offset == sets.count { sets.append(nil) }
            fields.note(error.description, line: line)
            return nil
        }
    }
}
