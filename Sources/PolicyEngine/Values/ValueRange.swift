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
