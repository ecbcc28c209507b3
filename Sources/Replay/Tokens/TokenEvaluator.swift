package import PolicyEngine

/// Judges records by one account, and makes the tokens of its decisions.
///
/// Captures do not know what an app binds its tokens to, so no token has `pay`. Equal input gives equal bytes but for
/// signatures that need chance (PS and ES).
package struct TokenEvaluator: RecordEvaluator {
    private var evaluator: AccountEvaluator
    private var issuer = TokenIssuer()
    // Holds one address at a time.
    private var attributes = AttributeTable(capacity: 0)
    private let addressKey: AttributeKey

    init(_ account: Account, apps: AppRegistry, keepsSeries: Bool, symbols: inout SymbolTable) {
        evaluator = AccountEvaluator(account, apps: apps, keepsSeries: keepsSeries, symbols: &symbols)
        addressKey = attributes.key(named: "ip")
    }

    package var engine: Engine { evaluator.engine }

    package func expect(_ devices: [DeviceIndex]) { evaluator.expect(devices) }

    package mutating func evaluate(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<TokenMatcher.Matches>, index: Int,
        symbols: borrowing SymbolTable
    ) -> Decision {
        let matches = record.matches.account
        return evaluator.evaluate(
            attestation, matches: matches.attributes, app: matches.app, capturedVerdict: record.head.capturedVerdict,
            symbols: symbols)
    }

    package mutating func token(
        for decision: Decision, of record: borrowing ParsedRecord<TokenMatcher.Matches>, domain: String,
        symbols: borrowing SymbolTable
    ) throws(TokenIssueError) -> [UInt8] {
        var attestation = Attestation(time: decision.time, device: decision.device)
        if let address = record.matches.address {
            attestation.set(attributes.intern(address, for: addressKey), for: addressKey)
        }
        var numbering = copy symbols
        numbering.attributes = attributes
        var token: [UInt8] = []
        let attested = TokenIssuer.Attested(attestation: attestation)
        try issuer.write(decision, attested, domain: domain, engine: evaluator.engine, symbols: numbering, to: &token)
        return token
    }

    package func result(symbols: SymbolTable, fetches: FetchCounter?) -> AccountResult {
        evaluator.result(symbols: symbols, fetches: fetches)
    }
}
