/// Makes the tokens of an account for one domain out of decisions (manual, Approov Tokens). For one thread at a time.
public struct TokenMinter {
    /// The key that it makes them with.
    public let key: TokenKey
    private let signer: TokenSigner
    private let audience: String?
    private let issuer: String?
    private let tellsAddress: Bool
    private let messageKeyID: String?
    private var json = JSONBytes()

    /// Prepares the key of a domain.
    ///
    /// - Parameters:
    ///   - account: Whose tokens they are.
    ///   - domain: A domain of its, in any case; any domain where it lists none.
    /// - Throws: ``TokenIssueError`` where there are no tokens for the domain.
    public init(account: Account, domain name: String) throws(TokenIssueError) {
        guard let domain = account.tokenDomain(named: name) else {
            throw .unknownDomain(name, known: account.apiDomains.map(\.name))
        }
        key = try account.tokenKey(for: domain)
        do throws(TokenKeyError) {
            signer = try TokenSigner(key: key)
        } catch {
            throw .unusableKey(key.id, domain: domain.name)
        }
        audience = account.includesAudience ? domain.name : nil
        issuer = account.includesIssuer ? account.issuer : nil
        tellsAddress = account.ipTracking != .none
        messageKeyID = account.keys.messageSigningKey?.id
    }

    /// What the token of a decision claims; tokens of the failover leave out what it does not know (R14.3).
    public func claims(of decision: Decision, _ facts: TokenFacts) -> TokenClaims {
        claims(expiring: decision.expires, by: decision.service, facts)
    }

    /// What a token claims that is not about a decision.
    package func claims(expiring expiry: Instant, by service: TokenService, _ facts: TokenFacts) -> TokenClaims {
        var claims = base(expiry: expiry, facts.device)
        guard service == .primary else { return claims }
        claims.responseCode = facts.responseCode
        claims.annotations = facts.annotations
        claims.address = tellsAddress ? facts.address : nil
        claims.dataHash = facts.dataHash
        claims.messageKeyID = messageKeyID
        return claims
    }

    // What the tokens of every service claim.
    private func base(expiry: Instant, _ device: DeviceID) -> TokenClaims {
        var claims = TokenClaims(expiry: expiry)
        claims.device = device
        claims.audience = audience
        claims.issuer = issuer
        return claims
    }

    /// Makes the token of a decision: correctly signed where the attestation passed, and otherwise not.
    ///
    /// - Complexity: That of ``TokenSigner/token(_:isValid:)``.
    public mutating func token(for decision: Decision, _ facts: TokenFacts) -> String {
        var token: [UInt8] = []
        write(claims(of: decision, facts), isValid: decision.passed, to: &token)
        return String(decoding: token, as: UTF8.self)
    }

    /// Makes a token of claims.
    public mutating func token(_ claims: TokenClaims, isValid: Bool) -> String {
        var token: [UInt8] = []
        write(claims, isValid: isValid, to: &token)
        return String(decoding: token, as: UTF8.self)
    }

    /// Makes a token whose bytes take the place of others; allocates little.
    package mutating func write(_ claims: TokenClaims, isValid: Bool, to token: inout [UInt8]) {
        json.bytes.removeAll(keepingCapacity: true)
        claims.write(to: &json)
        signer.append(json.bytes, isValid: isValid, to: &token)
    }
}
