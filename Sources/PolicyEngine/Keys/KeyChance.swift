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
