/// How a pair of keys signs: what goes into the hash, and what is made of it.
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
