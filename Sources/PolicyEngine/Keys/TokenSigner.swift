/// Makes tokens with one key: signs claims, or encrypts them. For one thread at a time.
///
/// The token of a failed attestation is made with another key, which follows from the right one and is known to nobody
/// else: for all others it is a random one. Header, length and time are the same; and equal claims give equal tokens in
/// both cases, which a key drawn for each token would not. Only a pair of keys signs with its own private half in either
/// case, but over other bytes, since another modulus would show in the numbers.
///
/// Nothing is drawn here but what PSS and ECDSA need. The random values of an encryption follow from the key and the claims:
/// two different contents never share a key of content or a vector, which is the purpose of drawing them.
public struct TokenSigner {
    private let method: Method
    private let algorithm: TokenAlgorithm
    private let keyID: String?
    // Header and `.` of a signed token.
    private let prefix: [UInt8]

    private enum Method {
        case authentication(valid: MessageAuthenticator, rejected: MessageAuthenticator)
        case signature(AsymmetricKey, SignatureScheme, mask: [UInt8])
        case encryption(valid: [UInt8], rejected: [UInt8])
    }

    /// Prepares a key.
    ///
    /// - Throws: ``TokenKeyError/publicOnly``, ``TokenKeyError/inconsistent``.
    public init(key: TokenKey) throws(TokenKeyError) {
        (algorithm, keyID) = (key.algorithm, key.id)
        switch (key.material, key.algorithm.family) {
        case (.secret(let secret), .authentication(let hash)):
            let rejected = TokenSigner.rejectedSecret(of: secret.bytes)
            method = .authentication(
                valid: MessageAuthenticator(key: secret.bytes, hash: hash),
                rejected: MessageAuthenticator(key: rejected, hash: hash))
        case (.secret(let secret), _):
            method = .encryption(valid: secret.bytes, rejected: Self.rejectedKey(of: secret.bytes))
        case (.pair(let parts), .rsa(let scheme)), (.pair(let parts), .curve(_, let scheme)):
            guard let encoding = parts.privateEncoding else { throw .publicOnly }
            // Numbers that do not belong together show at the first signature.
            guard let key = AsymmetricKey(parts), let trial = key.sign([], scheme), key.verify(trial, of: [], scheme)
            else { throw .inconsistent }
            // The byte in front cannot start a token, so that what is signed is never one.
            method = .signature(key, scheme, mask: [0] + Self.rejectedKey(of: encoding))
        case (.pair, _): throw .wrongType(key.algorithm)
        }
        var prefix: [UInt8] = []
        Base64.append(Self.header(algorithm, keyID, wrapping: nil), to: &prefix)
        self.prefix = prefix + [UInt8(ascii: ".")]
    }

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - claims: The JSON document that it carries.
    ///   - isValid: True if the attestation passed.
    /// - Returns: The token in its compact form.
    /// - Complexity: O(length of the claims): about a microsecond for HMAC, and for pairs of keys an operation of the
    ///   private half, see the manual's table of algorithms.
    public func token(_ claims: [UInt8], isValid: Bool = true) -> String {
        var token: [UInt8] = []
        append(claims, isValid: isValid, to: &token)
        return String(decoding: token, as: UTF8.self)
    }

    /// Makes a token whose bytes replace others.
    package func append(_ claims: [UInt8], isValid: Bool, to token: inout [UInt8]) {
        if case .encryption(let valid, let rejected) = method {
            seal(claims, isValid ? valid : rejected, to: &token)
            return
        }
        token.removeAll(keepingCapacity: true)
        token.append(contentsOf: prefix)
        sign(claims, isValid: isValid, &token)
    }

    /// Makes a correctly signed token whose header is another one than that of the key; `nil` for a key that encrypts.
    func token(under header: [UInt8], _ claims: [UInt8]) -> String? {
        if case .encryption = method { return nil }
        var token: [UInt8] = []
        Base64.append(header, to: &token)
        token.append(UInt8(ascii: "."))
        sign(claims, isValid: true, &token)
        return String(decoding: token, as: UTF8.self)
    }

    // Appends claims to a header and its `.`, and the signature over both.
    private func sign(_ claims: [UInt8], isValid: Bool, _ token: inout [UInt8]) {
        Base64.append(claims, to: &token)
        let signature = signature(of: token, isValid: isValid)
        token.append(UInt8(ascii: "."))
        Base64.append(signature, to: &token)
    }

    private func signature(of bytes: [UInt8], isValid: Bool) -> [UInt8] {
        switch method {
        case .authentication(let valid, let rejected): return (isValid ? valid : rejected).code(of: bytes)
        case .signature(let key, let scheme, let mask):
            guard let signature = key.sign(isValid ? bytes : mask + bytes, scheme) else {
                preconditionFailure("a key that was checked can sign")
            }
            return signature
        case .encryption: preconditionFailure("an encrypted token has no signature")
        }
    }
}

// The keys that replace a key when an attestation failed.
extension TokenSigner {
    private static let rejectedMessage = Array("rejected token v1".utf8)

    /// 64 bytes that follow from a secret.
    static func rejectedSecret(of secret: [UInt8]) -> [UInt8] {
        MessageAuthenticator(key: secret, hash: .sha512).code(of: rejectedMessage)
    }

    /// 32 bytes that follow from a key.
    static func rejectedKey(of key: [UInt8]) -> [UInt8] { Cryptography.hmacSHA256(of: rejectedMessage, key: key) }
}

// Encryption (RFC 7516, 5.1; RFC 7518, 4.7).
extension TokenSigner {
    private func seal(_ claims: [UInt8], _ key: [UInt8], to token: inout [UInt8]) {
        let keyLength = AuthenticatedCipher.keyLength
        let vectorLength = AuthenticatedCipher.vectorLength
        let drawn = MessageAuthenticator(key: key, hash: .sha512).code(of: Array("content v1".utf8) + claims)
        let contentKey = Array(drawn.prefix(keyLength))
        let keyVector = Array(drawn.dropFirst(keyLength).prefix(vectorLength))
        let vector = Array(drawn.dropFirst(keyLength + vectorLength).prefix(vectorLength))
        let wrapped = AuthenticatedCipher.seal(contentKey, key: key, vector: keyVector)
        token.removeAll(keepingCapacity: true)
        Base64.append(Self.header(algorithm, keyID, wrapping: (keyVector, wrapped.tag)), to: &token)
        let content = AuthenticatedCipher.seal(claims, authenticating: token, key: contentKey, vector: vector)
        for part in [wrapped.enciphered, vector, content.enciphered, content.tag] {
            token.append(UInt8(ascii: "."))
            Base64.append(part, to: &token)
        }
    }

    // Members in the order of their names, as the manual's tokens have them.
    private static func header(
        _ algorithm: TokenAlgorithm, _ keyID: String?, wrapping: (vector: [UInt8], tag: [UInt8])?
    ) -> [UInt8] {
        var json = JSONBytes()
        json.raw("{\"alg\":")
        json.string(algorithm.rawValue)
        if let wrapping {
            json.raw(",\"enc\":")
            json.string(TokenAlgorithm.contentEncryption)
            json.raw(",\"iv\":")
            json.string(Base64.text(of: wrapping.vector, .url))
        }
        if let keyID {
            json.raw(",\"kid\":")
            json.string(keyID)
        }
        if let wrapping {
            json.raw(",\"tag\":")
            json.string(Base64.text(of: wrapping.tag, .url))
        }
        json.raw(",\"typ\":\"JWT\"}")
        return json.bytes
    }
}
