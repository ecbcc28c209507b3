internal import PolicyEngine

/// One record of a capture, scanned but not yet understood: where each needed value stands.
struct RecordFields {
    /// The values by field; see ``RecordField``.
    private(set) var values: [FieldValue?]
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
        values = Array(repeating: nil, count: count)
        self.fieldsByName = fieldsByName
    }

    private let fieldsByName: [ExactText: Int]

    /// The field of an attribute that was asked for.
    func field(ofAttribute name: String) -> Int? { fieldsByName[ExactText(name)] }

    /// Forgets the record before.
    mutating func beginRecord() {
        for field in values.indices { values[field] = nil }
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
        let (field, refusal) = place(of: key, hasValue: value != nil, in: bytes)
        if let refusal { note(refusal, key: key, in: bytes, line: line) }
        guard let field, let value else { return nil }
        values[field] = value
        return field
    }

    private mutating func place(
        of key: FieldValue, hasValue: Bool, in bytes: Span<UInt8>
    ) -> (field: Int?, refusal: KeyTable.Refusal?) {
        if key.form == .plain { return keys.take(bytes, range: key.range, hasValue: hasValue) }
        let copied = copied
        return keys.take(copied.span, range: key.range, hasValue: hasValue)
    }

    private mutating func note(_ refusal: KeyTable.Refusal, key: FieldValue, in bytes: Span<UInt8>, line: Int) {
        let name = text(of: key, in: bytes)
        switch refusal {
        case .duplicate: note("key `\(name)` is given twice", line: line)
        case .tooMany: note("more than \(CaptureLimits.keys) different keys in one record", line: line)
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
    mutating func set(_ value: FieldValue, for field: Int) { values[field] = value }

    /// Adds a line to a value that goes over several: a newline, then the line as it stands.
    mutating func extend(_ field: Int, with line: Range<Int>, in bytes: Span<UInt8>) {
        guard let value = values[field] else { return }
        copied.removeLast(copied.count - joinedCount)
        var start = value.range.lowerBound
        if !value.isJoined {
            start = copied.count
            bytes.append(value.range, to: &copied)
        }
        copied.append(UInt8(ascii: "\n"))
        bytes.append(line, to: &copied)
        joinedCount = copied.count
        values[field] = FieldValue(range: start..<joinedCount, form: .joined)
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
