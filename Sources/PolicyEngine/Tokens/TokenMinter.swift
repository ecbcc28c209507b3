/// Makes the tokens of an account for one domain out of decisions (manual, Approov Tokens). For one thread at a time.
public struct TokenMinter {
    /// The key that it makes them with.
    public let key: TokenKey
    private let signer: TokenSigner
    private let audience: String?
    private let issuer: String?
    private let includesAddress: Bool
    private let messageKeyID: String?
    private var json = JSONBytes()

    /// Prepares the key of a domain.
    ///
    /// - Parameters:
    ///   - account: Whose tokens they are.
    ///   - name: A domain of its, in any case; any domain where it lists none.
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
        includesAddress = account.ipTracking != .none
        messageKeyID = account.activeMessageSigningKey?.id
    }

    /// Prepares the account's own key, for tokens that are for no domain (R21.3).
    package init(account: Account) {
        key = account.signingKey
        do throws(TokenKeyError) {
            signer = try TokenSigner(key: key)
        } catch {
            preconditionFailure("a secret signs: \(error)")
        }
        audience = nil
        issuer = account.includesIssuer ? account.issuer : nil
        includesAddress = account.ipTracking != .none
        messageKeyID = account.activeMessageSigningKey?.id
    }

    /// Makes the token of a decision with claims of the app's beside those of the service, which go before them (R21.3).
    ///
    /// - Parameter payload: The members of the app's JSON.
    package func token(for decision: Decision, _ facts: TokenFacts, adding payload: [JSONMember]) -> String {
        let own = try? JSONParser.parse(claims(of: decision, facts).json)
        var members: [JSONMember] = []
        if case .object(let known) = own { members = known }
        let names = Set(members.map(\.name))
        members += payload.filter { !names.contains($0.name) }
        var json = JSONBytes()
        JSONContent.object(members).writeSorted(to: &json)
        return signer.token(json.bytes, isValid: decision.passed)
    }

    /// The claims of a decision's token; tokens of the failover leave out what it does not know (R14.3).
    public func claims(of decision: Decision, _ facts: TokenFacts) -> TokenClaims {
        claims(expiring: decision.expires, by: decision.service, facts)
    }

    /// The claims of a token that is not about a decision.
    package func claims(expiring expiry: Instant, by service: TokenService, _ facts: TokenFacts) -> TokenClaims {
        var claims = base(expiry: expiry, facts.device)
        guard service == .primary else { return claims }
        claims.responseCode = facts.responseCode
        claims.annotations = facts.annotations
        claims.address = includesAddress ? facts.address : nil
        claims.dataHash = facts.dataHash
        claims.messageKeyID = messageKeyID
        claims.measurement = facts.measurement
        return claims
    }

    // The claims that the tokens of every service have.
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

    /// Makes a token whose bytes replace others; allocates little.
    package mutating func write(_ claims: TokenClaims, isValid: Bool, to token: inout [UInt8]) {
        json.bytes.removeAll(keepingCapacity: true)
        claims.write(to: &json)
        signer.append(json.bytes, isValid: isValid, to: &token)
    }
}

/// The facts that a token carries beside its decision.
public struct TokenFacts: Hashable, Sendable {
    /// The device that attested.
    public var device: DeviceID
    /// The attestation response code; `nil` where the account has none.
    public var responseCode: String?
    /// The names of the flags in `anno`; `nil` where the policy annotates no token.
    public var annotations: [String]?
    /// The client's address, if it is known.
    public var address: String?
    /// The hash of the data that the app bound its tokens to, from ``TokenClaims/hash(of:)``.
    public var dataHash: String?
    /// The measurement, if one was asked for (R22.1).
    package var measurement: Measurement?

    /// Makes facts of which only the device is known.
    public init(device: DeviceID) {
        self.device = device
    }

    /// The facts of example tokens (manual, Generating Example Tokens).
    ///
    /// - Parameter data: The data that they are bound to, if any.
    package static func example(boundTo data: String?) -> TokenFacts {
        guard let device = DeviceID("ExampleApproovTokenDID==") else {
            preconditionFailure("the manual's device ID is one")
        }
        var facts = TokenFacts(device: device)
        (facts.address, facts.dataHash) = ("1.2.3.4", data.map(TokenClaims.hash))
        return facts
    }
}

/// Why there is no token for a domain.
public enum TokenIssueError: Error, Hashable, Sendable {
    /// The domain is none of the account's.
    case unknownDomain(String, known: [String])
    /// The domain has pins only.
    case unprotected(String)
    /// The key set lacks the key that the domain names, or has its public half only.
    case missingKey(String?, domain: String)
    /// The numbers of the key do not belong together.
    case unusableKey(String?, domain: String)
    /// The domain names another algorithm than its key is for.
    case wrongAlgorithm(String, domain: String)
}

extension TokenIssueError: CustomStringConvertible {
    /// The error in words: lower case, no final period.
    public var description: String {
        switch self {
        case .unknownDomain(let name, _): "there is no API domain `\(name)`"
        case .unprotected(let name): "API domain `\(name)` has pins only, so there are no tokens for it"
        case .missingKey(nil, let domain): "API domain `\(domain)` names no key of the key set"
        case .missingKey(let id?, let domain):
            "the key set has no key `\(id)` to make tokens for API domain `\(domain)` with"
        case .unusableKey(let id, let domain):
            "the numbers of key `\(id ?? "")` do not make a key, so there are no tokens for API domain `\(domain)`"
        case .wrongAlgorithm(let name, let domain):
            "the key of API domain `\(domain)` is not for `\(name)`"
        }
    }
}
