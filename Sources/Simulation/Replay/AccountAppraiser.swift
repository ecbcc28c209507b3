package import PolicyEngine

/// Looks at the attributes of records for one account.
package struct AccountAppraiser: RecordAppraiser {
    private var appraiser: AttributeAppraiser
    private var apps: AppNumbering
    private let matcher = PatternMatcher()

    /// What the attributes of a record come to.
    package struct Findings: Sendable {
        let attributes: AttributeFindings
        let app: AppNumbers
    }

    init(_ account: Account, apps: AppRegistry, attributes: inout AttributeTable) {
        self.apps = AppNumbering(apps, attributes: &attributes)
        appraiser = AttributeAppraiser(account, judging: .capture, attributes: &attributes)
    }

    package mutating func appraise(
        _ record: borrowing CaptureRecord, in attributes: borrowing AttributeTable
    ) -> Findings {
        Findings(
            attributes: appraiser.appraise(record.attestation, in: attributes, matcher: matcher),
            app: apps.numbers(of: record, in: attributes))
    }
}
