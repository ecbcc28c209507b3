internal import Documents
internal import PolicyEngine

/// The effects of a change: one value behind every form of report.
package struct Comparison: Sendable {
    /// The figures of the side before.
    package var before: Side
    /// The figures of the side after.
    package var after: Side
    /// The name of the account before; empty if it has none.
    package let account: String
    /// The account's policy on both sides.
    package var policies: ComparedAccounts.Policies
    /// The difference between the account's rejection policies.
    package var difference: PolicyDifference
    /// True if the accounts before and after differ in nothing.
    package let isOfEqualAccounts: Bool
    /// True if it is known that the change turns no verdict, whatever the devices are.
    package let turnsNothing: Bool
    /// The changes for attestations and devices.
    package var changes: ComparisonFigures
    /// The effects of the change that cannot be evaluated here, in words.
    package var unevaluated: [String]
    /// Those that may turn devices, and that no capture shows.
    package let beyondCaptures: [String]
    /// The groups of devices that are newly rejected more often; `nil` if nobody asked for them.
    package var hits: HitFigures?
    /// The devices that change sides by the values of keys; `nil` if nobody asked for them.
    package var valueHits: ValueHits?
    /// The difference of the captures from older ones; `nil` if nobody asked for it.
    package var drift: DriftFigures?
    /// The effects of assumptions about signals; `nil` where nothing was assumed.
    package var assumed: AssumptionFigures?
    /// The costs of wrong verdicts on labelled devices; `nil` where none were given.
    package var labelCost: LabelCost?
    /// True if attestations of captures were compared, rather than fetches of a scenario.
    package let isCapture: Bool
    /// The records that the captures were narrowed to; `nil` for all of their records.
    package var narrowed: NarrowedRecords?
    /// The level of the intervals that are reported; `nil` for none.
    package var confidence: ConfidenceLevel?

    /// The figures of one side, as a replay of it alone reports them.
    package struct Side: Sendable {
        /// The figures of the side's decisions.
        package var figures: Figures
        /// The fetch counts of devices, where captures of fetches were read.
        package var fetches: FetchFigures?

        package init(figures: Figures, fetches: FetchFigures? = nil) {
            self.figures = figures
            self.fetches = fetches
        }
    }

    package init(
        before: Side, after: Side, accounts: ComparedAccounts, changes: ComparisonFigures, isCapture: Bool
    ) {
        self.isCapture = isCapture
        self.before = before
        self.after = after
        self.changes = changes
        self.changes.decidedRules.add(accounts.decidedRules)
        if before.figures.hasOtherApps { self.changes.decidedRules.insert(.otherApps) }
        account = accounts.name
        policies = accounts.policies
        difference = accounts.difference
        isOfEqualAccounts = accounts.areEqual
        turnsNothing = accounts.turnNothing && changes.rejected.events + changes.accepted.events == 0
        beyondCaptures = isCapture ? accounts.beyondCaptures : []
        unevaluated =
            isCapture
            ? accounts.unevaluated + UnevaluatedChanges.filters(accounts.newFilters, changes)
                + UnevaluatedChanges.newDevices(changes, sides: [before, after]) : []
        unevaluated += UnevaluatedChanges.searches(changes)
    }

    /// True if everything that the change does to verdicts is evaluated.
    package var isExact: Bool { unevaluated.allSatisfy { $0 == UnevaluatedChanges.noBearing } }

    /// True if anything was compared: an attestation, or of a scenario anything that a client got.
    package var comparesAnything: Bool { changes.attestations > 0 || changes.clients?.parts.isEmpty == false }

    /// True if anything was evaluated: an attestation by a device of which it is known what the change does to it.
    package var evaluatesAnything: Bool { comparesAnything && changes.unevaluated.devices < changes.devices }

    /// Why nothing of what was compared was evaluated, in words; `nil` where something was.
    package var emptiness: String? {
        if evaluatesAnything { return nil }
        return changes.unevaluated.unsearched > 0
            ? "searches were given up for every device" : "the captures do not say which devices were new"
    }

    /// The filters whose regex hit its match limit, as the side before counts them or else the one after; each is reported
    /// once (R7.2).
    package var limitedFilters: [Figures.FilterFigures] {
        let old = before.figures.filters.filter { $0.limitHits > 0 }
        let names = Set(old.map(\.name))
        return old + after.figures.filters.filter { $0.limitHits > 0 && !names.contains($0.name) }
    }
}

/// The devices that a change turns, by the values of keys that they showed: key by key, in the order of the keys.
package struct ValueHits: Hashable, Sendable {
    package var rejected: [Key]
    package var accepted: [Key]

    package init(rejected: [Key], accepted: [Key]) { (self.rejected, self.accepted) = (rejected, accepted) }

    /// The devices that are turned one way, by the values of a key.
    package struct Key: Hashable, Sendable {
        /// The key as it was typed.
        package let key: String
        /// The number of values that such devices showed.
        package let different: Int
        /// Those of most such devices first, then by their bytes.
        package var values: [Value]

        package init(key: String, different: Int, values: [Value]) {
            (self.key, self.different, self.values) = (key, different, values)
        }
    }

    /// A value, with the devices that showed it at some time.
    package struct Value: Hashable, Sendable {
        package var text: String
        /// The devices of which it is known what the change does to them.
        package let devices: Int
        /// Those of them that are turned.
        package let turned: Int

        package init(_ text: String, devices: Int, turned: Int) {
            (self.text, self.devices, self.turned) = (text, devices, turned)
        }
    }
}

/// The effects of a change that cannot be evaluated on a capture: they are reported, not guessed.
enum UnevaluatedChanges {
    /// The sentence that is reported where nobody knows which devices were new, and something depends on it.
    static func newDevices(_ changes: ComparisonFigures, sides: [Comparison.Side]) -> [String] {
        let devices = changes.unevaluated.newDevices
        let isLeftOut = sides.contains { $0.figures.unevaluated.newDevices + $0.figures.unevaluated.leftOut > 0 }
        guard devices > 0 || isLeftOut else { return [] }
        let share = devices.share(of: changes.devices)
        return [
            Figures.Unevaluated.newDeviceReason + ": effects that depend on it are left out"
                + (devices == 0
                    ? ""
                    : ", and \(devices.counting("device")) (\(share)) \(devices.agreeing("is", "are")) not evaluated")
        ]
    }

    /// The sentences that are reported where searches were given up that decisions depend on (R7.2).
    static func searches(_ changes: ComparisonFigures) -> [String] {
        changes.unevaluated.filters.map { filter in
            let share = filter.devices.share(of: changes.devices)
            return Figures.Unevaluated.sentence(ofFilter: filter.name)
                + ": \(filter.devices.counting("device")) (\(share)) \(filter.devices.agreeing("is", "are")) "
                + "not evaluated"
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
