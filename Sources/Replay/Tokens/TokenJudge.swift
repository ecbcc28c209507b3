package import PolicyEngine

/// Judges records by one account, and makes the tokens of its decisions.
///
/// Captures do not know what an app binds its tokens to, so no token has `pay`. Equal input gives equal bytes but for
/// signatures that need chance (PS and ES).
package struct TokenJudge: RecordJudge {
    private var judge: AccountJudge
    private var issuer = TokenIssuer()
    // Holds one address at a time.
    private var attributes = AttributeTable(capacity: 0)
    private let addressKey: AttributeKey

    init(_ account: Account, apps: AppRegistry, keepsSeries: Bool, symbols: inout SymbolTable) {
        judge = AccountJudge(account, apps: apps, keepsSeries: keepsSeries, symbols: &symbols)
        addressKey = attributes.key(named: "ip")
    }

    package var engine: Engine { judge.engine }

    package func expect(_ devices: [DeviceIndex]) { judge.expect(devices) }

    package mutating func judge(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<TokenAppraiser.Findings>, index: Int,
        symbols: borrowing SymbolTable
    ) -> Decision {
        let findings = record.findings.account
        return judge.judge(
            attestation, findings: findings.attributes, app: findings.app, capturedVerdict: record.head.capturedVerdict,
            symbols: symbols)
    }

    package mutating func token(
        for decision: Decision, of record: borrowing ParsedRecord<TokenAppraiser.Findings>, domain: String,
        symbols: borrowing SymbolTable
    ) throws(TokenIssueError) -> [UInt8] {
        var attestation = Attestation(time: decision.time, device: decision.device)
        if let address = record.findings.address {
            attestation.set(attributes.intern(address, for: addressKey), for: addressKey)
        }
        var numbering = copy symbols
        numbering.attributes = attributes
        var token: [UInt8] = []
        let attested = TokenIssuer.Attested(attestation: attestation)
        try issuer.write(decision, attested, domain: domain, engine: judge.engine, symbols: numbering, to: &token)
        return token
    }

    package func result(symbols: SymbolTable, fetches: FetchCounter?) -> AccountResult {
        judge.result(symbols: symbols, fetches: fetches)
    }
}
