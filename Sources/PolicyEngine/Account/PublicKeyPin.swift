/// Pins of API domains: what a certificate of the chain must have where a connection is pinned (R18.1).
public enum PublicKeyPin {
    /// How many bytes a pin has: those of a SHA-256.
    public static let byteCount = 32

    /// Whether a text is a pin: the base64 of 32 bytes, and nothing else.
    ///
    /// - Complexity: O(length).
    public static func isPin(_ text: String) -> Bool { Base64.bytes(of: text)?.count == byteCount }

    /// The pin that stands for a key of which only the name is known: the SHA-256 of the name's bytes (R18.6).
    ///
    /// - Complexity: O(length).
    public static func pin(ofKeyNamed name: String) -> String {
        Base64.text(of: Cryptography.sha256(of: Array(name.utf8)))
    }
}
