/// Finds the messages of Arrow's format in an input: metadata, and the body behind it.
struct MessageReader {
    /// A message without its body.
    struct Message {
        let header: MessageHeader
        let bodyOffset: Int

        var end: Int { bodyOffset + header.bodyLength }
    }

    let source: any ColumnSource
    private var small: [UInt8] = []
    private var metadata: [UInt8] = []
    // The offset behind the mark of the end.
    private var end = 0

    init(_ source: any ColumnSource) { self.source = source }

    /// Reads the message at an offset.
    ///
    /// - Returns: `nil` for the mark behind the last message of a stream.
    mutating func message(at offset: Int) throws(ColumnFailure) -> Message? {
        try source.fill(&small, count: 4, at: offset)
        var (start, count) = (offset + 4, try small.number(at: 0, origin: offset, as: UInt32.self))
        // Before Arrow 0.15 the length came first.
        if count == .max {
            try source.fill(&small, count: 4, at: start)
            count = try small.number(at: 0, origin: start)
            start += 4
        }
        if count == 0 {
            end = start
            return nil
        }
        guard count <= ColumnLimits.metadataBytes else {
            throw ColumnFailure("a message with \(count) bytes of metadata is refused; the limit is 16 MiB", at: offset)
        }
        try source.fill(&metadata, count: Int(count), at: start)
        return Message(header: try MessageHeader(metadata, at: start), bodyOffset: start + Int(count))
    }

    /// Checks that the input ends behind the mark of the end.
    mutating func checkEnd() throws(ColumnFailure) {
        small.resize(to: 1, filling: 0)
        guard try source.read(into: &small, range: 0..<1, at: end) == 0 else {
            throw ColumnFailure("bytes follow the end of the stream", at: end, hint: "read each stream by itself")
        }
    }
}
