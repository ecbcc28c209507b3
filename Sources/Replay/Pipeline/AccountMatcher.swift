internal import PolicyEngine

/// Looks at the attributes of records for one account.
package struct AccountMatcher: RecordMatcher {
    private var attributeMatcher: AttributeMatcher
    private var apps: AppNumbering
    private let matcher = PatternMatcher()
    // Of the records at hand.
    private var found: [AttributeMatches] = []

    /// What the attributes of a record come to.
    package struct Matches: Sendable {
        let attributes: AttributeMatches
        let app: AppNumbers
    }

    init(_ account: Account, apps: AppRegistry, attributes: inout AttributeTable) {
        self.apps = AppNumbering(apps, attributes: &attributes)
        attributeMatcher = AttributeMatcher(account, source: .capture, attributes: &attributes)
    }

    package mutating func match(_ batch: borrowing RecordBatch, into matches: inout [Matches]) {
        attributeMatcher.match(batch.attributes, matcher: matcher, into: &found)
        matches.removeAll(keepingCapacity: true)
        for row in batch.heads.indices {
            matches.append(Matches(attributes: found[row], app: apps.numbers(of: row, in: batch)))
        }
    }
}
