internal import PolicyEngine

/// Writes the tokens of the decisions on records.
///
/// Captures do not know what an app binds its tokens to, so no token has `pay`. Equal input gives equal bytes but for
/// signatures that need chance (PS and ES).
struct TokenWriter {
    private let domain: String
    private var issuer = TokenIssuer()
    // Holds one address at a time.
    private var attributes = AttributeTable(capacity: 0)
    private let addressKey: AttributeKey

    /// The attribute that tokens carry: the address of the client.
    static var carriedKey: String { "ip" }

    /// - Parameter domain: The domain that the tokens are for.
    init(domain: String) {
        self.domain = domain
        addressKey = attributes.key(named: Self.carriedKey)
    }

    /// Writes the token of a decision.
    ///
    /// - Parameters:
    ///   - decision: The decision that was made last.
    ///   - address: The address of the client; `nil` where the record does not have it.
    ///   - engine: The engine that made it; always the same one.
    ///   - symbols: The numbering of devices and flags.
    /// - Returns: A line.
    /// - Throws: ``TokenIssueError`` where there are no tokens for the domain.
    mutating func line(
        of decision: Decision, address: String?, engine: Engine, symbols: borrowing SymbolTable
    ) throws(TokenIssueError) -> [UInt8] {
        var attestation = Attestation(time: decision.time, device: decision.device)
        if let address { attestation.set(attributes.intern(address, for: addressKey), for: addressKey) }
        var numbering = copy symbols
        numbering.attributes = attributes
        var line: [UInt8] = []
        let attested = TokenIssuer.Attested(
            attestation: attestation, changes: engine.history.revisions.count)
        try issuer.write(decision, attested, domain: domain, engine: engine, symbols: numbering, to: &line)
        line.append(UInt8(ascii: "\n"))
        return line
    }
}
