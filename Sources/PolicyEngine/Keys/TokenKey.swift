/// A key with the one algorithm that it is for: a token never chooses how it is verified.
public struct TokenKey: Hashable, Sendable {
    /// The algorithm that it signs or encrypts with.
    public let algorithm: TokenAlgorithm
    /// The name that the headers of its tokens give it; `nil` for a key without a name.
    public let id: String?
    let material: Material

    /// The content of a key: a secret or a pair.
    enum Material: Hashable, Sendable {
        case secret(Secret)
        case pair(KeyParts)
    }

    /// Takes a shared secret.
    ///
    /// - Parameters:
    ///   - secret: 16 to 128 bytes; just 32 for `A256GCMKW`.
    ///   - algorithm: One with a shared secret.
    ///   - id: Its name; 1 to 64 printable characters of ASCII.
    /// - Throws: ``TokenKeyError/wrongLength(_:_:allowed:)``, ``TokenKeyError/wrongType(_:)``,
    ///   ``TokenKeyError/invalidID``.
    public init(secret: Secret, algorithm: TokenAlgorithm, id: String? = nil) throws(TokenKeyError) {
        try Self.check(id)
        guard algorithm.isSymmetric else { throw .wrongType(algorithm) }
        let (count, limits) = (secret.bytes.count, TokenLimits.secretBytes)
        if algorithm.isEncryption {
            guard count == AuthenticatedCipher.keyLength else {
                throw .wrongLength(count * 8, algorithm, allowed: "\(AuthenticatedCipher.keyLength * 8)")
            }
        } else if !limits.contains(count) {
            throw .wrongLength(
                count * 8, algorithm, allowed: "\(limits.lowerBound * 8) to \(limits.upperBound * 8)")
        }
        (self.algorithm, self.id, material) = (algorithm, id, .secret(secret))
    }

    /// Takes a pair of keys, or its public half.
    init(parts: KeyParts, algorithm: TokenAlgorithm, id: String? = nil) throws(TokenKeyError) {
        try Self.check(id)
        switch (parts, algorithm.family) {
        case (.rsa(let parts), .rsa(let scheme)): try Self.check(parts, scheme, algorithm)
        case (.curve(let parts), .curve(let curve, _)) where parts.curve == curve: break
        default: throw .wrongType(algorithm)
        }
        guard AsymmetricKey(parts) != nil else { throw .inconsistent }
        (self.algorithm, self.id, material) = (algorithm, id, .pair(parts))
    }

    private static func check(_ id: String?) throws(TokenKeyError) {
        if let id, !TokenLimits.isKeyID(id) { throw .invalidID }
    }

    private static func check(
        _ parts: KeyParts.RSA, _ scheme: SignatureScheme, _ algorithm: TokenAlgorithm
    ) throws(TokenKeyError) {
        let bits = parts.bits
        // RFC 8017, 9.1.1: a PSS signature has to hold hash and salt, and two bytes more.
        let needed = scheme.form == .pss ? (2 * scheme.hash.length + 2) * 8 : 0
        let limits = TokenLimits.rsaBits
        guard limits.contains(bits), bits >= needed else {
            throw .wrongLength(bits, algorithm, allowed: "\(max(limits.lowerBound, needed)) to \(limits.upperBound)")
        }
        let exponent = parts.exponent.drop { $0 == 0 }
        guard TokenLimits.exponentBytes.contains(exponent.count), let last = exponent.last, last & 1 == 1,
            exponent.count > 1 || last > 1
        else { throw .inconsistent }
        // None of the others is larger than the modulus; much larger ones would take their time.
        let longest = parts.secret?.numbers.map(\.count).max() ?? 0
        guard longest <= parts.modulus.count else { throw .inconsistent }
    }

    /// True if it can make tokens, rather than verify them only.
    public var isPrivate: Bool {
        switch material {
        case .secret: true
        case .pair(let parts): parts.isPrivate
        }
    }

    /// Its length in bits: of a secret, of the modulus, or of the curve.
    package var bits: Int {
        switch material {
        case .secret(let secret): secret.bytes.count * 8
        case .pair(.rsa(let parts)): parts.bits
        case .pair(.curve(let parts)): parts.curve == .p521 ? 521 : parts.curve.length * 8
        }
    }

    /// The bytes of a shared secret; none for a pair.
    package var secretBytes: [UInt8] {
        if case .secret(let secret) = material { secret.bytes } else { [] }
    }

    /// The key that everybody may have; `nil` for a shared secret.
    public var publicKey: TokenKey? {
        guard case .pair(let parts) = material else { return nil }
        return TokenKey(algorithm: algorithm, id: id, material: .pair(parts.publicParts))
    }

    /// True if the key has a name, compared by bytes.
    func isNamed(_ name: String) -> Bool { id.map { ExactText($0) == ExactText(name) } ?? false }

    /// The same key under another name; `nil` for a text that is no name.
    func renamed(_ id: String) -> TokenKey? {
        TokenLimits.isKeyID(id) ? TokenKey(algorithm: algorithm, id: id, material: material) : nil
    }

    private init(algorithm: TokenAlgorithm, id: String?, material: Material) {
        (self.algorithm, self.id, self.material) = (algorithm, id, material)
    }
}

extension KeyParts.RSA {
    /// The length of the modulus.
    var bits: Int {
        let digits = modulus.drop { $0 == 0 }
        return digits.count * 8 - (digits.first?.leadingZeroBitCount ?? 0)
    }
}

extension TokenKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The algorithm and the name, and nothing of the key itself.
    public var description: String { "\(algorithm.rawValue) key\(id.map { " \($0)" } ?? "")" }
    /// The algorithm and the name, and nothing of the key itself.
    public var debugDescription: String { description }
    /// Nothing of what it holds.
    public var customMirror: Mirror { Mirror(self, children: ["algorithm": algorithm, "id": id as Any]) }
}

/// Why something is no key for tokens. It contains nothing of the key.
public enum TokenKeyError: Error, Hashable, Sendable {
    /// Not JSON, with what is wrong.
    case notJSON(String)
    /// A member of a JSON Web Key is missing.
    case missing(String)
    /// A member has a value that it cannot have.
    case wrong(String, mustBe: String)
    /// No algorithm of this service.
    case unknownAlgorithm(String)
    /// Not as many bits as the algorithm takes.
    case wrongLength(Int, TokenAlgorithm, allowed: String)
    /// Numbers that belong to no key, or not to each other.
    case inconsistent
    /// A public key, where a token is to be signed.
    case publicOnly
    /// Another type of key than the algorithm takes.
    case wrongType(TokenAlgorithm)
    /// A key ID that is empty, too long, or has other characters than printable ASCII.
    case invalidID
    /// A new key that a simulation could not make again.
    case notRepeatable(TokenAlgorithm)
    /// No PEM file with a key.
    case notPEM
}

extension TokenKeyError: CustomStringConvertible {
    /// The error in words: lower case, no final period.
    public var description: String {
        switch self {
        case .notJSON(let reason): "it is not JSON: \(reason)"
        case .missing(let member): "`\(member)` is missing"
        case .wrong(let member, let values): "`\(member)` must be \(values)"
        case .unknownAlgorithm(let name): "there is no algorithm `\(name)`"
        case .wrongLength(let bits, let algorithm, let allowed):
            "a key for `\(algorithm.rawValue)` cannot have \(bits) bits; it has \(allowed)"
        case .inconsistent: "its numbers do not make a key"
        case .publicOnly: "it is a public key, which cannot sign"
        case .wrongType(let algorithm): "it is not a key for `\(algorithm.rawValue)`"
        case .invalidID:
            "a key ID has \(TokenLimits.keyIDBytes.lowerBound) to \(TokenLimits.keyIDBytes.upperBound) printable "
                + "characters of ASCII"
        case .notRepeatable(let algorithm):
            "a key for `\(algorithm.rawValue)` cannot be drawn from a seed"
        case .notPEM: "it is not a key in PEM"
        }
    }
}

// PEM (RFC 7468): base64 of DER between two lines that say what it is.
extension TokenKey {
    /// The public key in PEM, as a SubjectPublicKeyInfo (manual, Getting Public Key PEM).
    ///
    /// - Returns: `nil` for a shared secret.
    public var publicPEM: String? {
        guard case .pair(let parts) = material else { return nil }
        var digits = Base64.text(of: parts.publicEncoding)[...]
        var lines = ["-----BEGIN PUBLIC KEY-----"]
        while !digits.isEmpty {
            lines.append(String(digits.prefix(64)))
            digits = digits.dropFirst(64)
        }
        return (lines + ["-----END PUBLIC KEY-----", ""]).joined(separator: "\n")
    }

    /// Reads a public or a private key in PEM; an encrypted one cannot be read.
    ///
    /// - Parameters:
    ///   - text: One key, and nothing else.
    ///   - algorithm: The algorithm that it is for; PEM does not say.
    ///   - id: Its name.
    /// - Throws: ``TokenKeyError``.
    public init(pem text: String, algorithm: TokenAlgorithm, id: String? = nil) throws(TokenKeyError) {
        let lines = text.split(whereSeparator: \.isNewline)
        let labels = ["PUBLIC KEY", "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"]
        guard let first = lines.first, let last = lines.last, lines.count > 2,
            let label = labels.first(where: { first == "-----BEGIN \($0)-----" && last == "-----END \($0)-----" }),
            let bytes = Base64.bytes(of: lines.dropFirst().dropLast().joined()),
            let parts = AsymmetricKey(der: bytes, isPrivate: label != labels[0])?.parts
        else { throw .notPEM }
        try self.init(parts: parts, algorithm: algorithm, id: id)
    }
}
