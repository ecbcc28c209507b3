/// The place of a message in a file.
struct FileBlock {
    let offset: Int
    let bodyOffset: Int
    let end: Int
}

/// The footer of a file: its schema, and the places of its dictionaries and batches.
struct FileFooter {
    let schema: ColumnSchema
    let dictionaries: [FileBlock]
    let batches: [FileBlock]

    // Behind the footer come its length and the mark of the form; the mark is at the start, too, with two zeros.
    private static let (tail, head) = (10, 8)

    init(_ source: any ColumnSource) throws(ColumnFailure) {
        guard let length = source.length else {
            throw ColumnFailure("a file of Arrow is read from its end", at: 0, hint: "send a stream through a pipe")
        }
        let end = length - Self.tail
        guard end >= Self.head else { throw ColumnFailure("the file ends before its footer", at: length) }
        var bytes: [UInt8] = []
        try source.fill(&bytes, count: Self.tail, at: end)
        let count = Int(try bytes.number(at: 0, origin: end, as: Int32.self))
        guard bytes.dropFirst(4).elementsEqual(ColumnReader.magic) else {
            throw ColumnFailure("the file does not end as files of Arrow do", at: length, hint: "it may be cut")
        }
        guard 4...ColumnLimits.metadataBytes ~= count, count <= end - Self.head else {
            throw ColumnFailure("a footer of \(count) bytes is refused", at: end)
        }
        try source.fill(&bytes, count: count, at: end - count)
        let footer = try FlatTable(root: bytes, at: end - count)
        guard let schema = try footer.table(1) else { throw footer.failure("the footer has no schema") }
        self.schema = try ColumnSchema(schema)
        dictionaries = try Self.blocks(footer, 2, end: end - count)
        batches = try Self.blocks(footer, 3, end: end - count)
    }

    // The messages of a list, which must not overlap, so that a short footer does not make a long file.
    private static func blocks(_ footer: FlatTable, _ index: Int, end: Int) throws(ColumnFailure) -> [FileBlock] {
        let numbers = try footer.numbers(index, each: 3)
        var (blocks, start): ([FileBlock], Int64) = ([], Int64(head))
        for index in stride(from: 0, to: numbers.count, by: 3) {
            let (offset, metadata, body) = (numbers[index], numbers[index + 1] & 0xFFFF_FFFF, numbers[index + 2])
            guard offset >= start, metadata <= ColumnLimits.metadataBytes, 0...Int64(ColumnLimits.bodyBytes) ~= body,
                offset <= Int64(end) - metadata - body
            else { throw footer.failure("message \(index / 3 + 1) at byte \(offset) overlaps others, or the footer") }
            start = offset + metadata + body
            blocks.append(FileBlock(offset: Int(offset), bodyOffset: Int(offset + metadata), end: Int(start)))
        }
        return blocks
    }
}
