/// The hash functions of the SHA-2 family that tokens are signed with (FIPS 180-4, RFC 7518).
enum HashFunction: String, Hashable, Sendable, CaseIterable {
    case sha256 = "SHA256"
    case sha384 = "SHA384"
    case sha512 = "SHA512"

    /// The bytes of a digest.
    var length: Int {
        switch self {
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }
}
