internal import PolicyEngine

/// Understands what scanned records say of themselves, attributes and flags aside.
struct RecordBuilder {
    /// The zones of times that name none.
    let zones: TimeZones

    /// Understands a record.
    ///
    /// - Parameters:
    ///   - bytes: The memory of the block.
    ///   - line: The record's first line.
    ///   - range: Its range in the block.
    ///   - fields: The scanned fields; gets a problem where the values make no sense.
    /// - Returns: `nil` for a record that makes no sense.
    func head(
        from bytes: Span<UInt8>, line: Int, range: Range<Int>, fields: inout RecordFields
    ) -> RecordHead? {
        guard fields.problem == nil else { return nil }
        guard let id = deviceID(in: bytes, line: line, fields: &fields),
            let time = time(in: bytes, line: line, fields: &fields),
            hasSoundRejections(in: bytes, line: line, fields: &fields)
        else { return nil }
        guard fields[RecordField.flags]?.isJoined != true else {
            fields.note("the list of flags spans several lines", line: line)
            return nil
        }
        let verdict = fields[RecordField.rejections].map(\.range.isEmpty)
        return RecordHead(
            id: id, time: time, system: system(in: bytes, fields: fields), capturedVerdict: verdict, line: line,
            range: range)
    }

    // R13.1.
    private func system(in bytes: Span<UInt8>, fields: borrowing RecordFields) -> OperatingSystem {
        guard let device = fields[RecordField.device], !device.isJoined else { return .unknown }
        return fields.withBytes(of: device, in: bytes) { OperatingSystem(deviceAttribute: $0.extracting($1)) }
    }

    private func deviceID(in bytes: Span<UInt8>, line: Int, fields: inout RecordFields) -> DeviceID? {
        let given = fields[RecordField.deviceID]
        guard let value = fields.headerID.map({ ValueRange($0) }) ?? given else {
            fields.note("record without `device-id`", line: line, hint: fields.hint(onMissing: "device-id"))
            return nil
        }
        guard given?.isJoined != true else {
            fields.note("`device-id` spans several lines", line: line)
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
            fields.note("`\(id)` is not a device; it is the ID of the filtered security policy", line: line)
            return nil
        }
        if given == nil { fields.set(value, for: RecordField.deviceID) }
        return id
    }

    private func time(in bytes: Span<UInt8>, line: Int, fields: inout RecordFields) -> Instant? {
        if let instant = fields.instant { return instant }
        guard let value = fields[RecordField.time] else {
            fields.note("record without `time`", line: line, hint: fields.hint(onMissing: "time"))
            return nil
        }
        let instant = fields.withBytes(of: value, in: bytes) { RecordTime.instant($1, in: $0, zones: zones) }
        guard let instant else {
            let text = fields.text(of: value, in: bytes)
            fields.note("`\(text)` is not a time of RFC 3339", line: line, hint: RecordTime.hint(on: text))
            return nil
        }
        return instant
    }

    // Flags, and names such as `filter:myip`; present and empty means that the service passed the device.
    private func hasSoundRejections(in bytes: Span<UInt8>, line: Int, fields: inout RecordFields) -> Bool {
        guard let value = fields[RecordField.rejections], !value.range.isEmpty else { return true }
        guard !value.isJoined else {
            fields.note("the list of rejections spans several lines", line: line)
            return false
        }
        if fields.withBytes(of: value, in: bytes, { FlagList.isSound($0.extracting($1)) }) { return true }
        do throws(FlagListError) {
            try FlagList.names(in: fields.text(of: value, in: bytes))
        } catch {
            fields.note(error.description, line: line)
        }
        return false
    }
}
