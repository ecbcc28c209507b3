internal import PolicyEngine

/// Looks at the attributes of records for two accounts.
struct PairAppraiser: RecordAppraiser {
    private var before: AttributeAppraiser
    // `nil` where both accounts find the same in all attributes, so that one look is enough.
    private var after: AttributeAppraiser?
    private var apps: AppNumbering
    private let presences: AttributePresences
    private let matcher = PatternMatcher()

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

    mutating func appraise(_ record: borrowing CaptureRecord, in attributes: borrowing AttributeTable) -> Findings {
        let old = before.appraise(record.attestation, in: attributes, matcher: matcher)
        let new = after?.appraise(record.attestation, in: attributes, matcher: matcher) ?? old
        return Findings(
            before: old, after: new, app: apps.numbers(of: record, in: attributes),
            system: record.operatingSystem, presence: presences.mask(of: record.attestation))
    }
}
