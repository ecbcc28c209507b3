/// The keys of a key file, each once, in the order in which they are read and written.
///
/// ``KeyLoader`` reads and ``KeyText`` writes a file key by key, by switches over all of them: a key that is listed here
/// and not handled there does not compile.
enum KeyFileKey: String, CaseIterable {
    /// Signs tokens of the type `account`.
    case accountSecret = "account-secret"
    /// Encrypts tokens of the type `account`.
    case encryptionSecret = "encryption-secret"
    /// Encrypts response codes (R12).
    case responseCodeSecret = "arc-secret"
    /// Signs messages of apps.
    case messageSigningKey = "message-signing-key"
    /// The key with which backends authenticate their requests to the service (R23.1).
    case apiKey = "api-key"
    /// The name of the account's secret in tokens.
    case keyID = "key-id"
    /// The number that the next key without a name is named by.
    case nextKey = "next-key"
    /// The keys that tokens of the type `keyset` are made with, as JSON Web Keys.
    case keySet = "key-set"
}
