internal import PolicyEngine

/// The valid records of a block, before anybody looked at their attributes.
struct RecordBatch {
    /// The heads of the records.
    let heads: [RecordHead]
    /// Their values, in the same order.
    let rows: ValueRows
    /// The fields whose values are looked for as one.
    let groups: ValueGroups

    /// A value as text; `nil` where it is absent.
    ///
    /// - Parameters:
    ///   - row: The record, by its index.
    ///   - column: The column of the key (``CaptureFields``).
    func text(_ row: Int, column: Int) -> String? { rows.text(row, column) }
}
