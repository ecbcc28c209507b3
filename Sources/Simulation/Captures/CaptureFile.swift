internal import PolicyEngine

/// An open capture: its kind, and a window of its decoded bytes.
package struct CaptureFile {
    /// The path as it was given; `-` is standard input.
    package let path: String
    /// What it holds.
    package let format: CaptureFormat
    /// The length of the file in bytes, as it lies on disk; `nil` for a pipe.
    package let length: Int?
    /// Whether it is compressed, so that ``length`` says nothing of the decoded bytes.
    package let isCompressed: Bool
    var buffer: BlockBuffer
    /// The line at the start of the buffer, counted from 1.
    var line = 1

    /// Opens a capture and finds out what it is.
    ///
    /// - Parameters:
    ///   - path: A file, or `-` for standard input; `.gz` and `.zst` content is decoded, whatever the name.
    ///   - format: The kind, if it is known; else it is told by the first line that says something.
    /// - Throws: ``CaptureFailure``.
    package init(path: String, format: CaptureFormat? = nil) throws(CaptureFailure) {
        self.path = path
        let file = try FileSource(path: path)
        length = file.length
        let (source, isCompressed) = try Self.decoded(file)
        self.isCompressed = isCompressed
        buffer = BlockBuffer(source, path: path)
        try buffer.refill(line: 1)
        self.format = try Self.detect(format, in: &buffer, path: path)
    }

    // Compressed data is told by its first bytes.
    private static func decoded(
        _ file: FileSource
    ) throws(CaptureFailure) -> (source: any ByteSource, isCompressed: Bool) {
        var start = [UInt8](repeating: 0, count: CaptureLimits.blockBytes)
        var count = 0
        while count < 4 {
            let more = try file.read(into: &start, range: count..<start.count)
            if more == 0 { break }
            count += more
        }
        start.removeLast(start.count - count)
        if start.starts(with: [0x1F, 0x8B]) {
            return (DecodingSource(file, start: start, decoder: try GzipDecoder(path: file.path)), true)
        }
        if ZstdDecoder.isStart(start) {
            return (DecodingSource(file, start: start, decoder: try ZstdDecoder(path: file.path)), true)
        }
        return (StartedSource(file, start: start), false)
    }

    private static func detect(
        _ given: CaptureFormat?, in buffer: inout BlockBuffer, path: String
    ) throws(CaptureFailure) -> CaptureFormat {
        while buffer.unconsumed.count < 3, !buffer.isAtEnd { try buffer.refill(line: 1) }
        if buffer.bytes[buffer.unconsumed].starts(with: [0xEF, 0xBB, 0xBF]) { buffer.consume(to: buffer.start + 3) }
        if let given { return given }
        while true {
            if let found = firstTellingLine(of: buffer) {
                guard let format = found else { throw .unknownFormat(path: path) }
                return format
            }
            if buffer.isAtEnd { throw .empty(path: path) }
            try buffer.refill(line: 1)
        }
    }

    private static func firstTellingLine(of buffer: BlockBuffer) -> CaptureFormat?? {
        let bytes = buffer.bytes
        return CaptureFormat.detect(in: bytes.span, range: buffer.unconsumed, isFinal: buffer.isAtEnd)
    }
}
