/// A token for the tests of a backend: a valid one, or one that is wrong in one way (RFC 8725).
package struct ForgedToken: Sendable {
    package let kind: Kind
    /// The token in its compact form.
    package let text: String

    /// The ways in which a token is right or wrong; the name of one can be that of a file.
    package enum Kind: String, CaseIterable, Sendable {
        case valid, failover
        case failedAttestation = "failed-attestation"
        case expired
        case notYetValid = "not-yet-valid"
        case withoutExpiry = "without-expiry"
        case otherAccount = "other-account"
        case otherAudience = "other-audience"
        case otherBinding = "other-binding"
        case changedClaims = "changed-claims"
        case changedSignature = "changed-signature"
        case cutSignature = "cut-signature"
        case missingPart = "missing-part"
        case unsigned
        case unsignedInMixedCase = "unsigned-in-mixed-case"
        case otherAlgorithm = "other-algorithm"
        case publicKeyAsSecret = "public-key-as-secret"
        case emptySecret = "empty-secret"
        case ownKey = "own-key"
        case criticalExtension = "critical-extension"

        /// True if a backend has to accept the token.
        package var isAccepted: Bool { self == .valid || self == .failover }

        /// One sentence on the token.
        package var summary: String {
            switch self {
            case .valid: "It is correctly signed, and in time."
            case .failover: "It is as valid, with the few claims that the failover knows."
            case .failedAttestation: "It is of a device that failed: a key signed it that no backend has."
            case .expired: "It expired an hour before the time of the tokens."
            case .notYetValid: "It is not valid before the others expire (`nbf`)."
            case .withoutExpiry: "It has no `exp`, so it would be valid for ever."
            case .otherAccount: "Another account's key signed it."
            case .otherAudience: "It is for another API domain (`aud`)."
            case .otherBinding: "It is bound to other data (`pay`)."
            case .changedClaims: "Its claims were changed after they were signed."
            case .changedSignature: "A bit of its signature was changed."
            case .cutSignature: "Its signature is empty."
            case .missingPart: "Its signature is missing, with the point before it."
            case .unsigned: "Its header says that it is not signed (`alg: none`)."
            case .unsignedInMixedCase: "Its header says that it is not signed, in mixed case (`alg: nOnE`)."
            case .otherAlgorithm: "Its header names another algorithm than that of the key."
            case .publicKeyAsSecret: "The public key, which everybody has, signed it as a shared secret."
            case .emptySecret: "An empty secret signed it."
            case .ownKey: "A key signed it that its header brings along (`jwk`)."
            case .criticalExtension: "Its header demands an extension that no backend knows (`crit`)."
            }
        }
    }
}

/// Makes the tokens with which a backend of an account is tested.
///
/// Equal arguments make equal tokens, but for signatures that are drawn (``TokenAlgorithm/isProbabilistic``).
package struct TokenForger {
    /// The key that makes the valid tokens.
    package let key: TokenKey
    private let signer: TokenSigner
    private let minter: TokenMinter
    private let includesAudience: Bool
    private let time: Instant
    private let expiry: Instant
    private let data: String?
    private let valid: String
    private let parts: [String]

    // An hour, which no backend forgives.
    private static let margin = 3600

    /// Prepares the key of a domain.
    ///
    /// - Parameters:
    ///   - account: The account that issues the valid tokens.
    ///   - domain: An API domain of the account.
    ///   - time: The time of the tokens.
    ///   - lifetime: The seconds from then on until valid tokens expire.
    ///   - data: The data that valid tokens are bound to, if any.
    /// - Throws: ``TokenIssueError`` if there are no tokens for the domain.
    package init(
        account: Account, domain: String, at time: Instant, lifetime: Int, boundTo data: String? = nil
    ) throws(TokenIssueError) {
        minter = try TokenMinter(account: account, domain: domain)
        key = minter.key
        signer = Self.signer(of: key)
        includesAudience = account.includesAudience
        (self.time, expiry, self.data) = (time, time + lifetime, data)
        valid = signer.token(minter.claims(expiring: expiry, by: .primary, .example(boundTo: data)).json)
        parts = valid.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    /// The tokens, in the order of their kinds; kinds that the key or the account cannot have are missing.
    ///
    /// - Complexity: O(number of kinds); for pairs of keys an operation of the private half each.
    package func tokens() -> [ForgedToken] {
        ForgedToken.Kind.allCases.compactMap { kind in
            text(of: kind).map { ForgedToken(kind: kind, text: $0) }
        }
    }

    private func text(of kind: ForgedToken.Kind) -> String? {
        switch kind {
        case .valid: valid
        case .failover: signer.token(minter.claims(expiring: expiry, by: .failover, .example(boundTo: nil)).json)
        case .failedAttestation: signer.token(claims.json, isValid: false)
        case .expired: signer.token(claims(until: time + -Self.margin).json)
        case .notYetValid:
            signer.token(
                Self.changed(claims(until: expiry + Self.margin)) {
                    $0 + [JSONMember("nbf", .number("\(expiry.secondsSinceEpoch)"))]
                })
        case .withoutExpiry: signer.token(Self.changed(claims) { $0.filter { $0.name != "exp" } })
        case .otherAccount: foreignKey.map { Self.signer(of: $0).token(claims.json) }
        case .otherAudience: otherAudience
        case .otherBinding: data.map { signer.token(claims(until: expiry, boundTo: "not \($0)").json) }
        case .changedClaims: changedClaims
        case .changedSignature: Self.changingBit(ofPart: parts.count - 1, parts)
        case .cutSignature: (parts.dropLast() + [""]).joined(separator: ".")
        case .missingPart: parts.dropLast().joined(separator: ".")
        case .unsigned: Self.compact([("alg", .string("none"))], claims.json) + "."
        case .unsignedInMixedCase: Self.compact([("alg", .string("nOnE"))], claims.json) + "."
        case .otherAlgorithm: otherAlgorithm
        case .publicKeyAsSecret: key.publicPEM.map { Self.signed(claims.json, by: Array($0.utf8), .hs256, .sha256) }
        case .emptySecret: emptySecret
        case .ownKey: ownKey
        case .criticalExtension:
            signer.token(
                under: Self.header(
                    [
                        (key: "alg", value: .string(key.algorithm.rawValue)),
                        (key: "crit", value: .array([.string("exp-unknown")])),
                        (key: "exp-unknown", value: .boolean(true)),
                    ] + keyName), claims.json)
        }
    }

    // MARK: Claims

    private var claims: TokenClaims { claims(until: expiry) }

    private func claims(until expiry: Instant) -> TokenClaims { claims(until: expiry, boundTo: data) }

    private func claims(until expiry: Instant, boundTo data: String?) -> TokenClaims {
        minter.claims(expiring: expiry, by: .primary, .example(boundTo: data))
    }

    private var otherAudience: String? {
        guard includesAudience else { return nil }
        var claims = claims
        claims.audience = claims.audience.map { "not-\($0)" }
        return signer.token(claims.json)
    }

    // Claims of a hundred years, under the signature of others; of an encrypted token, other content.
    private var changedClaims: String {
        guard !key.algorithm.isEncryption else { return Self.changingBit(ofPart: 3, parts) }
        let claims = claims(until: expiry + 36_500 * Instant.secondsPerDay)
        return [parts[0], Base64.text(of: claims.json, .url), parts[2]].joined(separator: ".")
    }

    private static func changed(_ claims: TokenClaims, _ change: ([JSONMember]) -> [JSONMember]) -> [UInt8] {
        guard case .object(let members)? = try? JSONParser.parse(claims.json) else { return claims.json }
        var json = JSONBytes()
        JSONContent.object(change(members)).writeSorted(to: &json)
        return json.bytes
    }

    // MARK: Keys and headers

    private typealias Members = [(key: String, value: JSONValue)]

    private var keyName: Members { key.id.map { [(key: "kid", value: .string($0))] } ?? [] }

    // The signature is that of the valid token.
    private var otherAlgorithm: String? {
        guard !key.algorithm.isEncryption else { return nil }
        let other = key.algorithm.isSymmetric ? TokenAlgorithm.rs256 : .hs256
        let header = Self.header([(key: "alg", value: .string(other.rawValue))] + keyName)
        return [Base64.text(of: header, .url), parts[1], parts[2]].joined(separator: ".")
    }

    private var emptySecret: String? {
        switch key.algorithm.family {
        case .authentication(let hash): return Self.signed(claims.json, by: [], key.algorithm, hash)
        case .encryption:
            // A key has its length, so that one without content is all zeros.
            let zeros = Secret([UInt8](repeating: 0, count: AuthenticatedCipher.keyLength))
            let key = try? TokenKey(secret: zeros, algorithm: key.algorithm)
            return key.map { Self.signer(of: $0).token(claims.json) }
        case .rsa, .curve: return nil
        }
    }

    private var ownKey: String? {
        guard let foreignKey, !key.algorithm.isEncryption else { return nil }
        let jwk = foreignKey.jwk(includingSecret: false).map { (key: $0.name, value: JSONValue.string($0.value)) }
        let header = Self.header([("alg", .string(key.algorithm.rawValue)), ("jwk", .ordered(jwk))])
        return Self.signer(of: foreignKey).token(under: header, claims.json)
    }

    // A key of the same form that the account does not have. OpenSSL draws those for RSA itself, so that there is none.
    private var foreignKey: TokenKey? {
        let chance = KeyChance.seeded("the key of another account")
        if case .secret(let secret) = key.material {
            let other = Secret(chance.bytes(secret.bytes.count, for: "forged tokens"))
            return try? TokenKey(secret: other, algorithm: key.algorithm, id: key.id)
        }
        return try? TokenKey.new(key.algorithm, id: key.id, bits: nil, from: chance)
    }

    private static func signer(of key: TokenKey) -> TokenSigner {
        do throws(TokenKeyError) {
            return try TokenSigner(key: key)
        } catch {
            preconditionFailure("a key that makes tokens signs: \(error)")
        }
    }

    // As the headers of valid tokens: members by their names, and `typ` at the end.
    private static func header(_ members: Members) -> [UInt8] {
        JSONValue.ordered(members + [("typ", .string("JWT"))]).bytes
    }

    private static func compact(_ header: Members, _ claims: [UInt8]) -> String {
        Base64.text(of: Self.header(header), .url) + "." + Base64.text(of: claims, .url)
    }

    private static func signed(
        _ claims: [UInt8], by secret: [UInt8], _ algorithm: TokenAlgorithm, _ hash: HashFunction
    ) -> String {
        let input = compact([("alg", .string(algorithm.rawValue))], claims)
        let code = MessageAuthenticator(key: secret, hash: hash).code(of: Array(input.utf8))
        return "\(input).\(Base64.text(of: code, .url))"
    }

    private static func changingBit(ofPart index: Int, _ parts: [String]) -> String {
        var parts = parts
        guard var bytes = Base64.bytes(of: parts[index], .url), !bytes.isEmpty else { return "" }
        bytes[0] ^= 1
        parts[index] = Base64.text(of: bytes, .url)
        return parts.joined(separator: ".")
    }
}
