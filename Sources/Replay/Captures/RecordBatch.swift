package import PolicyEngine

/// The sound records of a block, before anybody looked at their attributes.
package struct RecordBatch: Sendable {
    /// What they say of themselves.
    package let heads: [RecordHead]
    /// Their attributes, in the same order.
    package let attributes: AttributeBatch
}
