internal import Glibc

/// A window of a capture in memory: bytes that were read and not yet consumed.
struct BlockBuffer {
    /// The memory; what lies behind ``end`` is padding that JSON parsing may read.
    private(set) var bytes: [UInt8]
    /// Where the bytes not yet consumed start.
    private(set) var start = 0
    /// The offset behind the last byte that was read.
    private(set) var end = 0
    /// Whether the source has no more bytes.
    private(set) var isAtEnd = false
    /// How many bytes were consumed in all.
    private(set) var consumedCount = 0
    private let source: any ByteSource
    private let path: String

    private static let padding = JSONScanner.padding

    init(_ source: any ByteSource, path: String) {
        self.source = source
        self.path = path
        bytes = Array(repeating: 0, count: CaptureLimits.blockBytes + Self.padding)
    }

    /// The bytes that were read and not consumed.
    var unconsumed: Range<Int> { start..<end }

    /// Bytes that may be read from ``start`` on, padding included.
    var readableCount: Int { bytes.count - start }

    /// Moves past bytes that were dealt with.
    mutating func consume(to offset: Int) {
        consumedCount += offset - start
        start = offset
    }

    /// Reads more, behind what is there; makes room first.
    ///
    /// What was there is doubled, whatever a source hands out at a time: a record that is looked at from its start after
    /// each refill then costs no more than twice its length.
    ///
    /// - Parameter line: The line of the record at the start, for a failure.
    mutating func refill(line: Int) throws(CaptureFailure) {
        try makeRoom(line: line)
        let limit = bytes.count - Self.padding
        let target = min(limit, 2 * end)
        repeat {
            let count = try source.read(into: &bytes, range: end..<limit)
            end += count
            isAtEnd = count == 0
        } while end < target && !isAtEnd
    }

    private mutating func makeRoom(line: Int) throws(CaptureFailure) {
        if start > 0 {
            let (from, count) = (start, end - start)
            unsafe bytes.withUnsafeMutableBytes { buffer in
                guard let base = buffer.baseAddress else { return }
                // SAFETY: both parts lie inside the buffer, for start <= end <= its count; memmove allows overlap.
                _ = unsafe memmove(base, base + from, count)
            }
            end -= start
            start = 0
        }
        guard end == bytes.count - Self.padding else { return }
        guard end < CaptureLimits.recordBytes else { throw .recordTooLong(path: path, line: line) }
        bytes += [UInt8](repeating: 0, count: end)
    }
}
