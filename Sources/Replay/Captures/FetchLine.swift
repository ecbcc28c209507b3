internal import PolicyEngine

/// A line of fetches: `<device-id>`, or `<device-id> <timestamp>` (formats: Captures, 2).
enum FetchLine {
    case fetch(DeviceID, Instant?)
    case malformed(message: String, hint: String?)

    /// Whether a line begins as one of fetches does.
    static func startsWithDevice(_ bytes: Span<UInt8>, line: Range<Int>) -> Bool {
        guard line.count >= DeviceID.length else { return false }
        let end = line.lowerBound + DeviceID.length
        return DeviceID(bytes, range: line.lowerBound..<end) != nil && (end == line.upperBound || bytes[end] == 0x20)
    }

    /// Reads a line.
    static func read(_ line: Range<Int>, in bytes: Span<UInt8>, zones: TimeZones) -> FetchLine {
        let end = min(line.lowerBound + DeviceID.length, line.upperBound)
        guard startsWithDevice(bytes, line: line), let id = DeviceID(bytes, range: line.lowerBound..<end) else {
            let text = RecordFields.text(line, in: bytes)
            return .malformed(
                message: "`\(text)` is not a fetch", hint: "a line is `<device-id>` or `<device-id> <timestamp>`")
        }
        guard !id.isFilteredPolicy else {
            return .malformed(message: "`\(id)` is not a device", hint: nil)
        }
        if end == line.upperBound { return .fetch(id, nil) }
        switch Timestamp.read(end + 1..<line.upperBound, in: bytes, zones: zones) {
        case .instant(let instant): return .fetch(id, instant)
        case .malformed(let message, let hint): return .malformed(message: message, hint: hint)
        }
    }
}
