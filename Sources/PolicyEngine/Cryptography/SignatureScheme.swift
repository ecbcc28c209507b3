/// The signature scheme of a pair of keys: the form of the signature, and the hash that it is over.
struct SignatureScheme: Hashable, Sendable {
    let form: Form
    let hash: HashFunction

    enum Form: Hashable, Sendable {
        /// RSASSA-PKCS1-v1_5 (RFC 8017, 8.2).
        case pkcs1
        /// RSASSA-PSS with MGF1 on the same hash and a salt of its length (RFC 8017, 8.1; RFC 7518, 3.5).
        case pss
        /// ECDSA, both halves one after the other in the length of the curve (RFC 7518, 3.4).
        case ecdsa
    }
}

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
