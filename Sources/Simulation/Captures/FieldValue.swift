/// Where the value of a field stands.
struct FieldValue {
    // Blocks are much shorter than 2 GiB.
    private let start: Int32
    private let end: Int32
    /// The memory that it stands in.
    let form: Form

    enum Form: UInt8 {
        /// As it stands in the block.
        case plain
        /// In ``RecordFields/copied``, since it has escapes.
        case unescaped
        /// In ``RecordFields/copied``, since it goes over several lines (`probe-result` in the manual).
        case joined
    }

    init(range: Range<Int>, form: Form = .plain) {
        (start, end) = (Int32(truncatingIfNeeded: range.lowerBound), Int32(truncatingIfNeeded: range.upperBound))
        self.form = form
    }

    /// The bytes of the value.
    var range: Range<Int> { Int(start)..<Int(end) }

    var isJoined: Bool { form == .joined }
}
