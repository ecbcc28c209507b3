/// The values of some attestations as they stand in memory: a row for each, a column for each field.
package struct ValueRows: Sendable {
    /// How many fields there are.
    package let width: Int
    /// How many rows are kept; one more is being filled in.
    @usableFromInline package internal(set) var count = 0
    /// The memory that most values stand in.
    package var bytes: [UInt8] = []
    /// The values that do not stand there as they are.
    package var copied: [UInt8] = []
    // Row by row.
    @usableFromInline var ranges: [ValueRange]

    /// - Parameter width: How many fields there are.
    package init(width: Int) {
        self.width = width
        ranges = Array(repeating: .absent, count: width)
    }

    /// Forgets all rows, and keeps the memory.
    package mutating func clear() { count = 0 }

    /// Starts the row behind those that are kept.
    package mutating func beginRow() {
        let (start, end) = (count * width, (count + 1) * width)
        if end > ranges.count { ranges.append(contentsOf: repeatElement(.absent, count: ranges.count)) }
        var row = ranges.mutableSpan
        for index in start..<end { row[index] = .absent }
    }

    /// Keeps the row that was filled in.
    package mutating func keepRow() { count += 1 }

    /// A value of the row that is being filled in.
    @inlinable
    package subscript(column: Int) -> ValueRange {
        get { ranges[count * width + column] }
        set { ranges[count * width + column] = newValue }
    }

    /// A value of a row.
    @inlinable
    package subscript(row: Int, column: Int) -> ValueRange { ranges[row * width + column] }

    /// Hands over the memory of a value, and where it stands in it.
    @inline(__always)
    package func withBytes<Result>(of value: ValueRange, _ body: (Span<UInt8>, Range<Int>) -> Result) -> Result {
        value.form == .plain ? body(bytes.span, value.range) : body(copied.span, value.range)
    }

    /// A value as text.
    package func text(of value: ValueRange) -> String {
        withBytes(of: value) { memory, range in
            var copy: [UInt8] = []
            memory.append(range, to: &copy)
            return String(decoding: copy, as: UTF8.self)
        }
    }
}

/// Where a value stands in memory.
package struct ValueRange: Sendable {
    // Memory that is looked at at a time is much shorter than 2 GiB.
    @usableFromInline let start: Int32
    @usableFromInline let end: Int32
    /// The memory that it stands in.
    package let form: Form

    package enum Form: UInt8, Sendable {
        /// As it stands in ``ValueRows/bytes``.
        case plain
        /// In ``ValueRows/copied``, since it has escapes.
        case unescaped
        /// In ``ValueRows/copied``, since it goes over several lines (`probe-result` in the manual).
        case joined
    }

    /// The value is not there.
    package static let absent = ValueRange(start: -1, end: -1, form: .plain)

    @inlinable
    package init(_ range: Range<Int>, form: Form = .plain) {
        self.init(start: Int32(range.lowerBound), end: Int32(range.upperBound), form: form)
    }

    @inlinable
    init(start: Int32, end: Int32, form: Form) {
        (self.start, self.end, self.form) = (start, end, form)
    }

    /// Whether there is no value.
    @inlinable package var isAbsent: Bool { start < 0 }

    /// The bytes of the value, where there is one.
    @inlinable package var range: Range<Int> { Int(start)..<Int(end) }

    /// Whether the value goes over several lines.
    @inlinable package var isJoined: Bool { form == .joined }
}
