package import PolicyEngine

/// Answers for every possible device whether a change of an account turns a verdict on any.
///
/// A device attests any number of times, each time with any of the flags that either account knows and any values of
/// attributes, and is answered by the primary service or, during an outage, by the failover (R14.3). Each account remembers it
/// for itself, as in a comparison of captures. A device that is found has no other flags; that there is none is proved for
/// those with flags that no account declares, too (R2.2).
package struct Prover {
    private let before, after: Account
    /// Both, in this order.
    var accounts: [Account] { [before, after] }
    private let limit: Duration
    private let flags: [String]?
    private let excluded: ExcludedRecords?

    /// - Parameters:
    ///   - before: The account before.
    ///   - after: The account after; registrations that it lacks count as removed (R15.2).
    ///   - limit: The time that an answer may take.
    ///   - flags: The flags that records may have, those included that the engine derives; `nil` for all that either account
    ///     knows, and any others (R2.2).
    ///   - excluded: Records of which a device that is asked for has none; `nil` asks for all devices.
    package init(
        before: Account, after: Account, limit: Duration, flags: [String]? = nil,
        excluding excluded: ExcludedRecords? = nil
    ) {
        (self.before, self.after) = (before, after.replacing(before))
        (self.limit, self.flags, self.excluded) = (limit, flags, excluded)
    }

    /// True if the solver is installed, the library of Z3, without which no question has an answer.
    package static var hasSolver: Bool { Solver.isInstalled }

    /// The direction in which a verdict turns.
    package enum Direction: String, CaseIterable, Sendable {
        case rejected, accepted
    }

    /// The result of a proof.
    package enum Answer: Sendable {
        /// There is no such device.
        case proved
        /// The smallest one.
        case found(ProofWitness)
        /// There may be one: these filters were taken to match anything at all, or it is not known which records are excluded.
        case notExcluded(filters: [OpenFilter])
        case notDecided(Undecided)
    }

    /// Looks for a device on which the verdict turns one way.
    ///
    /// - Returns: A device that needs no outage, if there is one; with the fewest records; of those with the fewest flags, then
    ///   attributes, then characters in their values, then one without an entry of its own, if there is one.
    package func answer(_ direction: Direction) -> Answer {
        let budget = ProofBudget(limit)
        do throws(Undecided) {
            try budget.check(.values)
            let space = try DeviceSpace(
                before: before, after: after, flags: flags, excluding: excluded?.condition, budget)
            for mayHaveOutages in [false, true] {
                if let witness = try find(direction, in: space, mayHaveOutages, budget) { return .found(witness) }
            }
            let open = space.openFilters
            guard !open.isEmpty || excluded != nil else { return .proved }
            return try isExcluded(direction, in: space, budget) ? .proved : .notExcluded(filters: open)
        } catch {
            return .notDecided(error)
        }
    }

    // The remembered state of a device is whether it is known and, for either account, whether it is banned. Two attestations
    // lead to any such state.
    private static let attestations = 3
    // The maximum number of devices that the engine may refute if tests are no regular expressions.
    private static let attempts = 20

    private func model(
        _ direction: Direction, in space: DeviceSpace, count: Int, _ reading: RuleModel.Reading, mayHaveOutages: Bool,
        _ budget: ProofBudget
    ) throws(Undecided) -> RuleModel {
        var model = try RuleModel(space, count: count, reading, mayHaveOutages: mayHaveOutages, budget)
        let (before, after) = (model.passes[0], model.passes[1])
        model.require(direction == .rejected ? before && !after : !before && after)
        if let excluded { model.exclude(excluded.condition) }
        return model
    }

    private func find(
        _ direction: Direction, in space: DeviceSpace, _ mayHaveOutages: Bool, _ budget: ProofBudget
    ) throws(Undecided) -> ProofWitness? {
        let isOpen = excluded != nil || space.openFilters.contains { !$0.reason.isBeyondKnownFlags }
        for count in 1...Self.attestations {
            let model = try model(
                direction, in: space, count: count, .concrete, mayHaveOutages: mayHaveOutages, budget)
            guard let solver = Solver(model.constraints) else { throw .solver("it could not be started") }
            for attempt in 1...Self.attempts {
                guard let values = try SmallestDevice(model, solver).values(budget) else { break }
                let witness = try WitnessMaker(model, values).witness(budget)
                if turns(witness, direction) { return witness }
                guard isOpen else { throw .disagreement }
                if attempt == Self.attempts { break }
                solver.require(!same(as: values, model))
            }
        }
        return nil
    }

    // True if there is no such device, even if tests that are no regular expressions match anything.
    private func isExcluded(
        _ direction: Direction, in space: DeviceSpace, _ budget: ProofBudget
    ) throws(Undecided) -> Bool {
        for count in 1...Self.attestations {
            let model = try model(direction, in: space, count: count, .loose, mayHaveOutages: true, budget)
            guard let solver = Solver(model.constraints) else { throw .solver("it could not be started") }
            if try solver.values(budget) != nil { return false }
        }
        return true
    }

    private func turns(_ witness: ProofWitness, _ direction: Direction) -> Bool {
        let (before, after) = (witness.before, witness.after)
        guard !before.isDoubtful, !after.isDoubtful, excluded?.areMissing(in: witness) != false else { return false }
        return before.passed == (direction == .rejected) && after.passed == (direction == .accepted)
    }

    // The same flags in all records.
    private func same(as values: [Bool], _ model: RuleModel) -> Formula {
        .conjunction(model.records.flatMap(\.flags).map { $0.holds(in: values) ? $0 : !$0 })
    }

    /// The decided rules on which an answer rests: those of the decisions on the device that was found, or where none was, those
    /// whose formulas took part.
    package func decidedRules(of answer: Answer) -> DecidedRules {
        let rules: DecidedRules =
            switch answer {
            case .found(let witness): witness.decidedRules
            case .proved, .notExcluded: statedRules
            case .notDecided: []
            }
        // R6.1: a copy of the policy before is the policy after, if that is the same and no entry more or less keeps the filtered
        // policy from its device.
        let copies = accounts.map { account in
            account.effectiveFilteredPolicy == nil ? [] : Set(account.devices.filter { $0.policy == nil }.map(\.id))
        }
        let isSame = accounts[0].policy == accounts[1].policy && copies[0] == copies[1]
        return isSame ? rules.subtracting([.deviceEntries]) : rules
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
