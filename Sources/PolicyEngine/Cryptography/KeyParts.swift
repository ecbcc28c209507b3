/// The numbers that a pair of keys consists of, big-endian (RFC 7518, 6.2 and 6.3).
enum KeyParts: Hashable, Sendable {
    case rsa(RSA)
    case curve(Curve)

    /// A key of RSA.
    struct RSA: Hashable, Sendable {
        var modulus: [UInt8]
        var exponent: [UInt8]
        /// `nil` for a public key.
        var secret: Secret?

        /// What only the owner knows; the order is that of RFC 7518.
        struct Secret: Hashable, Sendable {
            var exponent: [UInt8]
            var firstPrime: [UInt8]
            var secondPrime: [UInt8]
            var firstExponent: [UInt8]
            var secondExponent: [UInt8]
            var coefficient: [UInt8]

            /// All of them.
            var numbers: [[UInt8]] {
                [exponent, firstPrime, secondPrime, firstExponent, secondExponent, coefficient]
            }
        }
    }

    /// A key on a curve.
    struct Curve: Hashable, Sendable {
        var curve: EllipticCurve
        /// As many bytes as the curve has, as has `y`.
        var x: [UInt8]
        var y: [UInt8]
        /// `nil` for a public key.
        var secret: [UInt8]?
    }

    /// Whether it can sign.
    var isPrivate: Bool {
        switch self {
        case .rsa(let parts): parts.secret != nil
        case .curve(let parts): parts.secret != nil
        }
    }

    /// The part that everybody may know.
    var publicParts: KeyParts {
        switch self {
        case .rsa(var parts):
            parts.secret = nil
            return .rsa(parts)
        case .curve(var parts):
            parts.secret = nil
            return .curve(parts)
        }
    }
}
