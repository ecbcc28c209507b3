package import PolicyEngine

/// What looks at the attributes of records as they are read, wherever and whenever that is.
package protocol RecordMatcher {
    /// What is handed to the evaluator in place of the attributes.
    associatedtype Matches: Sendable

    /// Finds what accounts need in the attributes of some records.
    ///
    /// - Parameters:
    ///   - batch: The records.
    ///   - matches: Takes what is found, in their order.
    mutating func match(_ batch: borrowing RecordBatch, into matches: inout [Matches])
}

/// The sound records of a block, before anybody looked at their attributes.
package struct RecordBatch: Sendable {
    /// What they say of themselves.
    package let heads: [RecordHead]
    /// Their attributes, in the same order.
    package let attributes: AttributeBatch
}
