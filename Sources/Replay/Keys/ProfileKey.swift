/// A kind of values that devices show: those of a key, their flags, the filters that match, or their verdicts.
package struct ProfileKey: Hashable, Sendable {
    /// The key as it was typed.
    package let text: String
    let source: Source

    enum Source: Hashable, Sendable {
        case record(RecordKey)
        case flags, filters, verdict
    }

    private init(_ text: String, _ source: Source) { (self.text, self.source) = (text, source) }

    /// The key of an attribute, or a derived one.
    package init(_ key: RecordKey) { self.init(key.text, .record(key)) }

    /// Each flag is a value.
    package static let flags = ProfileKey("flags", .flags)
    /// Each filter that matched is a value.
    package static let filters = ProfileKey("filters", .filters)
    /// `pass` and `fail`.
    package static let verdict = ProfileKey("verdict", .verdict)

    /// The key of the records, if there is one.
    package var record: RecordKey? { if case .record(let key) = source { key } else { nil } }
}
