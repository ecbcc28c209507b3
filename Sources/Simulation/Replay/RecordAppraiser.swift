package import PolicyEngine

/// What looks at the attributes of records as they are read, wherever and whenever that is.
package protocol RecordAppraiser {
    /// What is handed to the judge in place of the attributes.
    associatedtype Findings: Sendable

    /// What the attributes of a record come to.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - attributes: The numbering of its attributes.
    mutating func appraise(_ record: borrowing CaptureRecord, in attributes: borrowing AttributeTable) -> Findings
}
