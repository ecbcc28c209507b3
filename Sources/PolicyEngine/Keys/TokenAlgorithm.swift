/// The algorithm that a token is signed or encrypted with (RFC 7518; manual, Managing Key Sets).
public enum TokenAlgorithm: String, Hashable, Sendable, CaseIterable {
    /// HMAC with SHA-256 and a shared secret.
    case hs256 = "HS256"
    /// HMAC with SHA-384 and a shared secret.
    case hs384 = "HS384"
    /// HMAC with SHA-512 and a shared secret.
    case hs512 = "HS512"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    case rs384 = "RS384"
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    case rs512 = "RS512"
    /// RSASSA-PSS with SHA-256; each signature is another one.
    case ps256 = "PS256"
    /// RSASSA-PSS with SHA-384; each signature is another one.
    case ps384 = "PS384"
    /// RSASSA-PSS with SHA-512; each signature is another one.
    case ps512 = "PS512"
    /// ECDSA on P-256; each signature is another one.
    case es256 = "ES256"
    /// ECDSA on P-384; each signature is another one.
    case es384 = "ES384"
    /// ECDSA on P-521; each signature is another one.
    case es512 = "ES512"
    /// Encryption: AES-256 in Galois counter mode wraps the key of the content, which is encrypted likewise.
    case a256gcmkw = "A256GCMKW"

    /// The algorithm that the content of an encrypted token is encrypted with, as its header calls it.
    package static let contentEncryption = "A256GCM"

    /// True if it makes an encrypted token (JWE) rather than a signed one (JWS).
    package var isEncryption: Bool { self == .a256gcmkw }

    /// True if the key that verifies tokens also makes valid ones.
    package var isSymmetric: Bool {
        switch family {
        case .authentication, .encryption: true
        case .rsa, .curve: false
        }
    }

    /// True if equal claims get another signature each time; the loggable form of such a token shows nothing (manual, Loggable
    /// Tokens).
    package var isProbabilistic: Bool {
        switch family {
        case .authentication, .encryption: false
        case .rsa(let scheme): scheme.form == .pss
        case .curve: true
        }
    }

    /// The kinds of algorithm, with what each needs.
    enum Family: Hashable, Sendable {
        case authentication(HashFunction)
        case rsa(SignatureScheme)
        case curve(EllipticCurve, SignatureScheme)
        case encryption
    }

    var family: Family {
        switch self {
        case .hs256: .authentication(.sha256)
        case .hs384: .authentication(.sha384)
        case .hs512: .authentication(.sha512)
        case .rs256: .rsa(SignatureScheme(form: .pkcs1, hash: .sha256))
        case .rs384: .rsa(SignatureScheme(form: .pkcs1, hash: .sha384))
        case .rs512: .rsa(SignatureScheme(form: .pkcs1, hash: .sha512))
        case .ps256: .rsa(SignatureScheme(form: .pss, hash: .sha256))
        case .ps384: .rsa(SignatureScheme(form: .pss, hash: .sha384))
        case .ps512: .rsa(SignatureScheme(form: .pss, hash: .sha512))
        case .es256: .curve(.p256, SignatureScheme(form: .ecdsa, hash: .sha256))
        case .es384: .curve(.p384, SignatureScheme(form: .ecdsa, hash: .sha384))
        case .es512: .curve(.p521, SignatureScheme(form: .ecdsa, hash: .sha512))
        case .a256gcmkw: .encryption
        }
    }
}
