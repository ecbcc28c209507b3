import Testing

/// A row of a table of cases, reported by its label.
protocol LabelledRow: Sendable, CustomTestStringConvertible {
    var label: String { get }
}

extension LabelledRow {
    var testDescription: String { label }
}
