/// Reads a file of lines, plain or compressed, a line at a time.
struct LineReader {
    private(set) var file: CaptureFile
    private var block = CaptureBlock()
    private var position = 0
    private var line = 1
    // The range of the latest line in the block.
    private var latest = 0..<0
    /// True if the last line lacks its newline, which hints at a cut (formats: Captures).
    private(set) var lacksFinalNewline = false

    /// - Parameter file: A file whose records are single lines.
    init(_ file: CaptureFile) { self.file = file }

    /// Copies the bytes of the latest line and ends it; valid until the next one is read.
    func copyLine(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: block.bytes[latest])
        if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    }

    /// Reads the next line that is not blank.
    ///
    /// - Parameter read: Is shown the block, and the range of the line in it.
    /// - Returns: `nil` at the end.
    /// - Throws: ``CaptureFailure``.
    mutating func next<Content>(
        _ read: (Span<UInt8>, Range<Int>) -> Content
    ) throws(CaptureFailure) -> (line: Int, content: Content)? {
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
            if !isBetween { return (number, read(span, content)) }
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
