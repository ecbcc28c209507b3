package import PolicyEngine

/// Judges records by one account.
package struct AccountJudge: RecordJudge {
    package private(set) var engine: Engine
    private var collector: MetricsCollector
    private let apps: AppRegistry

    init(_ account: Account, apps: AppRegistry, keepsSeries: Bool = false, symbols: inout SymbolTable) {
        collector = MetricsCollector(billingDay: account.billingDay, keepsSeries: keepsSeries)
        engine = Engine(account: account, symbols: &symbols)
        self.apps = apps
    }

    package func expect(_ devices: [DeviceIndex]) {
        engine.expect(devices)
        collector.expect(devices)
    }

    package mutating func judge(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<AccountAppraiser.Findings>, index: Int,
        symbols: borrowing SymbolTable
    ) -> Decision {
        judge(
            attestation, findings: record.findings.attributes, app: record.findings.app,
            capturedVerdict: record.head.capturedVerdict, symbols: symbols)
    }

    /// Judges an attestation and counts the decision.
    mutating func judge(
        _ attestation: borrowing Attestation, findings: AttributeFindings, app: AppNumbers, capturedVerdict: Bool?,
        symbols: borrowing SymbolTable
    ) -> Decision {
        let decision = engine.attest(attestation, findings: findings, symbols: symbols)
        collector.count(decision, app: app, capturedVerdict: capturedVerdict)
        return decision
    }

    package func result(symbols: SymbolTable, fetches: FetchCounter?) -> AccountResult {
        AccountResult(figures: collector.figures(engine: engine, symbols: symbols, apps: apps.names))
    }
}
