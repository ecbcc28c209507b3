internal import PolicyEngine

/// Looks at the attributes of records for two accounts.
struct PairMatcher: RecordMatcher {
    private var before: AttributeMatcher
    // `nil` where both accounts find the same in all attributes, so that one look is enough.
    private var after: AttributeMatcher?
    private var apps: AppNumbering
    private let presences: AttributePresences
    private let matcher = PatternMatcher()
    // Of the records at hand.
    private var found: (before: [AttributeMatches], after: [AttributeMatches]) = ([], [])

    /// What the attributes of a record come to on both sides.
    struct Matches: Sendable {
        let before: AttributeMatches
        let after: AttributeMatches
        let app: AppNumbers
        let system: OperatingSystem
        let presence: AttributePresences.Mask
    }

    init(before: Account, after: Account, apps: AppRegistry, attributes: inout AttributeTable) {
        self.apps = AppNumbering(apps, attributes: &attributes)
        self.before = AttributeMatcher(before, source: .capture, attributes: &attributes)
        let isSame =
            before.filters == after.filters && before.registrations == after.registrations
            && before.removedRegistrations == after.removedRegistrations
        self.after = isSame ? nil : AttributeMatcher(after, source: .capture, attributes: &attributes)
        presences = AttributePresences([before, after], attributes: &attributes)
    }

    mutating func match(_ batch: borrowing RecordBatch, into matches: inout [Matches]) {
        before.match(batch.attributes, matcher: matcher, into: &found.before)
        if after == nil {
            found.after = found.before
        } else {
            after?.match(batch.attributes, matcher: matcher, into: &found.after)
        }
        matches.removeAll(keepingCapacity: true)
        for row in batch.heads.indices {
            matches.append(
                Matches(
                    before: found.before[row], after: found.after[row], app: apps.numbers(of: row, in: batch),
                    system: batch.heads[row].system, presence: presences.mask(of: row, in: batch.attributes)))
        }
    }
}
