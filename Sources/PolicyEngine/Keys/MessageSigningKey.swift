/// The secret that apps sign messages with (manual, Message Signing).
public struct MessageSigningKey: Hashable, Sendable {
    /// The raw secret: 64 printable characters, of letters, digits, `-` and `_`.
    public let secret: Secret

    /// The length of the raw secret.
    package static let length = 64
    /// The number of its first characters that are its ID.
    package static let idLength = 6

    /// Takes a raw secret.
    ///
    /// - Returns: `nil` for a text of another length or with other characters.
    public init?(raw text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == Self.length, bytes.allSatisfy({ Self.alphabet.contains($0) }) else { return nil }
        secret = Secret(bytes)
    }

    /// Makes a new one from the system's chance.
    public static func new() -> MessageSigningKey {
        MessageSigningKey(drawing: Cryptography.randomBytes(length))
    }

    /// Makes the one that follows from 64 bytes.
    init(drawing bytes: [UInt8]) {
        secret = Secret(bytes.prefix(Self.length).map { Self.alphabet[Int($0 & 63)] })
    }

    /// The ID, which tokens carry in `mskid`: the first characters of the secret.
    public var id: String { String(decoding: secret.bytes.prefix(Self.idLength), as: UTF8.self) }

    /// The key that an app gets whose attestation failed: another secret of the same ID, which follows from this one and is
    /// known to nobody else.
    package var rejected: MessageSigningKey { Self.rejected(secret, drawing: secret.bytes) }

    /// The key that an install gets whose attestation failed: likewise, and each install has one of its own (R21.4).
    ///
    /// - Parameter device: The install's device.
    package func rejected(on device: DeviceID) -> MessageSigningKey {
        Self.rejected(secret, drawing: secret.bytes + Array(device.description.utf8))
    }

    private static func rejected(_ secret: Secret, drawing bytes: [UInt8]) -> MessageSigningKey {
        let drawn = MessageSigningKey(drawing: TokenSigner.rejectedSecret(of: bytes))
        return MessageSigningKey(
            Secret(Array(secret.bytes.prefix(Self.idLength) + drawn.secret.bytes.dropFirst(Self.idLength))))
    }

    private init(_ secret: Secret) {
        self.secret = secret
    }

    /// The signature of a message: base64 of its HMAC-SHA-256.
    ///
    /// - Parameter message: Parts of a request, among them the token.
    /// - Complexity: O(length).
    public func signature(of message: String) -> String {
        Base64.text(of: Cryptography.hmacSHA256(of: Array(message.utf8), key: secret.bytes))
    }

    /// True if a signature is that of a message, in constant time.
    public func verifies(_ signature: String, of message: String) -> Bool {
        Cryptography.areEqual(Array(self.signature(of: message).utf8), Array(signature.utf8))
    }

    /// The characters of raw secrets, of which each stands for six bits.
    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}
