/// The curves that tokens are signed on (RFC 7518, 6.2.1.1).
enum EllipticCurve: String, Hashable, Sendable, CaseIterable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    /// The bytes of a coordinate, and of each half of a signature.
    var length: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }
}
