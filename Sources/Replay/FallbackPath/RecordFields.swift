internal import PolicyEngine

/// The records of a block, scanned but not yet understood: the position of each needed value.
struct RecordFields {
    /// The values of the records that are valid so far, by field (``RecordField``), and of the current one.
    var rows: ValueRows
    /// The instant that the record's first line gives, in a text capture.
    var instant: Instant?
    /// The device ID that the record's first line gives, in a text capture.
    var headerID: Range<Int>?
    /// The first thing that is wrong with the record.
    private(set) var problem: RecordProblem?
    // Of the current kind of capture, and of the other one: a key of one kind may be none in the other.
    private var keys: KeyTable
    private var otherKeys: KeyTable
    /// The names of keys in the capture.
    let names: RecordNames
    private var isText = true
    // The probable mistakes in the current record.
    private var recordMistakes: [CaptureMistake.Kind] = []
    // The number of copied bytes that belong to values.
    private var copiedCount = 0

    /// The value of a field, where the current record has it.
    subscript(field: Int) -> ValueRange? {
        let value = rows[field]
        return value.isAbsent ? nil : value
    }

    /// - Parameter fields: The keys that are needed.
    init(_ fields: CaptureFields) {
        names = fields.names
        keys = KeyTable(
            fields.keys.map { (name: fields.names.given($0.name), field: $0.column) }, listsOthers: fields.listsOthers)
        otherKeys = keys
        rows = ValueRows(width: fields.count + ValueGroups.limit)
    }

    /// The keys of the current record in their order, as ``RecordWalk`` takes them.
    ///
    /// - Returns: `nil` where it was asked about before.
    mutating func keyOrder() -> [KeyTemplate.Key]? { keys.order(separator: isText ? ":" : "\":\"") }

    /// Forgets the records of the block before.
    ///
    /// - Parameters:
    ///   - bytes: The memory of the block.
    ///   - isText: True if its keys are those of device information, rather than of JSON.
    mutating func beginBlock(_ bytes: [UInt8], isText: Bool) {
        if self.isText != isText { swap(&keys, &otherKeys) }
        self.isText = isText
        rows.clear()
        rows.bytes = bytes
        copiedCount = 0
    }

    /// Lets go of the block's memory.
    mutating func endBlock() { rows.bytes = [] }

    /// Keeps the current record.
    mutating func keepRecord() { rows.keepRow(isUsual: false) }

    /// Forgets the record before, unless it was kept.
    mutating func beginRecord() {
        rows.beginRow()
        instant = nil
        headerID = nil
        problem = nil
        if !recordMistakes.isEmpty { recordMistakes.removeAll(keepingCapacity: true) }
        keys.beginRecord()
    }

    /// Notes the probable mistakes in the current record.
    func noteMistakes(in mistakes: inout CaptureMistakes, line: Int) {
        for mistake in recordMistakes { mistakes.note(mistake, line: line) }
    }

    /// Advice on the record if it lacks a key, and has one that looks like it.
    func hint(onMissing key: String) -> String? { recordMistakes.lazy.compactMap { $0.hint(onMissing: key) }.first }

    /// The keys that somebody needs and some record gave a value.
    var seenKeys: [String] { (keys.seenNames + otherKeys.seenNames).map(names.key) }

    /// The keys that nobody needs and some record gave, where they are listed.
    var unneededKeys: [String] { (keys.others + otherKeys.others).map(names.key) }

    /// Notes what is wrong, unless something was before.
    mutating func note(_ message: @autoclosure () -> String, line: Int, hint: String? = nil) {
        if problem == nil { problem = RecordProblem(line: line, message: message(), hint: hint) }
    }

    /// Takes a key and its value.
    ///
    /// - Parameters:
    ///   - key: The range of the key.
    ///   - value: `nil` for a key that says nothing, as `null` in JSON does.
    ///   - bytes: The memory of the block.
    ///   - line: The line, for problems.
    /// - Returns: The field that it went to, if somebody needs it.
    @discardableResult
    mutating func read(key: ValueRange, value: ValueRange?, in bytes: Span<UInt8>, line: Int) -> Int? {
        let taken: KeyTable.Taken
        if key.form == .plain {
            taken = keys.note(bytes, range: key.range, hasValue: value != nil)
        } else {
            let copied = rows.copied
            taken = keys.note(copied.span, range: key.range, hasValue: value != nil)
        }
        return put(value, key: key, taken, in: bytes, line: line)
    }

    /// The length of the key at an offset, if it is the one that is expected behind the one before.
    func expectedKeyLength(in bytes: Span<UInt8>, at offset: Int) -> Int? {
        keys.expectedLength(bytes, at: offset)
    }

    /// Takes the key that is expected, which was found, and its value.
    mutating func readExpected(key: Range<Int>, value: Range<Int>, in bytes: Span<UInt8>, line: Int) -> Int? {
        let taken = keys.noteExpected()
        return put(ValueRange(value), key: ValueRange(key), taken, in: bytes, line: line)
    }

    @inline(__always)
    private mutating func put(
        _ value: ValueRange?, key: ValueRange, _ taken: KeyTable.Taken, in bytes: Span<UInt8>, line: Int
    ) -> Int? {
        guard case .field(let field) = taken else {
            note(taken, key: key, in: bytes, line: line)
            return nil
        }
        guard field >= 0 else {
            if field < -1, value != nil { recordMistakes.append(keys.mistake(field)) }
            return nil
        }
        guard let value else { return nil }
        rows[field] = value
        return field
    }

    private mutating func note(_ taken: KeyTable.Taken, key: ValueRange, in bytes: Span<UInt8>, line: Int) {
        let name = text(of: key, in: bytes)
        switch taken {
        case .duplicate: note("key `\(name)` is given twice", line: line)
        case .tooMany: note("more than \(CaptureLimits.keys) different keys in one record", line: line)
        case .field: break
        }
    }

    /// Makes room for values that are not in the block as they are, and hands it over.
    ///
    /// - Parameters:
    ///   - count: The number of bytes that are needed.
    ///   - write: Gets all of the memory and where the room starts in it; returns how many bytes it used.
    mutating func copy(
        atMost count: Int, _ write: (UnsafeMutableBufferPointer<UInt8>, Int) -> Int
    ) {
        let missing = copiedCount + count - rows.copied.count
        if missing > 0 { rows.copied.append(contentsOf: repeatElement(0, count: missing)) }
        let start = copiedCount
        copiedCount += unsafe rows.copied.withUnsafeMutableBufferPointer { unsafe write($0, start) }
    }

    /// A value or a key as text.
    func text(of value: ValueRange, in bytes: Span<UInt8>) -> String {
        withBytes(of: value, in: bytes) { $0.text($1) }
    }

    /// Gives a field the value that is elsewhere in the record.
    mutating func set(_ value: ValueRange, for field: Int) { rows[field] = value }

    /// Adds a line to a value that goes over several: a newline, then the line as it is.
    mutating func extend(_ field: Int, with line: Range<Int>, in bytes: Span<UInt8>) {
        guard let value = self[field] else { return }
        var copied: [UInt8] = []
        swap(&copied, &rows.copied)
        copied.removeLast(copied.count - copiedCount)
        var start = value.range.lowerBound
        if !value.isJoined {
            start = copied.count
            bytes.append(value.range, to: &copied)
        }
        copied.append(UInt8(ascii: "\n"))
        bytes.append(line, to: &copied)
        copiedCount = copied.count
        swap(&copied, &rows.copied)
        set(ValueRange(start..<copiedCount, form: .joined), for: field)
    }

    /// Hands over the bytes of a value.
    func withBytes<Result>(
        of value: ValueRange, in bytes: Span<UInt8>, _ body: (Span<UInt8>, Range<Int>) -> Result
    ) -> Result {
        value.form == .plain ? body(bytes, value.range) : body(rows.copied.span, value.range)
    }
}
