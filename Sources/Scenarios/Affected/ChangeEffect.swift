package import PolicyEngine

/// The effect of a change of an account on the result of a scenario.
package enum ChangeEffect: Hashable, Sendable {
    /// The result can change, or nothing is known that rules it out.
    case affected
    /// The scenario gives the same result under both accounts; the reason in words.
    case unaffected(String)
}

extension Scenario {
    /// The effect of a change of one of its accounts on its result: decisions, expectations, what commands print, what is
    /// counted. That a report lists a filter which matched nothing is no result.
    ///
    /// The scenario is not run. A scenario counts as affected unless the opposite is known.
    ///
    /// - Parameters:
    ///   - account: The index of the account.
    ///   - seed: Goes before the scenario's own.
    /// - Complexity: O(steps, groups and different values of attributes); where the change is of device entries, O(devices), too.
    package func effect(of change: AccountChange, onAccount account: Int, seed: UInt64? = nil) -> ChangeEffect {
        let reach = ScenarioReach(self, account: account, seed: seed ?? self.seed)
        guard reach.isUsed else { return .unaffected("none of its devices belongs to the account") }
        guard !change.parts.isEmpty else { return .unaffected("the account decides as before") }
        guard reach.changesPolicyOnly else { return .affected }
        var reasons: [String] = []
        for part in change.parts {
            guard let reason = reach.reason(toOverlook: part, change) else { return .affected }
            if !reasons.contains(reason) { reasons.append(reason) }
        }
        return .unaffected(reasons.joined(separator: "; "))
    }
}

extension ScenarioReach {
    /// The reason why a part of a change does not affect the scenario; `nil` if it may.
    fileprivate func reason(toOverlook part: AccountPart, _ change: AccountChange) -> String? {
        if AccountPart.ofAttestation.contains(part), !reaches(part) { return "none of its devices attests" }
        return switch part {
        case .policy: overlooksPolicy(change) ? "no device can have a flag whose rejection changes" : nil
        case .filters: overlooksFilters(change) ? filterWords(change) : nil
        case .devices: overlooksEntries(change) ? "no device is one of the entries that change" : nil
        case .filteredPolicy: overlooksFilteredPolicy(change) ? "the filtered policy is applied to no device" : nil
        case .deviceCheck: isOnly(.android) ? "all its devices are Android" : nil
        case .safetyNet: isOnly(.ios) ? "all its devices are iOS" : nil
        case .certificates:
            isOnly(.ios) && change.before.registrations == nil && change.after.registrations == nil
                ? "the certificates of its apps are not checked" : nil
        case .removedRegistrations: "removed registrations affect captures only"
        case .domains:
            reaches(.domains) || watchesDomains(change) ? nil : "it names no domain and makes no request"
        case .tokens, .keys: reaches(.tokens) ? nil : "no step or backend reads its tokens"
        case .secureStrings: reaches(.secureStrings) ? nil : "it asks for no secure string"
        case .features:
            reaches(.features) ? nil : "its apps make no calls except for tokens, and sign no messages"
        case .developmentKey: hasDevelopmentKey ? nil : "no app of it has a development key"
        case .pinningTestURL:
            hasGroup(where: \.hasCompromisedPinning) ? nil : "none of its devices has compromised pinning"
        case .propagation: reaches(.propagation) ? nil : "it changes no account"
        case .name, .flags, .rules, .registrations, .responseCodes, .grace, .billingDay, .users, .monitoring, .other:
            nil
        }
    }

    // Mail is sent to the recipients if the chain that a domain presents has none of its pins.
    private func watchesDomains(_ change: AccountChange) -> Bool {
        [change.before, change.after].contains { !$0.monitoring.recipients.isEmpty }
    }

    private func overlooksPolicy(_ change: AccountChange) -> Bool {
        let (before, after) = (change.before.policy, change.after.policy)
        guard commands.isEmpty, before.rejection.name == after.rejection.name, let rejected = change.rejectFlags else {
            return false
        }
        return rejected.intersection(flags).isEmpty
    }

    private func overlooksFilters(_ change: AccountChange) -> Bool {
        !change.reordersFilters
            && !change.filters.contains { names($0.filter) || mayMatch($0.filter, of: $0.account) }
    }

    private func filterWords(_ change: AccountChange) -> String {
        var names: [String] = []
        for (filter, _) in change.filters where !names.contains(filter.name) { names.append(filter.name) }
        let words = names.map { "`\($0)`" }.joined(separator: ", ")
        return "filter\(names.count == 1 ? "" : "s") \(words) can match no device"
    }

    // An entry with a pin mode is a configuration of its own.
    private func overlooksEntries(_ change: AccountChange) -> Bool {
        change.entries.allSatisfy { $0.pinMode == nil } && !mayHave(change.entries.map(\.id))
    }

    private func overlooksFilteredPolicy(_ change: AccountChange) -> Bool {
        guard commands.isEmpty else { return false }
        return [change.before, change.after].allSatisfy { account in
            account.effectiveFilteredPolicy == nil
                || account.samplingPercentage == .zero
                    && !account.filters.contains {
                        $0.options.contains(.executeFilteredPolicy) && mayMatch($0, of: account)
                    }
        }
    }
}
