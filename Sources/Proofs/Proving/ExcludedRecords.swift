/// Records that no device of a question has.
package struct ExcludedRecords: Sendable {
    let condition: RecordCondition
    /// True if a record of a device meets the condition, also where the model of records says nothing of it.
    let includes: @Sendable (_ witness: ProofWitness, _ record: Int) -> Bool

    /// - Parameters:
    ///   - condition: The condition on the records.
    ///   - includes: True if the record of that number meets it.
    package init(
        _ condition: RecordCondition, includes: @escaping @Sendable (_ witness: ProofWitness, _ record: Int) -> Bool
    ) {
        (self.condition, self.includes) = (condition, includes)
    }

    /// True if a device has none of them.
    func areMissing(in witness: ProofWitness) -> Bool { !witness.records.indices.contains { includes(witness, $0) } }
}
