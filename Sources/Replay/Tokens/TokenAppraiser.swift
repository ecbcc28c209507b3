internal import PolicyEngine

/// Looks at the attributes of records for one account, and keeps the addresses that tokens tell.
package struct TokenAppraiser: RecordAppraiser {
    private var appraiser: AccountAppraiser
    private let addressKey: AttributeKey
    // Of the records at hand.
    private var found: [AccountAppraiser.Findings] = []

    /// What the attributes of a record come to.
    package struct Findings: Sendable {
        let account: AccountAppraiser.Findings
        /// The address of the client; `nil` where the record does not tell it.
        let address: String?
    }

    init(_ account: Account, apps: AppRegistry, attributes: inout AttributeTable) {
        addressKey = attributes.key(named: "ip")
        appraiser = AccountAppraiser(account, apps: apps, attributes: &attributes)
    }

    package mutating func appraise(_ batch: borrowing RecordBatch, into findings: inout [Findings]) {
        appraiser.appraise(batch, into: &found)
        findings.removeAll(keepingCapacity: true)
        for row in batch.heads.indices {
            let address = batch.attributes.text(of: addressKey, row: row)
            findings.append(Findings(account: found[row], address: address))
        }
    }
}
