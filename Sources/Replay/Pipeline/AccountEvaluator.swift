package import PolicyEngine

/// Judges records by one account.
package struct AccountEvaluator: RecordEvaluator {
    package private(set) var engine: Engine
    private var collector: MetricsCollector
    private let apps: AppRegistry
    /// The same without what hangs on new devices, as long as no record tells which those are.
    private var doubt: NewDeviceDoubt?

    init(_ account: Account, apps: AppRegistry, keepsSeries: Bool = false, symbols: inout SymbolTable) {
        collector = MetricsCollector(billingDay: account.billingDay, keepsSeries: keepsSeries)
        engine = Engine(account: account, symbols: &symbols)
        self.apps = apps
        doubt = NewDeviceDoubt(account, symbols: &symbols)
    }

    package func expect(_ devices: [DeviceIndex]) {
        engine.expect(devices)
        collector.expect(devices)
        doubt?.expect(devices)
    }

    /// What is decided without what hangs on new devices; `nil` where nothing does, or a record told which are new.
    var doubtfulDecision: Decision? { doubt?.decision }

    package mutating func evaluate(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<AccountMatcher.Matches>, index: Int,
        symbols: borrowing SymbolTable
    ) -> Decision {
        evaluate(
            attestation, matches: record.matches.attributes, app: record.matches.app,
            capturedVerdict: record.head.capturedVerdict, symbols: symbols)
    }

    /// Judges an attestation and counts the decision.
    mutating func evaluate(
        _ attestation: borrowing Attestation, matches: AttributeMatches, app: AppNumbers, capturedVerdict: Bool?,
        symbols: borrowing SymbolTable
    ) -> Decision {
        let decision = engine.attest(attestation, matches: matches, symbols: symbols)
        collector.count(decision, app: app, capturedVerdict: capturedVerdict)
        if attestation.flags.contains(.newDevice) { doubt = nil }
        doubt?.evaluate(
            attestation, matches: matches, app: app, capturedVerdict: capturedVerdict, symbols: symbols,
            besides: decision)
        return decision
    }

    package func result(symbols: SymbolTable, fetches: FetchCounter?) -> AccountResult {
        AccountResult(
            figures: collector.figures(engine: engine, symbols: symbols, apps: apps.names),
            doubtful: doubt?.figures(symbols: symbols, apps: apps.names))
    }
}
