internal import PolicyEngine

/// One record of a capture, scanned but not yet understood: where each needed value stands.
struct RecordFields {
    /// The values by field; see ``RecordField``.
    private(set) var values: [FieldValue?]
    /// The instant that the record's first line gives, in a text capture.
    var instant: Instant?
    /// The device ID that the record's first line gives, in a text capture.
    var headerID: Range<Int>?
    /// Values that were put together from several lines.
    private(set) var joined: [UInt8] = []
    /// The first thing that is wrong with the record.
    private(set) var problem: RecordProblem?
    private var keys: KeyTable

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
        joined.removeAll(keepingCapacity: true)
        keys.beginRecord()
    }

    /// Notes what is wrong, unless something was before.
    mutating func note(_ message: @autoclosure () -> String, line: Int, hint: String? = nil) {
        if problem == nil { problem = RecordProblem(line: line, message: message(), hint: hint) }
    }

    /// Takes a key and its value.
    ///
    /// - Parameter value: `nil` for a key that says nothing, as `null` in JSON does.
    /// - Returns: The field that it went to, if somebody needs it.
    @discardableResult
    mutating func take(key: Range<Int>, value: FieldValue?, in bytes: Span<UInt8>, line: Int) -> Int? {
        let (field, refusal) = keys.take(bytes, range: key, hasValue: value != nil)
        switch refusal {
        case .duplicate: note("key `\(Self.text(key, in: bytes))` is given twice", line: line)
        case .tooMany: note("more than \(CaptureLimits.keys) different keys in one record", line: line)
        case nil: break
        }
        guard let field, let value else { return nil }
        values[field] = value
        return field
    }

    /// Gives a field the value that another place of the record told.
    mutating func set(_ value: FieldValue, for field: Int) { values[field] = value }

    /// Adds a line to a value that goes over several: a newline, then the line as it stands.
    mutating func extend(_ field: Int, with line: Range<Int>, in bytes: Span<UInt8>) {
        guard let value = values[field] else { return }
        if !value.isJoined {
            let start = joined.count
            bytes.append(value.range, to: &joined)
            values[field] = FieldValue(range: start..<joined.count, isJoined: true)
        }
        joined.append(UInt8(ascii: "\n"))
        bytes.append(line, to: &joined)
        let start = values[field]?.range.lowerBound ?? 0
        values[field] = FieldValue(range: start..<joined.count, isJoined: true)
    }

    static func text(_ range: Range<Int>, in bytes: Span<UInt8>) -> String {
        var copy: [UInt8] = []
        bytes.append(range, to: &copy)
        return String(decoding: copy, as: UTF8.self)
    }
}
