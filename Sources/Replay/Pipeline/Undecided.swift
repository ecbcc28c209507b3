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
