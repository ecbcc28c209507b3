/// Checks tokens as a backend does (manual, Backend Integration).
///
/// A key says which algorithm it is for, and a token of another one is refused: whoever makes up a token cannot choose how
/// it is verified (RFC 8725, 3.1). Signatures are compared in constant time.
public struct TokenVerifier: Sendable {
    private let keys: [TokenKey]

    /// Verifies with one key.
    public init(key: TokenKey) {
        keys = [key]
    }

    /// Verifies with whichever of some keys a token names; a key without a name, and any key where a token names none, is
    /// tried if its algorithm is the token's.
    ///
    /// - Parameter keys: Such as those of a key set; all of different names.
    public init(keys: [TokenKey]) {
        self.keys = keys
    }

    /// The claims of a token, if it can be believed.
    ///
    /// - Parameters:
    ///   - token: The token in its compact form.
    ///   - time: Now.
    /// - Returns: Its claims.
    /// - Throws: ``TokenError``: the first reason not to believe it.
    /// - Complexity: O(length), and one verification a key that it may be made with.
    public func claims(of token: String, at time: Instant) throws(TokenError) -> ReceivedClaims {
        let claims = try ReceivedClaims(try payload(of: token))
        guard let expiry = claims.expiry else { throw .missingExpiry }
        guard time < expiry else { throw .expired(expiry) }
        if let start = claims.start, time < start { throw .notYetValid(start) }
        return claims
    }

    /// The payload of a token, whatever it is, if it was made with a key.
    ///
    /// - Throws: ``TokenError``; nothing is said about time.
    public func payload(of token: String) throws(TokenError) -> [UInt8] {
        let text = try CompactToken(token)
        let named = keys.filter { key in key.id == nil || text.header.keyID.map { key.isNamed($0) } ?? true }
        guard !named.isEmpty else { throw .unknownKey }
        let fitting = named.filter {
            $0.algorithm == text.header.namedAlgorithm && $0.algorithm.isEncryption == text.isEncrypted
        }
        guard !fitting.isEmpty else {
            throw .wrongAlgorithm(text.header.algorithm, expected: named.map(\.algorithm))
        }
        return text.isEncrypted ? try Self.opened(text, fitting) : try Self.verified(text, fitting)
    }

    private static func verified(_ text: CompactToken, _ keys: [TokenKey]) throws(TokenError) -> [UInt8] {
        let payload = try text.bytes(1, .claims)
        let signature = try text.bytes(2, .signature)
        let signed = text.signedBytes
        guard keys.contains(where: { $0.verifies(signature, of: signed) }) else { throw .wrongSignature }
        return payload
    }

    private static func opened(_ text: CompactToken, _ keys: [TokenKey]) throws(TokenError) -> [UInt8] {
        let content = try EncryptedContent(text)
        for key in keys {
            if case .secret(let secret) = key.material, let opened = content.opened(with: secret.bytes) {
                return opened
            }
        }
        throw .cannotBeDecrypted
    }
}

extension TokenKey {
    /// True if the key made a signature over some bytes.
    func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        switch (material, algorithm.family) {
        case (.secret(let secret), .authentication(let hash)):
            Cryptography.areEqual(MessageAuthenticator(key: secret.bytes, hash: hash).code(of: bytes), signature)
        case (.pair(let parts), .rsa(let scheme)), (.pair(let parts), .curve(_, let scheme)):
            AsymmetricKey(parts.publicParts)?.verify(signature, of: bytes, scheme) ?? false
        default: false
        }
    }
}

/// Why a token is refused. An error contains nothing of the token but the name of its algorithm.
public enum TokenError: Error, Hashable, Sendable {
    /// More bytes than a token can have.
    case tooLong(Int)
    /// Neither the three parts of a signed token nor the five of an encrypted one.
    case wrongPartCount(Int)
    /// A part is not base64url, or not the only way to write it.
    case badEncoding(TokenPart)
    /// The header is no JSON object, or one of its members has another form than it must have.
    case badHeader(String)
    /// `alg: none`, in any case of its letters.
    case unsecured
    /// The algorithm of the header is not that of the key.
    case wrongAlgorithm(String, expected: [TokenAlgorithm])
    /// The header asks for something that nobody here knows (RFC 7515, 4.1.11).
    case criticalExtension
    /// No key has the name that the header gives.
    case unknownKey
    /// The signature was not made with the key over just this header and these claims.
    case wrongSignature
    /// The key does not open the token, or the token was changed.
    case cannotBeDecrypted
    /// The claims are no JSON object, or one of them has another form than it must have.
    case badClaims(String)
    /// There is no `exp`, without which no token of the service comes.
    case missingExpiry
    /// It is too late for the token.
    case expired(Instant)
    /// It is too early for the token (`nbf`).
    case notYetValid(Instant)
}

extension TokenError: CustomStringConvertible {
    /// The error in words: lower case, no final period.
    public var description: String {
        switch self {
        case .tooLong(let count): "\(count) bytes are too long for a token; it has at most \(TokenLimits.tokenBytes)"
        case .wrongPartCount(let count):
            "a token has three parts, or five if it is encrypted, joined by `.`; here \(count == 1 ? "is" : "are") "
                + "\(count)"
        case .badEncoding(let part): "its \(part.rawValue) is not base64url"
        case .badHeader(let reason): "its header is not valid: \(reason)"
        case .unsecured: "its header says that it is not signed"
        case .wrongAlgorithm(let name, let expected):
            "its header says `\(name)`, but the key is for "
                + expected.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        case .criticalExtension: "its header asks for an extension that is not known here"
        case .unknownKey: "its header names a key that is not known here"
        case .wrongSignature: "it is not correctly signed"
        case .cannotBeDecrypted: "it cannot be decrypted"
        case .badClaims(let reason): "its claims are not valid: \(reason)"
        case .missingExpiry: "its claims have no `exp`"
        case .expired(let instant): "it expired at \(instant)"
        case .notYetValid(let instant): "it is not valid before \(instant)"
        }
    }
}
