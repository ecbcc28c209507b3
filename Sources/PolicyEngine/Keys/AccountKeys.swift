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
