/// How large tokens and keys may be; reaching a limit is a clear error.
public enum TokenLimits {
    /// The bytes of a token.
    public static let tokenBytes = 16_384
    /// The instants that a claim may name, in seconds since 1970: the years 1 through 9999. Others are mistakes, such as
    /// milliseconds.
    public static let seconds = -62_135_596_800.0...253_402_300_799.0
    /// How deep a header or claims may nest.
    public static let nesting = 16
    /// The bytes of a shared secret.
    public static let secretBytes = 16...128
    /// The bits of an RSA modulus.
    public static let rsaBits = 1024...4096
    /// The bytes of an RSA exponent.
    public static let exponentBytes = 1...8
    /// The bytes of a key ID.
    public static let keyIDBytes = 1...64
    /// The keys of a key set (R16).
    public static let keySetKeys = 10
    /// The bytes of a file that holds keys.
    public static let keyFileBytes = 262_144
    /// The lengths that a new RSA key may have, in bits (manual, Managing Key Sets).
    public static let newRSABits = [1024, 2048, 4096]
    /// The lengths that a new symmetric key may have, in bits (manual, Managing Key Sets).
    public static let newSecretBits = [128, 256, 512]

    /// Whether a text can name a key: printable ASCII without spaces, not too long.
    public static func isKeyID(_ text: String) -> Bool {
        keyIDBytes.contains(text.utf8.count) && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }
}
