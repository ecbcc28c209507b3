internal import PolicyEngine

/// One of two accounts that evaluate the same records: its memory of devices, and its numbers for flags.
struct EvaluatedAccount {
    /// The account, which numbers flags in its own way.
    var evaluator: AccountEvaluator
    /// The decided rules on which a decision rests so far.
    private(set) var decidedRules: DecidedRules = []
    // Those on which a later one can rest.
    private var openRules: DecidedRules
    // The rules that need no device with an entry.
    private let rulesWithoutEntry: DecidedRules

    /// - Parameters:
    ///   - account: The account.
    ///   - index: Its index among the accounts whose filters were matched.
    ///   - apps: The apps of the records.
    ///   - keepsGroups: True if the devices of groups are counted.
    ///   - isCounted: True if figures are counted.
    ///   - hasNoNewDevices: True if it is known that no record has `new-did`.
    ///   - symbols: The numbering of the records; takes the devices that the account names.
    init(
        _ account: Account, index: Int, apps: AppRegistry, keepsGroups: Bool = false, isCounted: Bool = true,
        hasNoNewDevices: Bool,
        symbols: inout SymbolTable
    ) {
        evaluator = AccountEvaluator(
            account, index: index, numbersFlags: true, apps: apps, keepsGroups: keepsGroups,
            isCounted: isCounted, hasNoNewDevices: hasNoNewDevices, symbols: &symbols)
        openRules = account.possibleRules.subtracting([.reasonOfChange])
        var others = account
        // Each of them is there, so that nothing is thrown.
        for entry in account.devices where !entry.id.isFilteredPolicy { try? others.removeDevice(entry.id) }
        rulesWithoutEntry = others.possibleRules.subtracting([.reasonOfChange])
    }

    /// True if a copy of the account's policy would have decided in place of the filtered policy (R6.1).
    func decidesForCopy(_ decision: Decision) -> Bool { evaluator.engine.decidesForCopy(decision) }

    /// True if a later decision can rest on a decided rule on which none rests so far.
    var hasOpenRules: Bool { !openRules.isEmpty }

    /// The same of a decision on a device without an entry.
    var hasOpenRulesWithoutEntry: Bool { !rulesWithoutEntry.subtracting(decidedRules).isEmpty }

    /// Notes the decided rules on which the latest decision rests.
    ///
    /// - Parameter others: The rules that do not affect the comparison of this decision.
    mutating func noteRules(of decision: Decision, but others: DecidedRules, symbols: borrowing SymbolTable) {
        let open = openRules.subtracting(others)
        guard !open.isEmpty else { return }
        decidedRules.formUnion(evaluator.decidedRules(of: decision, among: open, symbols: symbols))
        openRules = openRules.subtracting(decidedRules)
    }

    /// A decision of this side, in numbers that both sides share.
    // Inlined, since a call would copy all of the side.
    @inline(__always)
    func compared(_ decision: Decision) -> ComparedDecision {
        ComparedDecision(
            decision, annotations: decision.annotations.map(evaluator.original),
            unsearched: decision.limitHits.isEmpty ? [] : evaluator.engine.unsearchedFilters(of: decision))
    }

    /// The decision about a record, with what its numbers mean.
    mutating func meant(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> MeantDecision {
        let decision = evaluator.decision(row, batch, symbols: symbols)
        return MeantDecision(
            decision: decision, engine: evaluator.engine, catalogue: evaluator.numbering(of: symbols).catalogue)
    }

    /// The engine and the symbols that names are found with.
    func names(_ symbols: borrowing SymbolTable) -> ComparedSide {
        ComparedSide(engine: evaluator.engine, symbols: evaluator.numbering(of: symbols))
    }
}
