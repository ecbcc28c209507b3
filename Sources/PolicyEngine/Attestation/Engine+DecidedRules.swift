extension Engine {
    /// The decided rules on which a decision by the account in force can rest.
    package var possibleRules: DecidedRules { compiled[current].possibleRules }

    /// The decided rules on which the latest decision rests: where it would be another one by the other reading of the manual,
    /// or chance selected a device by the rule.
    ///
    /// - Parameters:
    ///   - decision: The decision on the attestation that was evaluated last.
    ///   - open: The rules that are asked about, some of the possible ones.
    ///   - symbols: The numbering of the attestation.
    /// - Complexity: O(1) but for the first attestation of a device on a day, if some devices are sampled.
    package mutating func decidedRules(
        of decision: Decision, among open: DecidedRules, symbols: borrowing SymbolTable
    ) -> DecidedRules {
        var rules: DecidedRules = []
        if open.contains(.bansUnderWhitelist), ignoresRejections(decision) { rules.insert(.bansUnderWhitelist) }
        if open.contains(.joinedAnnotations), decision.isAnnotated,
            compiled[current][decision.policy].annotation.isJoined
        {
            rules.insert(.joinedAnnotations)
        }
        let hasEntry = hasEntry(decision.device)
        let own = hasEntry ? compiled[current].entry(of: states[decision.device]).policy : nil
        if open.contains(.deviceEntries), hasEntry, own == nil { rules.insert(.deviceEntries) }
        guard decision.service == .primary, let filtered = inForce.filteredPolicy else { return rules }
        let isExecuted = !decision.filters.intersection(inForce.executingFilteredPolicy).isEmpty
        if open.contains(.samplingHash), own == nil, !isExecuted { rules.insert(.samplingHash) }
        if open.contains(.orderOfPolicies), let own, compiled[current][own] != compiled[current][filtered],
            isExecuted || isSampled(decision, symbols)
        {
            rules.insert(.orderOfPolicies)
        }
        return rules
    }

    /// True if the filtered policy decided on a device that has an entry, and so would not have if the entry had a copy of the
    /// account's policy (R6.1).
    package func decidesForCopy(_ decision: Decision) -> Bool {
        hasEntry(decision.device) && inForce.filteredPolicy == decision.policy
    }

    // R4.6: true if there is a ban or a rejecting filter that would reject under another policy.
    private func ignoresRejections(_ decision: Decision) -> Bool {
        let bans: FlagSet = [.deviceBan, .deviceCheckBan]
        guard compiled[current][decision.policy].rejection.ignoresFilters else { return false }
        return !decision.filters.intersection(inForce.rejecting).isEmpty
            || !decision.flags.intersection(bans).subtracting(decision.rejectingFlags).isEmpty
    }

    private mutating func isSampled(_ decision: Decision, _ symbols: borrowing SymbolTable) -> Bool {
        sampling?.isSampled(decision.device, at: decision.time, devices: symbols.devices) ?? false
    }
}
