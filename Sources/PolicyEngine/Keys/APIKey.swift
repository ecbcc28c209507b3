/// The key that a backend shows when it asks the service about a token or a response code (R23.1).
///
/// It can decode, and make nothing.
package struct APIKey: Hashable, Sendable {
    /// The key as it is written behind `Bearer`.
    package let secret: Secret

    /// The length of a key, in characters.
    package static let lengths = 16...128
    /// The characters of a key besides letters and digits (RFC 6750, 2.1).
    package static let punctuation = "-._~+/="

    /// Takes a key.
    ///
    /// - Returns: `nil` for a text of another length or with other characters.
    package init?(raw text: String) {
        let bytes = Array(text.utf8)
        guard Self.lengths.contains(bytes.count), bytes.allSatisfy(Self.isAllowed) else { return nil }
        secret = Secret(bytes)
    }

    /// Makes the one that follows from 64 bytes.
    init(drawing bytes: [UInt8]) {
        secret = MessageSigningKey(drawing: bytes).secret
    }

    /// The key as text.
    package var text: String { String(decoding: secret.bytes, as: UTF8.self) }

    /// True if a header `Authorization` shows this key, in constant time for texts of one length.
    ///
    /// - Parameter authorization: The whole value of the header.
    package func isShown(by authorization: String) -> Bool {
        Cryptography.areEqual(Array("Bearer \(text)".utf8), Array(authorization.utf8))
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: punctuation.utf8.contains(byte)
        }
    }
}

/// The keys of an account, apart from that of its response codes: what its tokens and messages are made with.
///
/// Missing keys follow from the account's name, for simulations; they are no secret to anybody who knows the name.
public struct AccountKeys: Hashable, Sendable {
    /// The account secret, with which tokens are signed unless another key is asked for: 64 bytes.
    public var accountSecret: Secret?
    /// The secret with which tokens are encrypted where that is asked for without a key of the key set: 32 bytes.
    public var encryptionSecret: Secret?
    /// The key that apps sign messages with; `nil` if message signing is off.
    public var messageSigningKey: MessageSigningKey?
    /// The name that signed tokens of the account secret have in their headers; `nil` for none (manual, Key IDs).
    @ByteExact public var keyID: String?
    /// The key with which backends ask the service about tokens and response codes (manual, Attestation Response Code).
    package var apiKey: APIKey?
    /// The key set.
    public var keySet = KeySet()

    /// The bytes of an account secret.
    package static let accountSecretBytes = 64

    /// Makes keys of which none is there.
    public init() {}
}
