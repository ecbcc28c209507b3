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

        /// The numbers that only the owner knows; the order is that of RFC 7518.
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

    /// True if the secret part is there, so that it can sign.
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

// Keys in DER: both forms are decades old, and whatever reads keys reads them.
extension KeyParts {
    /// The public half, as a SubjectPublicKeyInfo (RFC 5280, 4.1).
    var publicEncoding: [UInt8] {
        switch self {
        case .rsa(let parts):
            let key = DERText.sequence(DERText.integer(parts.modulus), DERText.integer(parts.exponent))
            return DERText.sequence(DERText.sequence(Self.rsa, DERText.null), DERText.bits(key))
        case .curve(let parts):
            let algorithm = DERText.sequence(Self.ellipticCurve, parts.curve.identifier)
            return DERText.sequence(algorithm, DERText.bits(parts.point))
        }
    }

    /// The pair, as an RSAPrivateKey (RFC 8017, A.1.2) or an ECPrivateKey (RFC 5915).
    ///
    /// - Returns: `nil` for a public key.
    var privateEncoding: [UInt8]? {
        switch self {
        case .rsa(let parts):
            parts.secret.map { secret in
                DERText.sequence(
                    DERText.integer([0]), DERText.integer(parts.modulus), DERText.integer(parts.exponent),
                    DERText.integer(secret.exponent), DERText.integer(secret.firstPrime),
                    DERText.integer(secret.secondPrime), DERText.integer(secret.firstExponent),
                    DERText.integer(secret.secondExponent), DERText.integer(secret.coefficient))
            }
        case .curve(let parts):
            parts.secret.map { secret in
                DERText.sequence(
                    DERText.integer([1]), DERText.octets(secret), DERText.tagged(0, parts.curve.identifier),
                    // Without it, the point is worked out from the secret.
                    parts.x.isEmpty ? [] : DERText.tagged(1, DERText.bits(parts.point)))
            }
        }
    }

    // 1.2.840.113549.1.1.1 and 1.2.840.10045.2.1.
    private static let rsa = DERText.identifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01])
    private static let ellipticCurve = DERText.identifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01])
}

extension KeyParts.Curve {
    // Both coordinates behind a 4 (SEC 1, 2.3.3).
    fileprivate var point: [UInt8] { [4] + x + y }
}

extension EllipticCurve {
    // 1.2.840.10045.3.1.7, 1.3.132.0.34 and 1.3.132.0.35.
    fileprivate var identifier: [UInt8] {
        switch self {
        case .p256: DERText.identifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
        case .p384: DERText.identifier([0x2B, 0x81, 0x04, 0x00, 0x22])
        case .p521: DERText.identifier([0x2B, 0x81, 0x04, 0x00, 0x23])
        }
    }
}

/// Bytes in DER (X.690): what keys are handed over in.
enum DERText {
    /// A whole number that is not negative, given big-endian.
    static func integer(_ number: [UInt8]) -> [UInt8] {
        let digits = number.drop { $0 == 0 }
        // A first bit would make it negative, and none at all is no number.
        let needsZero = (digits.first ?? 0x80) >= 0x80
        return element(0x02, (needsZero ? [0] : []) + digits)
    }

    /// Several elements one after the other.
    static func sequence(_ elements: [UInt8]...) -> [UInt8] { element(0x30, Array(elements.joined())) }

    /// Bytes as they are.
    static func octets(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }

    /// Bytes as bits, all of them used.
    static func bits(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }

    /// The null value, for a part that must not be left out.
    static let null: [UInt8] = element(0x05, [])

    /// An element with a number of its own within its sequence.
    static func tagged(_ number: UInt8, _ element: [UInt8]) -> [UInt8] { Self.element(0xA0 | number, element) }

    /// An element that is named by a registered number.
    ///
    /// - Parameter bytes: The encoded number.
    static func identifier(_ bytes: [UInt8]) -> [UInt8] { element(0x06, bytes) }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        let bytes = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) }.drop { $0 == 0 }
        return [0x80 | UInt8(bytes.count)] + bytes
    }
}
