/// What looks at the attributes of records as they are read, wherever and whenever that is.
package protocol RecordMatcher {
    /// What is handed to the judge in place of the attributes.
    associatedtype Matches: Sendable

    /// What the attributes of some records come to.
    ///
    /// - Parameters:
    ///   - batch: The records.
    ///   - findings: Takes what is found, in their order.
    mutating func match(_ batch: borrowing RecordBatch, into matches: inout [Matches])
}
