internal import PolicyEngine

/// Reads a capture of fetches, a line at a time.
package struct FetchReader {
    package private(set) var file: CaptureFile
    private let zones: TimeZones
    // Where the latest line stands in the window.
    private var latest = 0..<0
    /// Whether the last line lacks its newline, which hints at a cut (formats: Captures).
    private(set) var lacksFinalNewline = false

    /// - Parameters:
    ///   - file: A capture of fetches.
    ///   - zones: The time zones that it may name.
    /// - Throws: ``CaptureFailure/wrongKind(path:found:)`` for another kind.
    package init(_ file: CaptureFile, zones: TimeZones) throws(CaptureFailure) {
        guard file.format == .fetches else { throw .wrongKind(path: file.path, found: file.format) }
        self.file = file
        self.zones = zones
    }

    /// Copies the bytes of the latest line and ends it; valid until the next one is read.
    func copyLine(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: file.buffer.bytes[latest])
        if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    }

    /// Reads the next fetch.
    ///
    /// - Returns: `nil` at the end.
    /// - Throws: ``CaptureFailure``.
    mutating func next() throws(CaptureFailure) -> (line: Int, content: FetchLine)? {
        while true {
            var cursor = LineCursor(position: file.buffer.start, end: file.buffer.end)
            let bytes = file.buffer.bytes
            let span = bytes.span
            guard let line = cursor.next(in: span, isFinal: file.buffer.isAtEnd) else {
                if file.buffer.isAtEnd { return nil }
                try file.buffer.refill(line: file.line)
                continue
            }
            let number = file.line
            let isBetween = InfoLine(span.extracting(line)) == .between
            latest = file.buffer.start..<cursor.position
            lacksFinalNewline = bytes[cursor.position - 1] != UInt8(ascii: "\n")
            let content = isBetween ? nil : FetchLine.read(line, in: span, zones: zones)
            file.buffer.consume(to: cursor.position)
            file.line += 1
            if let content { return (number, content) }
        }
    }
}
