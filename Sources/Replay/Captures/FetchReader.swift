internal import PolicyEngine

/// Reads a capture of fetches, a line at a time.
struct FetchReader {
    private(set) var file: CaptureFile
    private let zones: TimeZones
    private var block = CaptureBlock()
    private var position = 0
    private var line = 1
    // The range of the latest line in the block.
    private var latest = 0..<0
    /// True if the last line lacks its newline, which hints at a cut (formats: Captures).
    private(set) var lacksFinalNewline = false

    /// - Parameters:
    ///   - file: A capture of fetches.
    ///   - zones: The time zones that it may name.
    /// - Throws: ``CaptureFailure/wrongKind(path:found:)`` for another kind.
    init(_ file: CaptureFile, zones: TimeZones) throws(CaptureFailure) {
        guard file.format == .fetches else { throw .wrongKind(path: file.path, found: file.format) }
        self.file = file
        self.zones = zones
    }

    /// Copies the bytes of the latest line and ends it; valid until the next one is read.
    func copyLine(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: block.bytes[latest])
        if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    }

    /// Reads the next fetch.
    ///
    /// - Returns: `nil` at the end.
    /// - Throws: ``CaptureFailure``.
    mutating func next() throws(CaptureFailure) -> (line: Int, content: FetchLine)? {
        while true {
            var cursor = LineCursor(position: position, end: block.end)
            let bytes = block.bytes
            let span = bytes.span
            guard let found = cursor.next(in: span, isFinal: true) else {
                guard try refill() else { return nil }
                continue
            }
            let number = line
            let content = found.behindMark(in: span)
            let isBetween = InfoLine(span, line: content) == .between
            latest = position..<cursor.position
            lacksFinalNewline = bytes[cursor.position - 1] != UInt8(ascii: "\n")
            position = cursor.position
            line += 1
            if !isBetween { return (number, FetchLine.read(content, in: span, zones: zones)) }
        }
    }

    private mutating func refill() throws(CaptureFailure) -> Bool {
        position = 0
        block.end = 0
        do throws(CaptureFailure) {
            return try file.next(into: &block)
        } catch {
            throw error.moved(by: line - 1)
        }
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
