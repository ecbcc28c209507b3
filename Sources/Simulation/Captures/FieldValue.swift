/// Where the value of a field stands.
struct FieldValue {
    /// The bytes of the value; those of the record, or of ``RecordFields/joined``.
    var range: Range<Int>
    /// Whether the value goes over several lines and was put together (`probe-result` in the manual).
    var isJoined = false
}
