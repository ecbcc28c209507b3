/// Why a token is refused. Errors tell nothing of what a token holds but the name of its algorithm.
public enum TokenError: Error, Hashable, Sendable {
    /// More bytes than ``TokenLimits/tokenBytes``.
    case tooLong(Int)
    /// Neither the three parts of a signed token nor the five of an encrypted one.
    case wrongPartCount(Int)
    /// A part is not base64url, or not the only way to write it.
    case badEncoding(TokenPart)
    /// The header is no JSON object, or one of its members has another form than it must have.
    case badHeader(String)
    /// `alg: none`, in any case of its letters.
    case unsecured
    /// The algorithm of the header is not that of the key.
    case wrongAlgorithm(String, expected: [TokenAlgorithm])
    /// The header asks for something that nobody here knows (RFC 7515, 4.1.11).
    case criticalExtension
    /// No key has the name that the header gives.
    case unknownKey
    /// The signature was not made with the key over just this header and these claims.
    case wrongSignature
    /// The key does not open the token, or the token was changed.
    case cannotBeDecrypted
    /// The claims are no JSON object, or one of them has another form than it must have.
    case badClaims(String)
    /// There is no `exp`, without which no token of the service comes.
    case missingExpiry
    /// It is too late for the token.
    case expired(Instant)
    /// It is too early for the token (`nbf`).
    case notYetValid(Instant)
}

extension TokenError: CustomStringConvertible {
    /// The error in words: lower case, no final period.
    public var description: String {
        switch self {
        case .tooLong(let count): "\(count) bytes are too long for a token; it has at most \(TokenLimits.tokenBytes)"
        case .wrongPartCount(let count):
            "a token has three parts, or five if it is encrypted, joined by `.`; here \(count == 1 ? "is" : "are") "
                + "\(count)"
        case .badEncoding(let part): "its \(part.rawValue) is not base64url"
        case .badHeader(let reason): "its header is not sound: \(reason)"
        case .unsecured: "its header says that it is not signed"
        case .wrongAlgorithm(let name, let expected):
            "its header says `\(name)`, but the key is for "
                + expected.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        case .criticalExtension: "its header asks for an extension that is not known here"
        case .unknownKey: "its header names a key that is not known here"
        case .wrongSignature: "it is not correctly signed"
        case .cannotBeDecrypted: "it cannot be decrypted"
        case .badClaims(let reason): "its claims are not sound: \(reason)"
        case .missingExpiry: "its claims have no `exp`"
        case .expired(let instant): "it expired at \(instant)"
        case .notYetValid(let instant): "it is not valid before \(instant)"
        }
    }
}
