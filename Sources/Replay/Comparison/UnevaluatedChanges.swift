internal import Documents
internal import PolicyEngine

/// What a change does that cannot be evaluated on a capture: it is said, not guessed.
enum UnevaluatedChanges {
    /// What is said where nobody knows which devices were new, and something depends on it.
    static func newDevices(_ changes: ComparisonFigures, sides: [Comparison.Side]) -> [String] {
        let devices = changes.unjudged.newDevices
        guard devices > 0 || sides.contains(where: { $0.figures.unjudged.newDevices > 0 }) else { return [] }
        let share = devices.share(of: changes.devices)
        return [
            NewDeviceDoubt.reason + ": what hangs on it is left out"
                + (devices == 0 ? "" : ", and \(devices.grouped) devices (\(share)) are not judged")
        ]
    }

    /// What is said where searches were given up that decisions depend on (R7.2).
    static func searches(_ changes: ComparisonFigures) -> [String] {
        changes.unjudged.filters.map { filter in
            let share = filter.devices.share(of: changes.devices)
            return Figures.Unjudged.sentence(ofFilter: filter.name)
                + ": \(filter.devices.grouped) devices (\(share)) are not judged"
        }
    }

    /// What changes without need to be evaluated.
    static let noBearing = "settings change that have no bearing on verdicts"

    /// What differs beside filters, in the order of the account.
    static func services(_ before: Account, _ after: Account) -> [String] {
        var sentences: [String] = []
        if before.deviceCheck != after.deviceCheck {
            sentences.append("DeviceCheck changes, and a capture shows only what the old settings found")
        }
        if before.safetyNet != after.safetyNet || before.appSigningCertificates != after.appSigningCertificates {
            sentences.append("SafetyNet changes, and a capture shows only what the old settings found")
        }
        // What the account after lacks is evaluated (R15.2); what it has besides is not.
        let known = (before.registrations ?? []).map(\.asMatched)
        let added = (after.registrations ?? []).filter { !known.contains($0.asMatched) }
        if before.registrations != nil, after.registrations == nil {
            sentences.append("the account after lists no registrations at all, so captured apps keep what was observed")
        } else if !added.isEmpty || (before.registrations == nil) != (after.registrations == nil) {
            sentences.append("registrations are added, and captured apps keep `app-not-registered` as it was observed")
        }
        if before.apiDomains != after.apiDomains {
            sentences.append("API domains change, and a capture does not say for which one an app asks")
        }
        if before.propagation != after.propagation || before.isResponseCodeOn != after.isResponseCodeOn {
            sentences.append(noBearing)
        }
        return sentences
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
