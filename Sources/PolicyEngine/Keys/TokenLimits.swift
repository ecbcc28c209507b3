/// The limits of tokens and keys; reaching one is a clear error.
package enum TokenLimits {
    /// The bytes of a token.
    package static let tokenBytes = 16_384
    /// The instants that a claim may name, in seconds since 1970: the years 1 through 9999. Others are mistakes, such as
    /// milliseconds.
    package static let seconds = -62_135_596_800.0...253_402_300_799.0
    /// The depth to which a header or claims may nest.
    package static let nesting = 16
    /// The bytes of a shared secret.
    package static let secretBytes = 16...128
    /// The bits of an RSA modulus.
    package static let rsaBits = 1024...4096
    /// The bytes of an RSA exponent.
    package static let exponentBytes = 1...8
    /// The bytes of a key ID.
    package static let keyIDBytes = 1...64
    /// The keys of a key set (R16).
    package static let keySetKeys = 10
    /// The bytes of a file that holds keys.
    package static let keyFileBytes = 262_144
    /// The lengths that a new RSA key may have, in bits (manual, Managing Key Sets).
    package static let newRSABits = [1024, 2048, 4096]
    /// The lengths that a new symmetric key may have, in bits (manual, Managing Key Sets).
    package static let newSecretBits = [128, 256, 512]

    /// True if a text can name a key: printable ASCII without spaces, not too long.
    package static func isKeyID(_ text: String) -> Bool {
        keyIDBytes.contains(text.utf8.count) && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }
}
