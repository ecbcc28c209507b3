/// Where the value of a field stands.
struct FieldValue {
    /// The bytes of the value, in the memory that ``form`` tells.
    let range: Range<Int>
    var form = Form.plain

    enum Form {
        /// As it stands in the block.
        case plain
        /// In ``RecordFields/copied``, since it has escapes.
        case unescaped
        /// In ``RecordFields/copied``, since it goes over several lines (`probe-result` in the manual).
        case joined
    }

    var isJoined: Bool { form == .joined }
}
