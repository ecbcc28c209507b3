package import PolicyEngine

/// Changes that turn no verdict, whatever the devices are, so that no sample has anything to say of them.
package enum IdleChange {
    /// True if two accounts differ in nothing on which the verdict on a record depends.
    ///
    /// The accounts are compared, and no solver is asked: another answer may still hold for all devices, and the same accounts
    /// have the same answer on each machine. Takes time in proportion to the filters and entries.
    package static func isKnown(from before: Account, to after: Account) -> Bool {
        VerdictSettings(before) == VerdictSettings(after)
    }
}

/// The settings of an account on which the verdict on a record depends (R10).
private struct VerdictSettings: Equatable {
    private let name: ExactText
    private let catalogue: FlagCatalogue
    private let policy: Policy
    private let entries: [Entry]
    private let filters: [Filter]
    private let samplingPercentage: Percentage
    private let registrations: [Registration]?
    private let removedRegistrations: [Registration]

    /// A policy without its annotation, which follows the verdict, and without its name.
    private struct Policy: Equatable {
        let rules: ExactText
        let rejection: RejectionPolicy

        init(_ policy: SecurityPolicy) {
            rules = ExactText(policy.rules)
            var rejection = policy.rejection
            rejection.makeCustom()
            self.rejection = rejection
        }
    }

    private struct Entry: Equatable {
        let id: DeviceID
        let policy: Policy?
        let banMode: BanMode?
    }

    init(_ account: Account) {
        // The name takes part in sampling alone (R7.6).
        name = ExactText(account.samplesByHash ? account.name : "")
        (catalogue, policy) = (account.catalogue, Policy(account.policy))
        // An entry without policy and ban mode does as the account does (R6.1).
        entries = account.devices.filter { $0.policy != nil || $0.banMode != nil }.map {
            Entry(id: $0.id, policy: $0.policy.map(Policy.init), banMode: $0.banMode)
        }
        filters = Self.acting(account.filters)
        (samplingPercentage, registrations) = (account.samplingPercentage, account.registrations)
        removedRegistrations = account.removedRegistrations
    }

    // The filters that act on verdicts, with the inputs of conjunctions that do.
    private static func acting(_ filters: [Filter]) -> [Filter] {
        let actions: Filter.Options = [.reject, .ban, .risky, .executeFilteredPolicy]
        let acting = filters.filter { !$0.options.isDisjoint(with: actions) }
        let inputs = Set(acting.flatMap { $0.inputs ?? [] })
        return filters.filter { !$0.options.isDisjoint(with: actions) || inputs.contains($0.name) }
    }
}
