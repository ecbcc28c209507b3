package import PolicyEngine

/// Makes the tokens of one engine's decisions: keys are prepared once for each revision of the account and each domain.
package struct TokenIssuer {
    private var minters: [MinterKey: TokenMinter] = [:]
    private var codes = ResponseCodeCache()
    // Names of annotations by set; few different ones make up most streams.
    private var annotations: [FlagSet: [String]] = [:]
    private static let capacity = 65_536
    // An account without a list serves any domain, and clients name them.
    private static let minterCapacity = 1024

    private struct MinterKey: Hashable {
        let moment: AccountHistory.Moment
        // The number of revisions by now: they say how a domain is served that they add (R1.5).
        let all: Int
        let domain: ExactText
    }

    package init() {}

    /// The facts about an attestation beside the decision.
    package struct Attested: Sendable {
        let attestation: Attestation
        /// The number of revisions of the account that were made by then.
        package let changes: Int
        /// The data that the app bound its tokens to.
        package var boundData: String?
        /// The measurement, where it was asked for (R22.1).
        package var measurement: Measurement?

        package init(attestation: Attestation, changes: Int, boundData: String? = nil) {
            (self.attestation, self.changes) = (attestation, changes)
            self.boundData = boundData
        }

        /// The moment of a decision on it.
        package func moment(of decision: Decision) -> AccountHistory.Moment {
            AccountHistory.Moment(inForce: decision.revision, made: changes)
        }
    }

    /// Makes a token with claims of the app's, and says with which key (R21.3).
    ///
    /// - Parameters:
    ///   - payload: The members of the app's JSON.
    package mutating func customToken(
        _ decision: Decision, _ attested: borrowing Attested, payload: [JSONMember], engine: Engine,
        symbols: SymbolTable
    ) -> (text: String, key: TokenKey) {
        let minter = TokenMinter(account: engine.history.revisions[decision.revision].account)
        return (
            minter.token(for: decision, facts(of: decision, attested, engine, symbols), adding: payload), minter.key
        )
    }

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - decision: The decision; correctly made only where it passed.
    ///   - attested: The facts that it was made on.
    ///   - domain: The domain that the token is for.
    ///   - engine: The engine that made it; always the same one.
    ///   - symbols: The numbering that it used.
    ///   - token: Gets the bytes of the token in the place of its own.
    /// - Throws: ``TokenIssueError`` where there are no tokens for the domain.
    package mutating func write(
        _ decision: Decision, _ attested: borrowing Attested, domain: String, engine: Engine, symbols: SymbolTable,
        to token: inout [UInt8]
    ) throws(TokenIssueError) {
        let key = try prepare(domain, attested.moment(of: decision), engine.history)
        let facts = facts(of: decision, attested, engine, symbols)
        guard let claims = minters[key]?.claims(of: decision, facts) else { return }
        minters[key]?.write(claims, isValid: decision.passed, to: &token)
    }

    /// The key with which tokens for a domain are made.
    ///
    /// - Parameter moment: The moment of the decision.
    package mutating func key(
        at moment: AccountHistory.Moment, domain: String, engine: Engine
    ) throws(TokenIssueError) -> TokenKey? {
        minters[try prepare(domain, moment, engine.history)]?.key
    }

    private mutating func prepare(
        _ domain: String, _ moment: AccountHistory.Moment, _ history: AccountHistory
    ) throws(TokenIssueError) -> MinterKey {
        let key = MinterKey(moment: moment, all: history.revisions.count, domain: ExactText(domain.lowercased()))
        guard minters[key] == nil else { return key }
        let account = history.account(forTokensOf: domain, at: moment)
        if minters.count >= Self.minterCapacity { minters.removeAll(keepingCapacity: true) }
        minters[key] = try TokenMinter(account: account, domain: domain)
        return key
    }

    private mutating func facts(
        of decision: Decision, _ attested: borrowing Attested, _ engine: Engine, _ symbols: SymbolTable
    ) -> TokenFacts {
        var facts = TokenFacts(device: symbols.devices[decision.device])
        facts.responseCode = codes.code(of: decision, engine: engine)
        facts.annotations = decision.annotations.map { names(of: $0, symbols.catalogue) }
        facts.dataHash = attested.boundData.map(TokenClaims.hash)
        facts.measurement = attested.measurement
        if let key = symbols.attributes.existingKey(named: "ip") {
            let value = attested.attestation.value(of: key)
            if value != .absent { facts.address = symbols.attributes.text(of: value, for: key) }
        }
        return facts
    }

    private mutating func names(of set: FlagSet, _ catalogue: FlagCatalogue) -> [String] {
        if let known = annotations[set] { return known }
        if annotations.count >= Self.capacity { annotations.removeAll(keepingCapacity: true) }
        let names = catalogue.annotationNames(of: set)
        annotations[set] = names
        return names
    }
}
