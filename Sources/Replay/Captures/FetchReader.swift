internal import PolicyEngine

/// Reads a capture of fetches, a line at a time.
struct FetchReader {
    /// The lines of the capture.
    private(set) var lines: LineReader
    private let zones: TimeZones

    /// - Parameters:
    ///   - file: A capture of fetches.
    ///   - zones: The time zones that it may name.
    /// - Throws: ``CaptureFailure/wrongKind(path:found:)`` for another kind.
    init(_ file: CaptureFile, zones: TimeZones) throws(CaptureFailure) {
        guard file.format == .fetches else { throw .wrongKind(path: file.path, found: file.format) }
        (lines, self.zones) = (LineReader(file), zones)
    }

    /// Reads the next fetch.
    ///
    /// - Returns: `nil` at the end.
    /// - Throws: ``CaptureFailure``.
    mutating func next() throws(CaptureFailure) -> (line: Int, content: FetchLine)? {
        try lines.next { [zones] bytes, line in FetchLine.read(line, in: bytes, zones: zones) }
    }
}

/// A line of fetches: `<device-id>`, or `<device-id> <timestamp>` (formats: Captures, 2).
enum FetchLine {
    case fetch(DeviceID, Instant?)
    case malformed(message: String, hint: String?)

    /// True if a line begins as one of fetches does.
    static func startsWithDevice(_ bytes: Span<UInt8>, line: Range<Int>) -> Bool {
        guard line.count >= DeviceID.length else { return false }
        let end = line.lowerBound + DeviceID.length
        return DeviceID(bytes, range: line.lowerBound..<end) != nil && (end == line.upperBound || bytes[end] == 0x20)
    }

    /// Reads a line.
    static func read(_ line: Range<Int>, in bytes: Span<UInt8>, zones: TimeZones) -> FetchLine {
        let end = min(line.lowerBound + DeviceID.length, line.upperBound)
        guard startsWithDevice(bytes, line: line), let id = DeviceID(bytes, range: line.lowerBound..<end) else {
            // A line without a device may be of a file that was given by mistake, so it is not quoted.
            return .malformed(
                message: "this is not a fetch", hint: "a line is `<device-id>` or `<device-id> <timestamp>`")
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
