internal import PolicyEngine

/// The purpose of a replay: the findings in records that it needs, and the evaluator of the records.
struct ReplayPlan: Sendable {
    /// The flags that are known before the first record, with the numbers that records are to give them.
    var catalogue = FlagCatalogue()
    /// Accounts that number flags in their own way, and may have no number left for one that a record brings.
    var numberingAccounts: [Account] = []
    /// The findings in records that are needed.
    var needs: RecordNeeds
    /// Takes the blocks in the order of the records; one evaluator has all records then, whatever the number of workers.
    var ordering: (any BlockOrdering)?
    /// Makes an evaluator.
    ///
    /// It gets the numbering of devices and flags, which takes the devices that accounts name.
    let makeEvaluator: @Sendable (_ symbols: inout SymbolTable) -> any BatchEvaluator
}

extension ReplayPlan {
    /// The same replay, which reads keys by the names that a request gives them, and has records carry the values that it asks for
    /// besides.
    func reading(for request: ReplayRequest) -> ReplayPlan {
        var plan = self
        plan.needs.names = request.names
        guard !request.carriedKeys.isEmpty else { return plan }
        precondition(needs.carriedKeys.isEmpty, "a replay that keeps records writes and counts none")
        plan.needs.carriedKeys = request.carriedKeys
        return plan
    }
}

/// Takes the blocks of a capture in the order of the records, before they are evaluated.
protocol BlockOrdering: Sendable {
    /// Asks for keys that some record gave besides those that are needed; the record is then read again.
    func adopt(keys: [String])

    /// Takes a block.
    ///
    /// - Throws: ``ReplayFailure``, which ends the replay.
    func place(_ slot: ReplaySlot) throws(ReplayFailure)
}
