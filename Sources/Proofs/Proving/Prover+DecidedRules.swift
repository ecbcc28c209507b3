package import PolicyEngine

extension Prover {
    /// The decided rules on which an answer rests: those of the decisions on the device that was found, or where none was, those
    /// whose formulas took part.
    package func decidedRules(of answer: Answer) -> DecidedRules {
        let rules: DecidedRules =
            switch answer {
            case .found(let witness): witness.decidedRules
            case .proved, .notExcluded: statedRules
            case .notDecided: []
            }
        // R6.1: a copy of the policy before is the policy after, if that is the same.
        return accounts[0].policy == accounts[1].policy ? rules.subtracting([.deviceEntries]) : rules
    }

    // Formulas are about verdicts alone, of records without a reason to attest.
    private var statedRules: DecidedRules {
        let possible = accounts.map(\.possibleRules)
        var rules = possible[0].union(possible[1]).subtracting([.joinedAnnotations, .reasonOfChange, .samplingHash])
        // If both sample under one name, a device that is sampled by the smaller share is sampled by the larger one, too.
        let isShared = ExactText(accounts[0].name) == ExactText(accounts[1].name)
        if isShared, possible.allSatisfy({ $0.contains(.samplingHash) }) { rules.insert(.samplingHash) }
        if accounts.contains(where: \.decidesOtherwiseInFailover) { rules.insert(.failoverDetection) }
        return rules
    }
}

extension Account {
    // True if the failover can decide otherwise than the primary service (R14.3).
    fileprivate var decidesOtherwiseInFailover: Bool {
        let filtered = effectiveFilteredPolicy
        let policies = [policy] + devices.compactMap(\.policy) + [filtered].compactMap(\.self)
        let rejecting = policies.filter { !$0.rejection.rejectsEverything }.reduce(into: FlagSet.empty) {
            $0 = $0.union($1.rejection.anyRejecting)
        }
        return !filters.isEmpty || (filtered != nil && samplingPercentage > .zero)
            || !rejecting.intersection(Engine.unseenByFailover).isEmpty
    }
}
