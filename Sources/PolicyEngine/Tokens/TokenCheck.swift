/// The result of the service's check of a token or of a loggable one (manual, Checking Token Validity).
///
/// It knows the keys of the account, and with them also the content of encrypted tokens of failed attestations.
public struct TokenCheck: Hashable, Sendable {
    /// True if it was correctly made with a key of the account; its age does not matter.
    public let passed: Bool
    /// True if it came as a loggable token.
    public let isLoggable: Bool
    /// True if it has expired; `nil` if the time is not known, or the claims do not say.
    public let isExpired: Bool?
    /// The algorithm that its header names; `nil` for a loggable token.
    public let algorithm: String?
    /// The key that its header names.
    public let keyID: String?
    /// Its claims; `nil` if no key of the account decrypts it.
    public let claims: ReceivedClaims?

    /// Checks a token.
    ///
    /// - Parameters:
    ///   - text: A token in its compact form, or a loggable one.
    ///   - account: Whose keys are tried: that of the account, those of the key set, those of managed domains.
    ///   - time: Now; `nil` where that is not known.
    /// - Throws: ``TokenError`` for what is neither.
    /// - Complexity: O(length), and one verification for each key of the token's algorithm.
    public init(_ text: String, account: Account, at time: Instant?) throws(TokenError) {
        if text.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
            try self.init(loggable: text, account.allTokenKeys)
        } else {
            try self.init(CompactToken(text), account.allTokenKeys, at: time)
        }
    }

    private init(_ text: CompactToken, _ keys: [TokenKey], at time: Instant?) throws(TokenError) {
        let named = keys.filter { key in text.header.keyID.map { key.isNamed($0) } ?? (key.id == nil) }
        // The key ID of the account may have been another one when the token was made.
        let fitting = (named.isEmpty ? keys.filter { $0.id == nil } : named).filter {
            $0.algorithm == text.header.namedAlgorithm
        }
        var (passed, claims): (Bool, ReceivedClaims?) = (false, nil)
        if text.isEncrypted {
            let content = try EncryptedContent(text)
            let opened = fitting.lazy.compactMap { Self.opened(content, $0) }.first
            passed = opened?.isValid ?? false
            if let opened { claims = try ReceivedClaims(opened.claims) }
        } else {
            claims = try ReceivedClaims(try text.bytes(1, .claims))
            let (signature, signed) = (try text.bytes(2, .signature), text.signedBytes)
            passed = fitting.contains { $0.verifies(signature, of: signed) }
        }
        (self.passed, self.claims, isLoggable) = (passed, claims, false)
        (algorithm, keyID) = (text.header.algorithm, text.header.keyID)
        isExpired = time.flatMap { time in claims?.expiry.map { $0 <= time } }
    }

    private static func opened(_ content: EncryptedContent, _ key: TokenKey) -> (claims: [UInt8], isValid: Bool)? {
        guard case .secret(let secret) = key.material, key.algorithm.isEncryption else { return nil }
        if let claims = content.opened(with: secret.bytes) { return (claims, true) }
        return content.opened(with: TokenSigner.rejectedKey(of: secret.bytes)).map { ($0, false) }
    }

    // Makes the token again and looks how its signature begins; where chance has a part in it, that shows nothing.
    private init(loggable text: String, _ keys: [TokenKey]) throws(TokenError) {
        guard text.utf8.count <= TokenLimits.tokenBytes else { throw .tooLong(text.utf8.count) }
        let read = try ReceivedClaims(Array(text.utf8))
        guard case .object(let members) = read.content, let prefix = read.text(of: LoggableToken.claim.text) else {
            throw .badClaims("`\(LoggableToken.claim.text)` is missing")
        }
        var json = JSONBytes()
        JSONContent.object(members.filter { $0.name != LoggableToken.claim }).writeSorted(to: &json)
        passed = keys.contains { Self.begins($0, with: prefix, claims: json.bytes) }
        claims = try ReceivedClaims(json.bytes)
        (isLoggable, isExpired, algorithm, keyID) = (true, nil, nil, nil)
    }

    private static func begins(_ key: TokenKey, with prefix: String, claims: [UInt8]) -> Bool {
        guard !key.algorithm.isProbabilistic, !key.algorithm.isEncryption,
            prefix.utf8.count == LoggableToken.prefixLength, let signer = try? TokenSigner(key: key)
        else { return false }
        let signature = signer.token(claims).split(separator: ".").last ?? ""
        return Cryptography.areEqual(
            Array(signature.utf8.prefix(LoggableToken.prefixLength)), Array(prefix.utf8))
    }
}

extension Account {
    /// Every key that a token of the account may have been made with. The account's own key is there under its name and
    /// without one, since its name may have changed since.
    var allTokenKeys: [TokenKey] {
        let restricted = apiDomains.filter { $0.type == .restricted }.map(Self.restrictedKey)
        var own = [signingKey, encryptionKey]
        if keys.keyID != nil {
            var unnamed = self
            unnamed.keys.keyID = nil
            own.append(unnamed.signingKey)
        }
        return own + keys.keySet.keys + restricted
    }
}

/// A token in the form that apps may log: its claims, and the first characters of its signature. They show
/// those who have the key whether the token is valid, and serve nobody else (manual, Loggable Tokens).
public enum LoggableToken {
    /// The number of characters of the signature that it contains: 36 bits.
    package static let prefixLength = 6
    /// The claim that contains them.
    static let claim: ExactText = "sip"

    /// The loggable form of a token.
    ///
    /// - Returns: A JSON object on one line; for an encrypted token, of which an app knows nothing, the error `JWE`.
    /// - Throws: ``TokenError`` for what is no token.
    public static func text(of token: String) throws(TokenError) -> String {
        let text = try CompactToken(token)
        if text.isEncrypted { return #"{"error":"JWE"}"# }
        let claims = try ReceivedClaims(try text.bytes(1, .claims))
        let prefix = Base64.text(of: try text.bytes(2, .signature), .url).prefix(prefixLength)
        guard case .object(let members) = claims.content else { return "" }
        let shown = members + [JSONMember(claim, .string(ExactText(String(prefix))))]
        var output = JSONBytes()
        JSONContent.object(shown).writeSorted(to: &output)
        return String(decoding: output.bytes, as: UTF8.self)
    }
}
