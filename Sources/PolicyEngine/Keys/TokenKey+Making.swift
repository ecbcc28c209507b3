extension TokenKey {
    /// The length that a new key has unless another one is asked for, in bits; `nil` where the algorithm says it.
    package static func defaultBits(for algorithm: TokenAlgorithm) -> Int? {
        switch algorithm.family {
        case .authentication, .encryption: 256
        case .rsa: 2048
        case .curve: nil
        }
    }

    /// Makes a new key from the system's chance: two calls never make the same one, and nobody can repeat it.
    ///
    /// - Parameters:
    ///   - algorithm: The algorithm that it is for.
    ///   - id: Its name.
    ///   - bits: Its length; 128, 256 or 512 for a secret, 1024, 2048 or 4096 for RSA (manual, Managing Key Sets). AES-256
    ///     has just 256, and a curve has its own.
    /// - Throws: ``TokenKeyError/wrongLength(_:_:allowed:)``, ``TokenKeyError/invalidID``.
    /// - Complexity: A tenth of a second for RSA of 2048 bits, seconds for 4096.
    public static func new(
        _ algorithm: TokenAlgorithm, id: String? = nil, bits: Int? = nil
    ) throws(TokenKeyError) -> TokenKey {
        try new(algorithm, id: id, bits: bits, from: .system)
    }

    /// Makes a new key; a simulation's follows from its seed, which RSA keys cannot, since OpenSSL draws them itself.
    ///
    /// - Throws: ``TokenKeyError``, and ``TokenKeyError/notRepeatable(_:)`` for RSA in a simulation.
    package static func new(
        _ algorithm: TokenAlgorithm, id: String?, bits: Int?, from chance: KeyChance
    ) throws(TokenKeyError) -> TokenKey {
        if case .made(let key) = chance {
            guard let id else { return key }
            if let named = key.renamed(id) { return named }
            throw .invalidID
        }
        switch algorithm.family {
        case .authentication, .encryption:
            let bits = try length(bits, among: TokenLimits.newSecretBits, algorithm)
            let secret = Secret(chance.bytes(bits / 8, for: "key \(id ?? "")"))
            return try TokenKey(secret: secret, algorithm: algorithm, id: id)
        case .rsa:
            let bits = try length(bits, among: TokenLimits.newRSABits, algorithm)
            guard chance == .system else { throw .notRepeatable(algorithm) }
            return try TokenKey(AsymmetricKey(rsaBits: bits), algorithm, id)
        case .curve(let curve, _):
            if let bits { throw .wrongLength(bits, algorithm, allowed: "those of \(curve.rawValue)") }
            guard case .seeded = chance else { return try TokenKey(AsymmetricKey(curve: curve), algorithm, id) }
            let drawn = chance.bytes(curve.length, for: "key \(id ?? "")")
            guard let key = AsymmetricKey(curve: curve, drawing: drawn) else { throw .inconsistent }
            return try TokenKey(key, algorithm, id)
        }
    }

    /// Why a key of that length is weaker than its algorithm (RFC 7518, 3.2 and 3.3); `nil` where it is not.
    package var weakness: String? {
        let needed =
            switch algorithm.family {
            case .authentication(let hash): hash.length * 8
            case .rsa: 2048
            case .curve, .encryption: 0
            }
        guard bits < needed else { return nil }
        return "RFC 7518 asks for \(needed) bits at least for `\(algorithm.rawValue)`; the key has \(bits)"
    }

    private static func length(
        _ bits: Int?, among lengths: [Int], _ algorithm: TokenAlgorithm
    ) throws(TokenKeyError) -> Int {
        guard let bits = bits ?? defaultBits(for: algorithm), lengths.contains(bits) else {
            let known = lengths.map { "\($0)" }
            throw .wrongLength(
                bits ?? 0, algorithm, allowed: known.dropLast().joined(separator: ", ") + " or " + (known.last ?? ""))
        }
        return bits
    }

    private init(_ key: AsymmetricKey, _ algorithm: TokenAlgorithm, _ id: String?) throws(TokenKeyError) {
        guard let parts = key.parts else { throw .inconsistent }
        try self.init(parts: parts, algorithm: algorithm, id: id)
    }
}

/// The source of new keys.
package enum KeyChance: Hashable, Sendable {
    /// The system's chance: for keys that are to be secret. Nobody can draw them again.
    case system
    /// Bytes that follow from a text: for simulations, whose keys have to be the same each time.
    case seeded(String)
    /// A key that was made beforehand, by ``system``; other chance is the system's.
    case made(TokenKey)

    /// Draws bytes.
    ///
    /// - Parameters:
    ///   - count: The number of them.
    ///   - purpose: Their purpose; other purposes draw others.
    func bytes(_ count: Int, for purpose: String) -> [UInt8] {
        guard case .seeded(let seed) = self else { return Cryptography.randomBytes(count) }
        var (bytes, block): ([UInt8], Int) = ([], 0)
        while bytes.count < count {
            bytes += Cryptography.sha512(of: Array("\(purpose)|\(block)|\(seed)".utf8))
            block += 1
        }
        return Array(bytes.prefix(count))
    }

    /// A new account secret.
    ///
    /// - Parameter isPrintable: True if it consists of letters, digits, `-` and `_` only, of which each stands for six bits
    ///   (manual, Raw Account Secret Key).
    package func accountSecret(isPrintable: Bool) -> Secret {
        let drawn = bytes(AccountKeys.accountSecretBytes, for: "account-secret")
        return isPrintable ? MessageSigningKey(drawing: drawn).secret : Secret(drawn)
    }

    /// A new secret for encrypted tokens.
    package func encryptionSecret() -> Secret {
        Secret(bytes(AuthenticatedCipher.keyLength, for: "encryption-secret"))
    }

    /// A new message signing key.
    package func messageSigningKey() -> MessageSigningKey {
        MessageSigningKey(drawing: bytes(MessageSigningKey.length, for: "message-signing-key"))
    }
}
