/// Why something is no key for tokens. It never tells what a key holds.
public enum TokenKeyError: Error, Hashable, Sendable {
    /// Not JSON, with what is wrong.
    case notJSON(String)
    /// A member of a JSON Web Key is missing.
    case missing(String)
    /// A member has a value that it cannot have.
    case wrong(String, mustBe: String)
    /// No algorithm of this service.
    case unknownAlgorithm(String)
    /// Not as many bits as the algorithm takes.
    case wrongLength(Int, TokenAlgorithm, allowed: String)
    /// Numbers that belong to no key, or not to each other.
    case inconsistent
    /// A public key, where a token is to be signed.
    case publicOnly
    /// Another type of key than the algorithm takes.
    case wrongType(TokenAlgorithm)
    /// A key ID that is empty, too long, or has other characters than printable ASCII.
    case invalidID
    /// A new key that a simulation could not make again.
    case notRepeatable(TokenAlgorithm)
    /// No PEM file with a key.
    case notPEM
}

extension TokenKeyError: CustomStringConvertible {
    /// The error in words: lower case, no final period.
    public var description: String {
        switch self {
        case .notJSON(let reason): "it is not JSON: \(reason)"
        case .missing(let member): "`\(member)` is missing"
        case .wrong(let member, let values): "`\(member)` must be \(values)"
        case .unknownAlgorithm(let name): "there is no algorithm `\(name)`"
        case .wrongLength(let bits, let algorithm, let allowed):
            "a key for `\(algorithm.rawValue)` cannot have \(bits) bits; it has \(allowed)"
        case .inconsistent: "its numbers do not make a key"
        case .publicOnly: "it is a public key, which cannot sign"
        case .wrongType(let algorithm): "it is no key for `\(algorithm.rawValue)`"
        case .invalidID:
            "a key ID has \(TokenLimits.keyIDBytes.lowerBound) to \(TokenLimits.keyIDBytes.upperBound) printable "
                + "characters of ASCII"
        case .notRepeatable(let algorithm):
            "a key for `\(algorithm.rawValue)` cannot be drawn from a seed"
        case .notPEM: "it is no key in PEM"
        }
    }
}
