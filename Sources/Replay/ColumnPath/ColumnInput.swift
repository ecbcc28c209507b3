internal import Columns
internal import Documents
internal import PolicyEngine

/// Some records of a batch of columns, on their way to a worker.
struct ColumnBlock: Sendable {
    let batch: SharedBatch
    /// The rows of the batch.
    let rows: Range<Int>
    let layout: ColumnLayout
    /// The IDs of their devices, where the column of them has a dictionary.
    let devices: KeyedDevices?
    /// The findings in the dictionaries of the batch.
    let dictionaries: ExaminedDictionaries
}

/// A batch that several workers read, in memory that is used again when none of them does.
final class SharedBatch: Sendable {
    private let content = Lock(ColumnBatch())

    /// The batch.
    var batch: ColumnBatch { content.withLock { $0 } }

    /// Lets somebody fill the batch that nobody reads.
    fileprivate func fill<Result>(
        _ body: (inout ColumnBatch) throws(ColumnFailure) -> Result
    ) throws(ColumnFailure) -> Result {
        var batch = ColumnBatch()
        content.withLock { swap(&$0, &batch) }
        defer { content.withLock { $0 = batch } }
        return try body(&batch)
    }
}

/// Reads a capture that has columns: batch by batch, each of which is handed out in parts that stay near the processor.
struct ColumnInput {
    private let bytes: CapturedColumns
    private let reader: ColumnReader
    private let layout: ColumnLayout
    private let blockRows: Int
    private var batches: [SharedBatch] = []
    private var devices: KeyedDevices?
    private var examiner: DictionaryExaminer
    // The batch of which some rows are left.
    private var current: SharedBatch?
    private var rest = 0..<0
    private var isEmpty = true

    /// Bytes of a block for each of its records: a block of columns then has about as many as one of lines.
    private static let bytesByRow = 64

    /// Reads the schema.
    ///
    /// - Parameters:
    ///   - file: The capture.
    ///   - needs: What is looked for in records.
    ///   - keepsAll: True if all columns are read, whoever needs them.
    ///   - blockBytes: Says how long blocks are.
    ///   - jobs: The number of threads that decode and examine dictionaries.
    ///   - deadline: When searches in values give up.
    ///   - base: The records and lines before it, if it is a part of split captures.
    init(
        _ file: CaptureFile, _ needs: RecordNeeds, keepsAll: Bool, blockBytes: Int, jobs: Int, base: RecordBase?,
        deadline: ContinuousClock.Instant?
    ) throws(CaptureFailure) {
        let bytes = file.columns
        let fields = CaptureFields(needs)
        let (keys, keepsAll) = (fields.keys.map(\.name), keepsAll || fields.listsOthers)
        var layout: ColumnLayout?
        reader = try bytes.attempt { () throws(ColumnFailure) in
            try ColumnReader(bytes) { schema in
                let found = ColumnLayout(
                    schema, path: bytes.path, keys: keys, renamed: needs.names, keepsAll: keepsAll, base: base)
                layout = found
                return found.choice
            } decode: {
                Workers.map($0, jobs: jobs) { stored, _ in stored.decoded() }
            }
        }
        guard let layout else { preconditionFailure("a reader has a schema") }
        try layout.check(keys)
        examiner = DictionaryExaminer(needs, fields, layout, jobs: jobs, deadline: deadline)
        (self.bytes, self.layout, blockRows) = (bytes, layout, max(1, blockBytes / Self.bytesByRow))
    }

    /// The share of the file that was read; `nil` where its length is not known.
    var share: Double? { bytes.length.map { Double(reader.position) / Double(max(1, $0)) } }

    /// The records that come next; `nil` at the end.
    mutating func next() throws(CaptureFailure) -> ColumnBlock? {
        while rest.isEmpty {
            guard try readBatch() else {
                // A part of the devices may have none.
                guard !isEmpty || layout.base != nil else { throw .empty(path: layout.path) }
                return nil
            }
        }
        guard let current else { return nil }
        // Of about the same length, so that no block has a few rows that were left.
        let blocks = max(1, (rest.count + blockRows / 2) / blockRows)
        let count = (rest.count + blocks - 1) / blocks
        let rows = rest.prefix(count)
        rest = rest.dropFirst(count)
        isEmpty = false
        return ColumnBlock(batch: current, rows: rows, layout: layout, devices: devices, dictionaries: examiner.latest)
    }

    private mutating func readBatch() throws(CaptureFailure) -> Bool {
        current = nil
        let batch = unusedBatch()
        let (bytes, reader) = (bytes, reader)
        let column = layout.devices
        let found = try bytes.attempt { () throws(ColumnFailure) in
            try batch.fill { (batch: inout ColumnBatch) throws(ColumnFailure) -> (Int, Int, ColumnDictionary?)? in
                guard try reader.read(&batch) else { return nil }
                let size = batch.dictionaries.reduce(0) { $0 + $1.bytes.count }
                return (batch.count, size, column.flatMap { batch.dictionary(ofColumn: $0) })
            }
        }
        guard let (count, size, dictionary) = found else { return false }
        guard size <= CaptureLimits.dictionaryBytes else {
            throw .wrongColumn(
                path: layout.path, message: "the dictionaries have more than 1 GiB together",
                hint: "write columns of many different values as plain text")
        }
        if devices?.dictionary != dictionary { devices = dictionary.map { KeyedDevices($0) } }
        examiner.examine(batch.batch)
        (current, rest) = (batch, 0..<count)
        return true
    }

    private mutating func unusedBatch() -> SharedBatch {
        for index in batches.indices where isKnownUniquelyReferenced(&batches[index]) { return batches[index] }
        batches.append(SharedBatch())
        return batches[batches.count - 1]
    }
}

// The columns of a block are not kept: for these questions, which are rare, they are decoded anew.
extension ColumnBlock {
    /// The place of a record: its line in the original capture, or else its row.
    ///
    /// - Parameter line: The number of the record in the block, counted from 1.
    func place(ofLine line: Int) -> RecordPlace { places(ofLines: line...line)[0] }

    /// The places of some records.
    ///
    /// - Parameter lines: Their numbers in the block, counted from 1.
    func places(ofLines lines: ClosedRange<Int>) -> [RecordPlace] {
        let (batch, first) = (batch.batch, rows.lowerBound + lines.lowerBound - 1)
        let rows = first..<first + lines.count
        let numbers = layout.origins.line.flatMap { column($0, rows, of: batch) }
        let captures = layout.origins.capture.flatMap { index in
            column(index, rows, of: batch).map { ($0, layout.fields[index]) }
        }
        return rows.enumerated().map { index, row in
            let path = captures.flatMap { $0.hasValue(index) ? $0.shown(index, $1, batch) : nil } ?? layout.path
            if let numbers, numbers.hasValue(index) {
                return RecordPlace(path: path, line: Int(numbers.numbers[index]) &+ (layout.base?.line ?? 0))
            }
            return RecordPlace(path: layout.path, line: nil, row: "batch \(batch.number), row \(row + 1)")
        }
    }

    /// The numbers of records among all valid ones; `nil` if the capture is not a part of split ones, which have them.
    ///
    /// - Parameter records: The numbers of the records in the block, counted from 1.
    func indices(ofLines records: some Sequence<Int>) -> [Int]? {
        guard let base = layout.base, let index = layout.origins.record,
            let numbers = column(index, rows, of: batch.batch)?.numbers
        else { return nil }
        return records.map { base.index &+ Int(numbers[$0 - 1]) }
    }

    /// A record as JSON, newline included.
    ///
    /// - Parameter line: The number of the record in the block, counted from 1.
    func text(ofLine line: Int) -> [UInt8] {
        let (batch, row) = (batch.batch, rows.lowerBound + line - 1)
        var members: [(key: String, value: JSONValue)] = []
        for (index, field) in layout.fields.enumerated() where !ColumnNames.origins.contains(field.name) {
            guard let column = column(index, row..<row + 1, of: batch), column.hasValue(0) else { continue }
            let text = column.text(0, field, batch).map { String(decoding: $0, as: UTF8.self) }
            members.append((field.name, .string(text ?? column.shown(0, field, batch))))
        }
        return JSONValue.ordered(members).line
    }

    /// The names and values of a record, the same bytes for the same content: made sooner than ``text(ofLine:)``.
    ///
    /// - Parameter line: The number of the record in the block, counted from 1.
    func content(ofLine line: Int) -> [UInt8] {
        let (batch, row) = (batch.batch, rows.lowerBound + line - 1)
        var bytes: [UInt8] = []
        for (index, field) in layout.fields.enumerated() where !ColumnNames.origins.contains(field.name) {
            guard let column = column(index, row..<row + 1, of: batch), column.hasValue(0) else { continue }
            bytes += field.name.utf8
            // No text has this byte.
            bytes.append(0xFF)
            bytes += column.text(0, field, batch) ?? Array(column.shown(0, field, batch).utf8)
            bytes.append(0xFF)
        }
        return bytes
    }

    // Some rows of a column; `nil` if they are damaged, which ends the replay with the block itself.
    private func column(_ index: Int, _ rows: Range<Int>, of batch: ColumnBatch) -> Column? {
        var column = Column()
        do throws(ColumnFailure) {
            try batch.decode(rows, ofColumn: index, into: &column)
            return column
        } catch {
            return nil
        }
    }
}
