import Testing

/// A row of a table of cases, which is reported by its first text.
protocol LabelledRow: Sendable, CustomTestStringConvertible {}

extension LabelledRow {
    var testDescription: String {
        Mirror(reflecting: self).children.lazy.compactMap { $0.value as? String }.first ?? String(describing: self)
    }
}
