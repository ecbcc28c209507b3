internal import PolicyEngine

/// One record of a capture, scanned but not yet understood: where each needed value stands.
struct RecordFields {
    // By field (``RecordField``): the value, of the latest record that has one.
    private var slots: [Slot]
    private var record: UInt32 = 0
    /// The instant that the record's first line gives, in a text capture.
    var instant: Instant?
    /// The device ID that the record's first line gives, in a text capture.
    var headerID: Range<Int>?
    /// Values that do not stand in the block as they are.
    var copied: [UInt8] = []
    /// The first thing that is wrong with the record.
    private(set) var problem: RecordProblem?
    private var keys: KeyTable
    // How much of `copied` belongs to this record's values of several lines.
    private var joinedCount = 0

    private struct Slot {
        var value: FieldValue
        var record: UInt32
    }

    /// The value of a field, where the record has it.
    subscript(field: Int) -> FieldValue? { slots[field].record == record ? slots[field].value : nil }

    /// - Parameter attributes: Attributes that filters and reports need; they get the fields from
    ///   ``RecordField/count`` on, unless they are one of its names.
    init(attributes: [String]) {
        var names = RecordField.names
        var count = RecordField.count
        var fieldsByName = Dictionary(names.map { (ExactText($0.name), $0.field) }) { first, _ in first }
        for attribute in attributes where fieldsByName[ExactText(attribute)] == nil {
            names.append((attribute, count))
            fieldsByName[ExactText(attribute)] = count
            count += 1
        }
        keys = KeyTable(names)
        slots = Array(repeating: Slot(value: FieldValue(range: 0..<0), record: 0), count: count)
        self.fieldsByName = fieldsByName
    }

    private let fieldsByName: [ExactText: Int]

    /// The field of an attribute that was asked for.
    func field(ofAttribute name: String) -> Int? { fieldsByName[ExactText(name)] }

    /// Forgets the record before.
    mutating func beginRecord() {
        record &+= 1
        instant = nil
        headerID = nil
        problem = nil
        joinedCount = 0
        keys.beginRecord()
    }

    /// Notes what is wrong, unless something was before.
    mutating func note(_ message: @autoclosure () -> String, line: Int, hint: String? = nil) {
        if problem == nil { problem = RecordProblem(line: line, message: message(), hint: hint) }
    }

    /// Takes a key and its value.
    ///
    /// - Parameters:
    ///   - key: Where the key stands.
    ///   - value: `nil` for a key that says nothing, as `null` in JSON does.
    ///   - bytes: The memory of the block.
    ///   - line: The line, for problems.
    /// - Returns: The field that it went to, if somebody needs it.
    @discardableResult
    mutating func take(key: FieldValue, value: FieldValue?, in bytes: Span<UInt8>, line: Int) -> Int? {
        let taken: KeyTable.Taken
        if key.form == .plain {
            taken = keys.take(bytes, range: key.range, hasValue: value != nil)
        } else {
            let copied = copied
            taken = keys.take(copied.span, range: key.range, hasValue: value != nil)
        }
        return put(value, key: key, taken, in: bytes, line: line)
    }

    /// The length of the key that stands at an offset, if it is the one that is expected behind the one before.
    func expectedKeyLength(in bytes: Span<UInt8>, at offset: Int) -> Int? {
        keys.expectedLength(bytes, at: offset)
    }

    /// Takes the key that is expected, which was found, and its value.
    mutating func takeExpected(key: Range<Int>, value: Range<Int>, in bytes: Span<UInt8>, line: Int) -> Int? {
        let taken = keys.takeExpected()
        return put(FieldValue(range: value), key: FieldValue(range: key), taken, in: bytes, line: line)
    }

    @inline(__always)
    private mutating func put(
        _ value: FieldValue?, key: FieldValue, _ taken: KeyTable.Taken, in bytes: Span<UInt8>, line: Int
    ) -> Int? {
        guard case .field(let field) = taken else {
            note(taken, key: key, in: bytes, line: line)
            return nil
        }
        guard field >= 0, let value else { return nil }
        slots[field] = Slot(value: value, record: record)
        return field
    }

    private mutating func note(_ taken: KeyTable.Taken, key: FieldValue, in bytes: Span<UInt8>, line: Int) {
        let name = text(of: key, in: bytes)
        switch taken {
        case .duplicate: note("key `\(name)` is given twice", line: line)
        case .tooMany: note("more than \(CaptureLimits.keys) different keys in one record", line: line)
        case .field: break
        }
    }

    /// Makes room for values that do not stand in the block as they are.
    mutating func makeRoomForCopies(_ count: Int) {
        if copied.count < count { copied.append(contentsOf: repeatElement(0, count: count - copied.count)) }
    }

    /// A value or a key as text.
    func text(of value: FieldValue, in bytes: Span<UInt8>) -> String {
        withBytes(of: value, in: bytes) { Self.text($1, in: $0) }
    }

    /// Gives a field the value that another place of the record told.
    mutating func set(_ value: FieldValue, for field: Int) { slots[field] = Slot(value: value, record: record) }

    /// Adds a line to a value that goes over several: a newline, then the line as it stands.
    mutating func extend(_ field: Int, with line: Range<Int>, in bytes: Span<UInt8>) {
        guard let value = self[field] else { return }
        copied.removeLast(copied.count - joinedCount)
        var start = value.range.lowerBound
        if !value.isJoined {
            start = copied.count
            bytes.append(value.range, to: &copied)
        }
        copied.append(UInt8(ascii: "\n"))
        bytes.append(line, to: &copied)
        joinedCount = copied.count
        set(FieldValue(range: start..<joinedCount, form: .joined), for: field)
    }

    /// Hands over the bytes of a value.
    func withBytes<Result>(
        of value: FieldValue, in bytes: Span<UInt8>, _ body: (Span<UInt8>, Range<Int>) -> Result
    ) -> Result {
        value.form == .plain ? body(bytes, value.range) : body(copied.span, value.range)
    }

    static func text(_ range: Range<Int>, in bytes: Span<UInt8>) -> String {
        var copy: [UInt8] = []
        bytes.append(range, to: &copy)
        return String(decoding: copy, as: UTF8.self)
    }
}
