extension Account {
    /// The decided rules on which a decision by the account can rest, whatever attests.
    ///
    /// Of an account without these, no decision has to be examined (``Engine/decidedRules(of:among:symbols:)``).
    package var possibleRules: DecidedRules {
        let own = devices.filter { !$0.id.isFilteredPolicy }
        let filtered = effectiveFilteredPolicy
        let policies = [policy] + own.compactMap(\.policy) + [filtered].compactMap(\.self)
        var rules: DecidedRules = []
        if policies.contains(where: \.rejection.ignoresFilters) { rules.insert(.bansUnderWhitelist) }
        if policies.contains(where: \.annotation.isJoined) { rules.insert(.joinedAnnotations) }
        if own.contains(where: { $0.policy == nil }) { rules.insert(.deviceEntries) }
        if filters.contains(where: { $0.key == InformationKeys.attestReason }) { rules.insert(.reasonOfChange) }
        guard let filtered else { return rules }
        if samplesByHash { rules.insert(.samplingHash) }
        let isExecuted = samplingPercentage > .zero || filters.contains { $0.options.contains(.executeFilteredPolicy) }
        if isExecuted, own.contains(where: { $0.policy.map { $0 != filtered } ?? false }) {
            rules.insert(.orderOfPolicies)
        }
        return rules
    }

    /// True if some devices are sampled, and others are not (R7.6).
    package var samplesByHash: Bool { samplingPercentage > .zero && samplingPercentage < .hundred }
}
