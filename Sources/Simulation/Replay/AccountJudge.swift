package import PolicyEngine

/// Judges records by one account.
package struct AccountJudge: RecordJudge {
    package private(set) var engine: Engine
    private var collector: MetricsCollector

    /// - Parameter symbols: The numbering of the records; takes what the account names and metrics need.
    package init(_ account: Account, symbols: inout SymbolTable) {
        collector = MetricsCollector(billingDay: account.billingDay, symbols: &symbols)
        engine = Engine(account: account, symbols: &symbols)
    }

    package mutating func judge(_ record: borrowing CaptureRecord, symbols: borrowing SymbolTable) -> Decision {
        let decision = engine.attest(record.attestation, symbols: symbols)
        collector.count(
            decision, on: record.attestation, system: record.operatingSystem, capturedVerdict: record.capturedVerdict)
        return decision
    }

    package mutating func countBadRequest() { collector.countBadRequest() }

    package func figures(symbols: SymbolTable) -> Figures { collector.figures(engine: engine, symbols: symbols) }
}
