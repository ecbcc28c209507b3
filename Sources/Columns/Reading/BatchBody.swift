/// The body of a batch or a dictionary: hands out its parts, unpacked, one after another as its columns need them.
struct BatchBody {
    /// The memory of the body, and behind it what was unpacked.
    private(set) var bytes: [UInt8]
    private let header: BatchHeader
    private let offset: Int
    private var (node, buffer, viewColumn) = (0, 0, 0)
    /// True to list text that is not UTF-8, rather than to refuse it.
    let keepsDamagedText: Bool

    /// - Parameters:
    ///   - bytes: The body as it is stored.
    ///   - header: The parts of the body.
    ///   - offset: The place of the body in the input.
    ///   - choice: Says what becomes of text that is not UTF-8.
    init(_ bytes: [UInt8], _ header: BatchHeader, at offset: Int, _ choice: ColumnChoice = ColumnChoice()) {
        (self.bytes, self.header, self.offset, keepsDamagedText) = (bytes, header, offset, choice.keepsDamagedText)
    }

    /// The number of records.
    var rowCount: Int { header.rowCount }

    /// A failure of the body as a whole.
    func failure(_ message: String) -> ColumnFailure { ColumnFailure(message, at: offset) }

    mutating func nextNode() throws(ColumnFailure) -> BatchHeader.Node {
        guard node < header.nodes.count else { throw failure("the batch has fewer columns than the schema") }
        defer { node += 1 }
        return header.nodes[node]
    }

    /// The next part, unpacked.
    ///
    /// - Parameter count: The number of bytes that it needs; there may be more.
    mutating func nextPart(of count: Int) throws(ColumnFailure) -> StoredPart {
        guard buffer < header.buffers.count else { throw failure("the batch has fewer parts than its columns need") }
        defer { buffer += 1 }
        let stored = header.buffers[buffer]
        let part =
            if let codec = header.codec, !stored.isEmpty {
                try unpack(stored, codec)
            } else { StoredPart(range: stored, offset: offset + stored.lowerBound, isPacked: false) }
        guard part.range.count >= count else {
            throw part.failure("\(part.range.count) bytes are there, but the column needs \(count)")
        }
        return part
    }

    /// The parts with the long values of a column of views.
    mutating func nextViewParts() throws(ColumnFailure) -> [StoredPart] {
        var parts: [StoredPart] = []
        for _ in 0..<(try nextViewCount()) { parts.append(try nextPart(of: 0)) }
        return parts
    }

    private mutating func nextViewCount() throws(ColumnFailure) -> Int {
        guard viewColumn < header.viewBuffers.count else { throw failure("a column of views has no number of parts") }
        defer { viewColumn += 1 }
        guard 0...Int64(header.buffers.count) ~= header.viewBuffers[viewColumn] else {
            throw failure("a column of \(header.viewBuffers[viewColumn]) parts is refused")
        }
        return Int(header.viewBuffers[viewColumn])
    }

    /// Passes over the next column: its parts are neither unpacked nor checked.
    mutating func skip(_ field: ColumnField) throws(ColumnFailure) {
        _ = try nextNode()
        guard field.keys == nil else {
            buffer += 2
            return
        }
        switch field.type {
        case .null: break
        case .boolean, .integer, .float, .fixedBytes, .time: buffer += 2
        case .text(.view), .bytes(.view): buffer += 2 + (try nextViewCount())
        case .text, .bytes: buffer += 3
        case .list(let layout, let element):
            buffer += layout == .view || layout == .largeView ? 3 : 2
            try skip(element)
        }
    }

    /// Checks that columns took all that is there.
    func checkEnd() throws(ColumnFailure) {
        guard (node, buffer, viewColumn) == (header.nodes.count, header.buffers.count, header.viewBuffers.count) else {
            throw failure("the batch has more columns or parts than the schema")
        }
    }

    // The number of bytes comes first, and is believed as far as the limit goes; -1 says that they are not compressed.
    private mutating func unpack(_ stored: Range<Int>, _ codec: BodyCodec) throws(ColumnFailure) -> StoredPart {
        let place = offset + stored.lowerBound
        guard stored.count >= 8 else { throw ColumnFailure("a compressed part has no length", at: place) }
        let count = try bytes.number(at: stored.lowerBound, origin: offset, as: Int64.self)
        let packed = stored.dropFirst(8)
        if count == -1 { return StoredPart(range: packed, offset: place + 8, isPacked: false) }
        let start = bytes.count
        guard count >= 0, count <= ColumnLimits.bodyBytes - start else { throw tooLarge(place) }
        let isPossible = count == 0 || codec.mayContain(Int(count), in: packed, of: bytes)
        if isPossible { bytes.append(contentsOf: repeatElement(0, count: Int(count))) }
        guard isPossible, count == 0 || codec.unpack(packed, into: start..<bytes.count, of: &bytes) else {
            throw ColumnFailure("a compressed part is damaged, or has not the length of \(count) bytes", at: place)
        }
        return StoredPart(range: start..<bytes.count, offset: place, isPacked: true)
    }

    private func tooLarge(_ place: Int) -> ColumnFailure {
        ColumnFailure("the batch would have more than 1 GiB", at: place, hint: "write it in smaller batches")
    }
}
