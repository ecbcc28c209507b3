internal import PolicyEngine

/// An engine, the numbering that it uses, and what counts its decisions.
struct Judge {
    var symbols: SymbolTable
    var engine: Engine
    private(set) var collector: MetricsCollector

    init(_ account: Account) {
        symbols = SymbolTable(catalogue: account.catalogue)
        collector = MetricsCollector(billingDay: account.billingDay, symbols: &symbols)
        engine = Engine(account: account, symbols: &symbols)
    }

    /// Judges an attestation and counts it.
    mutating func attest(_ attestation: borrowing Attestation, system: OperatingSystem) -> Decision {
        let decision = engine.attest(attestation, symbols: symbols)
        collector.count(decision, on: attestation, system: system)
        return decision
    }

    /// Changes the account, as a command did.
    mutating func change(to account: Account, effect: CommandEffect, at time: Instant) {
        // R1.5: clearing is in force at once, everything else after the propagation.
        if effect.clearsDeviceState { engine.clearDeviceState() }
        engine.change(to: account, at: time, symbols: &symbols)
    }
}
