internal import PolicyEngine

/// One account of a scenario and everything that it judges.
struct World {
    var symbols: SymbolTable
    var engine: Engine
    var collector: MetricsCollector

    init(_ account: Account) {
        symbols = SymbolTable(catalogue: account.catalogue)
        collector = MetricsCollector(billingDay: account.billingDay, symbols: &symbols)
        engine = Engine(account: account, symbols: &symbols)
    }

    /// Changes the account, as a command did.
    mutating func change(to account: Account, effect: CommandEffect, at time: Instant) {
        // R1.5: clearing is in force at once, everything else after the propagation.
        if effect.clearsDeviceState { engine.clearDeviceState() }
        engine.change(to: account, at: time, symbols: &symbols)
    }

    /// Judges the attestation that an install sends now, and counts it.
    mutating func attest(_ install: inout Install, at time: Instant) -> Decision {
        let observed = install.observedFlags
        install.attestation.time = time
        var attestation = install.attestation
        attestation.flags = observed
        let decision = engine.attest(attestation, symbols: symbols)
        collector.count(decision, on: attestation, system: install.operatingSystem)
        if observed.contains(.pinningTampered) { install.hasTamperedPinning = true }
        install.latestAttestation = time
        install.token = CachedToken(decision: decision, observedFlags: observed)
        return decision
    }
}
