internal import PolicyEngine

/// Looks at the attributes of records for one account.
package struct AccountAppraiser: RecordAppraiser {
    private var appraiser: AttributeAppraiser
    private var apps: AppNumbering
    private let matcher = PatternMatcher()
    // Of the records at hand.
    private var found: [AttributeFindings] = []

    /// What the attributes of a record come to.
    package struct Findings: Sendable {
        let attributes: AttributeFindings
        let app: AppNumbers
    }

    init(_ account: Account, apps: AppRegistry, attributes: inout AttributeTable) {
        self.apps = AppNumbering(apps, attributes: &attributes)
        appraiser = AttributeAppraiser(account, judging: .capture, attributes: &attributes)
    }

    package mutating func appraise(_ batch: borrowing RecordBatch, into findings: inout [Findings]) {
        appraiser.appraise(batch.attributes, matcher: matcher, into: &found)
        findings.removeAll(keepingCapacity: true)
        for row in batch.heads.indices {
            findings.append(Findings(attributes: found[row], app: apps.numbers(of: row, in: batch)))
        }
    }
}
