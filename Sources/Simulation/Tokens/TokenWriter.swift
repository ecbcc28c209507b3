internal import PolicyEngine

/// Writes the tokens that a replay would issue, a line each, in the order of the records: line *n* is the token of the
/// decision with the index *n* − 1.
///
/// Captures do not know what an app binds its tokens to, so no token has `pay`. Equal input gives equal bytes but for
/// signatures that need chance (PS and ES).
struct TokenWriter {
    private let domain: String
    private var issuer = TokenIssuer()
    private var line: [UInt8] = []

    /// - Parameters:
    ///   - domain: The domain that all tokens are for.
    ///   - symbols: Takes the addresses of clients from now on, whatever else needs them.
    init(domain: String, symbols: inout SymbolTable) {
        self.domain = domain
        symbols.attributes.widen(symbols.attributes.key(named: "ip"))
    }

    /// Renders the token of a decision as one line with its end.
    mutating func render(
        _ decision: Decision, on attestation: Attestation, engine: Engine, symbols: SymbolTable
    ) throws(ReplayFailure) -> [UInt8] {
        do throws(TokenIssueError) {
            let attested = TokenIssuer.Attested(attestation: attestation)
            try issuer.write(decision, attested, domain: domain, engine: engine, symbols: symbols, to: &line)
        } catch {
            throw .token(error)
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }
}
