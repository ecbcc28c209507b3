internal import PolicyEngine

/// Looks at the attributes of records for two accounts.
struct PairAppraiser: RecordAppraiser {
    private var before: AttributeAppraiser
    // `nil` where both accounts find the same in all attributes, so that one look is enough.
    private var after: AttributeAppraiser?
    private var apps: AppNumbering
    private let presences: AttributePresences
    private let matcher = PatternMatcher()
    // Of the records at hand.
    private var found: (before: [AttributeFindings], after: [AttributeFindings]) = ([], [])

    /// What the attributes of a record come to on both sides.
    struct Findings: Sendable {
        let before: AttributeFindings
        let after: AttributeFindings
        let app: AppNumbers
        let system: OperatingSystem
        let presence: AttributePresences.Mask
    }

    init(before: Account, after: Account, apps: AppRegistry, attributes: inout AttributeTable) {
        self.apps = AppNumbering(apps, attributes: &attributes)
        self.before = AttributeAppraiser(before, judging: .capture, attributes: &attributes)
        let isSame =
            before.filters == after.filters && before.registrations == after.registrations
            && before.removedRegistrations == after.removedRegistrations
        self.after = isSame ? nil : AttributeAppraiser(after, judging: .capture, attributes: &attributes)
        presences = AttributePresences([before, after], attributes: &attributes)
    }

    mutating func appraise(_ batch: borrowing RecordBatch, into findings: inout [Findings]) {
        before.appraise(batch.attributes, matcher: matcher, into: &found.before)
        if after == nil {
            found.after = found.before
        } else {
            after?.appraise(batch.attributes, matcher: matcher, into: &found.after)
        }
        findings.removeAll(keepingCapacity: true)
        for row in batch.heads.indices {
            findings.append(
                Findings(
                    before: found.before[row], after: found.after[row], app: apps.numbers(of: row, in: batch),
                    system: batch.heads[row].system, presence: presences.mask(of: row, in: batch.attributes)))
        }
    }
}
