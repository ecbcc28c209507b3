internal import PolicyEngine

/// Looks at the attributes of records for one account, and keeps the addresses that tokens tell.
package struct TokenMatcher: RecordMatcher {
    private var attributeMatcher: AccountMatcher
    private let addressKey: AttributeKey
    // Of the records at hand.
    private var found: [AccountMatcher.Matches] = []

    /// What the attributes of a record come to.
    package struct Matches: Sendable {
        let account: AccountMatcher.Matches
        /// The address of the client; `nil` where the record does not tell it.
        let address: String?
    }

    init(_ account: Account, apps: AppRegistry, attributes: inout AttributeTable) {
        addressKey = attributes.key(named: "ip")
        attributeMatcher = AccountMatcher(account, apps: apps, attributes: &attributes)
    }

    package mutating func match(_ batch: borrowing RecordBatch, into matches: inout [Matches]) {
        attributeMatcher.match(batch, into: &found)
        matches.removeAll(keepingCapacity: true)
        for row in batch.heads.indices {
            let address = batch.attributes.text(of: addressKey, row: row)
            matches.append(Matches(account: found[row], address: address))
        }
    }
}
