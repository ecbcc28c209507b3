internal import Documents
internal import PolicyEngine

/// The effects of a change that cannot be evaluated on a capture: they are reported, not guessed.
enum UnevaluatedChanges {
    /// The sentence that is reported where nobody knows which devices were new, and something depends on it.
    static func newDevices(_ changes: ComparisonFigures, sides: [Comparison.Side]) -> [String] {
        let devices = changes.unevaluated.newDevices
        guard devices > 0 || sides.contains(where: { $0.figures.unevaluated.newDevices > 0 }) else { return [] }
        let share = devices.share(of: changes.devices)
        return [
            Figures.Unevaluated.newDeviceReason + ": effects that depend on it are left out"
                + (devices == 0 ? "" : ", and \(devices.counting("device")) (\(share)) \(are(devices)) not evaluated")
        ]
    }

    private static func are(_ devices: Int) -> String { devices == 1 ? "is" : "are" }

    /// The sentences that are reported where searches were given up that decisions depend on (R7.2).
    static func searches(_ changes: ComparisonFigures) -> [String] {
        changes.unevaluated.filters.map { filter in
            let share = filter.devices.share(of: changes.devices)
            return Figures.Unevaluated.sentence(ofFilter: filter.name)
                + ": \(filter.devices.counting("device")) (\(share)) \(are(filter.devices)) not evaluated"
        }
    }

    /// The sentence on changes that need not be evaluated.
    static let noBearing = "settings change that do not affect verdicts"

    /// The sentences on effects of a change that a capture does not show, part by part of the account.
    static func services(_ change: AccountChange) -> [String] {
        let bearings = change.parts.map(change.bearing)
        var sentences: [String] = []
        for case .unseen(let sentence) in bearings where !sentences.contains(sentence) { sentences.append(sentence) }
        return sentences + (bearings.contains(.none) ? [noBearing] : [])
    }

    /// A filter over an attribute that the capture lacks would seem to match nothing.
    static func filters(_ new: [ComparedAccounts.NewFilter], _ changes: ComparisonFigures) -> [String] {
        new.compactMap { filter in
            guard let presence = changes.presences.first(where: { ExactText($0.attribute) == ExactText(filter.key) }),
                presence.records < changes.events
            else { return nil }
            let share = presence.records.share(of: changes.events)
            let found = presence.records == 0 ? "no record has" : "only \(share) of the records have"
            return "filter \(filter.name.quoted) looks at \(filter.key.quoted), which \(found)"
        }
    }
}
