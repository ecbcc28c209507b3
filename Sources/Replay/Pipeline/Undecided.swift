internal import PolicyEngine

/// The engine and the decision of an evaluator that decides nothing, since an evaluator has both.
struct Undecided {
    /// The engine of a new account.
    let engine: Engine
    /// A decision that says nothing of any record.
    let decision: Decision

    /// - Parameter symbols: The numbering of devices and flags.
    init(_ symbols: inout SymbolTable) {
        var engine = Engine(account: Account(), symbols: &symbols)
        let attestation = Attestation(time: Instant(secondsSinceEpoch: 0), device: DeviceIndex(offset: 0))
        decision = engine.attest(attestation, matches: .none, symbols: symbols)
        self.engine = engine
    }
}

/// An evaluator that takes records and decides nothing.
protocol UndecidedEvaluator: BatchEvaluator {
    /// The engine and the decision in place of its own.
    var undecided: Undecided { get }
}

extension UndecidedEvaluator {
    var engine: Engine { undecided.engine }

    func passes(_ row: Int) -> Bool { undecided.decision.passed }

    func decision(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> Decision {
        undecided.decision
    }
}
