internal import CLibrary

/// Cuts the bytes of a source into blocks of whole records.
struct BlockReader {
    let source: any ByteSource
    private let path: String
    private let blockBytes: Int
    /// The bytes that were read and not handed out.
    private(set) var pending: [UInt8] = []
    private var isAtEnd = false
    /// The number of bytes that were handed out.
    private(set) var handedOut = 0

    private static let padding = CaptureLimits.blockPadding

    /// - Parameters:
    ///   - source: The bytes.
    ///   - path: The path of their file, for failures.
    ///   - blockBytes: Bytes in a block, unless a record is longer.
    init(_ source: any ByteSource, path: String, blockBytes: Int) {
        self.source = source
        self.path = path
        self.blockBytes = max(1, blockBytes)
    }

    /// Looks at the bytes that come first, without handing them out.
    ///
    /// - Parameter look: Is shown what was read so far, and whether that is all; asks for more by returning `nil`.
    mutating func peek<Value>(_ look: (Span<UInt8>, Bool) throws(CaptureFailure) -> Value?) throws(CaptureFailure)
        -> Value
    {
        while true {
            if let value = try look(pending.span, isAtEnd) { return value }
            precondition(!isAtEnd, "whoever looks decides at the end")
            guard pending.count < CaptureLimits.recordBytes else { throw .recordTooLong(path: path, line: 1) }
            try readMore()
        }
    }

    // Twice of what is there, whatever a source hands out at a time: so all looks cost no more than twice the last.
    private mutating func readMore() throws(CaptureFailure) {
        var count = pending.count
        pending += [UInt8](repeating: 0, count: max(count, CaptureLimits.detectionBytes))
        while count < pending.count, !isAtEnd {
            let more = try source.read(into: &pending, range: count..<pending.count)
            count += more
            isAtEnd = more == 0
        }
        pending.removeLast(pending.count - count)
    }

    /// Leaves out bytes that come first and were looked at.
    mutating func skip(_ count: Int) { pending.removeFirst(count) }

    /// Fills a block.
    ///
    /// - Parameters:
    ///   - block: Its memory is used again.
    ///   - format: The format of the records, which decides where one ends.
    /// - Returns: True if there was anything left.
    /// - Throws: ``CaptureFailure``; the line of a record that is too long is counted from the start of the block.
    mutating func next(into block: inout CaptureBlock, format: CaptureFormat) throws(CaptureFailure) -> Bool {
        if block.bytes.count != blockBytes + Self.padding {
            block.bytes = Array(repeating: 0, count: blockBytes + Self.padding)
        }
        var count = readPending(into: &block.bytes)
        while true {
            let limit = block.bytes.count - Self.padding
            while count < limit, !isAtEnd {
                let more = try source.read(into: &block.bytes, range: count..<limit)
                count += more
                isAtEnd = more == 0
            }
            if isAtEnd {
                block.end = count
                break
            }
            if let end = format.lastRecordStart(in: block.bytes.span, count: count) {
                block.end = end
                break
            }
            guard count < CaptureLimits.recordBytes else { throw .recordTooLong(path: path, line: 1) }
            // A record that is looked at from its start after each refill costs no more than twice its length.
            let room = min(count, CaptureLimits.recordBytes - count)
            block.bytes += [UInt8](repeating: 0, count: room)
        }
        keep(block.bytes, range: block.end..<count)
        block.isLast = isAtEnd && pending.isEmpty
        handedOut += block.end
        return block.end > 0
    }

    private mutating func readPending(into bytes: inout [UInt8]) -> Int {
        let count = pending.count
        if count + Self.padding >= bytes.count {
            bytes += [UInt8](repeating: 0, count: count + 2 * Self.padding)
        }
        bytes.replaceSubrange(0..<count, with: pending)
        pending.removeAll(keepingCapacity: true)
        return count
    }

    private mutating func keep(_ bytes: [UInt8], range: Range<Int>) { pending += bytes[range] }
}
