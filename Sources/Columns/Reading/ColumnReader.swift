/// Reads columns in the form of Arrow IPC, from a file or a stream: batch by batch, each as it is stored.
///
/// Reading is done in order. A ``ColumnBatch`` that was read has all that it takes to decode its rows, on any thread.
package final class ColumnReader {
    package let schema: ColumnSchema
    /// True for a file, which has a footer; false for a stream.
    package let isFile: Bool
    private var messages: MessageReader
    // The blocks of a file that are left, or the offset of the next message of a stream.
    private var blocks: ArraySlice<FileBlock> = []
    /// The place in the input up to which it was read.
    package private(set) var position = 0
    private var isAtEnd = false
    private var batchCount = 0
    private let choice: ColumnChoice
    private let dictionaryTypes: [Int64: ColumnField]
    private let wantedDictionaries: Set<Int64>
    private var dictionaries: [Int64: ColumnDictionary] = [:]
    private var memory: [UInt8] = []

    /// The first bytes of a file.
    static let magic = Array("ARROW1".utf8)

    /// Opens an input and reads its schema; of a file the dictionaries, too.
    ///
    /// - Parameters:
    ///   - source: The input.
    ///   - choose: The columns that are wanted, of those of the schema.
    ///   - decode: Decodes the dictionaries of a file, on any threads.
    package init(
        _ source: any ColumnSource, _ choose: (ColumnSchema) -> ColumnChoice = { _ in ColumnChoice() },
        decode: ([StoredDictionary]) -> [Result<ColumnDictionary, ColumnFailure>] = { $0.map { $0.decoded() } }
    ) throws(ColumnFailure) {
        var start: [UInt8] = []
        try source.fill(&start, count: 4, at: 0)
        isFile = start.elementsEqual(Self.magic.prefix(4))
        var footer: FileFooter?
        if isFile {
            let read = try FileFooter(source)
            (footer, schema) = (read, read.schema)
        } else {
            (schema, position) = try Self.streamSchema(source, start)
        }
        (messages, choice, dictionaryTypes) = (MessageReader(source), choose(schema), schema.dictionaryTypes)
        wantedDictionaries = Set(schema.fields.filter(choice.includes).compactMap(\.innermost.keys?.dictionary))
        if let footer {
            let stored = try storedDictionaries(footer.dictionaries)
            for (stored, result) in zip(stored, decode(stored)) { dictionaries[stored.id] = try result.get() }
            blocks = footer.batches[...]
        }
    }

    // A pipe is read once, so the bytes that tell the form are given back.
    private static func streamSchema(
        _ source: any ColumnSource, _ start: [UInt8]
    ) throws(ColumnFailure) -> (ColumnSchema, Int) {
        var messages = MessageReader(StartedColumns(source, start: start))
        guard start != Array("FEA1".utf8), let first = try messages.message(at: 0),
            case .schema(let schema) = first.header.content, first.header.bodyLength == 0
        else { throw ColumnFailure("the input does not begin with a schema of Arrow", at: 0) }
        return (schema, first.end)
    }

    /// Reads the next batch, as it is stored.
    ///
    /// - Parameter batch: Takes it, in place of its content; its memory is used again.
    /// - Returns: False at the end.
    package func read(_ batch: inout ColumnBatch) throws(ColumnFailure) -> Bool {
        while let content = try nextMessage(into: &batch.bytes) {
            switch content {
            case .batch(let header):
                batchCount += 1
                try batch.take(
                    header, at: position, number: batchCount, schema: schema, choice: choice,
                    dictionaries: dictionaries)
                return true
            case .dictionary(let id, let header, let isDelta):
                guard !isFile else { throw ColumnFailure("a dictionary is named as a batch", at: position) }
                swap(&memory, &batch.bytes)
                try keepDictionary(id, header, isDelta: isDelta)
            case .schema: throw ColumnFailure("a second schema follows", at: position)
            }
        }
        return false
    }

    // Reads a message with its body; `position` becomes that of the body.
    private func nextMessage(into bytes: inout [UInt8]) throws(ColumnFailure) -> MessageHeader.Content? {
        if isFile { return try blocks.popFirst().map { block throws(ColumnFailure) in try read(block, into: &bytes) } }
        guard !isAtEnd else { return nil }
        let next = position + bodyLength
        guard let message = try messages.message(at: next) else {
            isAtEnd = true
            try messages.checkEnd()
            return nil
        }
        try messages.source.fill(&bytes, count: message.header.bodyLength, at: message.bodyOffset)
        (position, bodyLength) = (message.bodyOffset, message.header.bodyLength)
        return message.header.content
    }

    // The length of the body at `position`, in a stream.
    private var bodyLength = 0

    private func read(_ block: FileBlock, into bytes: inout [UInt8]) throws(ColumnFailure) -> MessageHeader.Content {
        guard let message = try messages.message(at: block.offset), message.bodyOffset == block.bodyOffset,
            message.end == block.end
        else { throw ColumnFailure("the message is not as long as the footer says", at: block.offset) }
        try messages.source.fill(&bytes, count: message.header.bodyLength, at: message.bodyOffset)
        position = message.bodyOffset
        return message.header.content
    }

    // Of a file, the longest first, so that threads which decode them end together.
    private func storedDictionaries(_ blocks: [FileBlock]) throws(ColumnFailure) -> [StoredDictionary] {
        var found: [Int64: StoredDictionary] = [:]
        for block in blocks {
            var body: [UInt8] = []
            guard case .dictionary(let id, let header, let isDelta) = try read(block, into: &body) else {
                throw ColumnFailure("the footer names a dictionary where there is none", at: block.offset)
            }
            guard var stored = try storedDictionary(id) else { continue }
            if let earlier = found[id] {
                guard isDelta else {
                    throw ColumnFailure(
                        "dictionary \(id) is replaced, which a file must not do", at: position,
                        hint: "write it as a stream")
                }
                stored = earlier
            }
            stored.append(StoredDictionary.Message(header: header, body: body, offset: position, isDelta: isDelta))
            found[id] = stored
        }
        return found.values.sorted { ($1.byteCount, $0.id) < ($0.byteCount, $1.id) }
    }

    // Takes the dictionary of a stream whose body is in `memory`.
    private func keepDictionary(_ id: Int64, _ header: BatchHeader, isDelta: Bool) throws(ColumnFailure) {
        guard var stored = try storedDictionary(id) else { return }
        stored.append(StoredDictionary.Message(header: header, body: memory, offset: position, isDelta: isDelta))
        memory = []
        let (new, earlier) = (try stored.decode(after: dictionaries[id]), dictionaries[id])
        // One that is sent again is known to whoever has examined it.
        if new != earlier { dictionaries[id] = new }
    }

    // One without messages; `nil` if nobody wants it.
    private func storedDictionary(_ id: Int64) throws(ColumnFailure) -> StoredDictionary? {
        guard let field = dictionaryTypes[id] else {
            throw ColumnFailure("dictionary \(id) belongs to no column", at: position)
        }
        return wantedDictionaries.contains(id) ? StoredDictionary(id, of: field, choice) : nil
    }
}

/// An input of which some bytes were read already.
private final class StartedColumns: ColumnSource {
    private let source: any ColumnSource
    private let start: [UInt8]

    init(_ source: any ColumnSource, start: [UInt8]) { (self.source, self.start) = (source, start) }

    var length: Int? { source.length }

    func read(into bytes: inout [UInt8], range: Range<Int>, at offset: Int) throws(ColumnFailure) -> Int {
        let known = start.dropFirst(offset).prefix(range.count)
        bytes.replaceSubrange(range.lowerBound..<range.lowerBound + known.count, with: known)
        let rest = range.dropFirst(known.count)
        return known.count + (rest.isEmpty ? 0 : try source.read(into: &bytes, range: rest, at: offset + known.count))
    }
}
