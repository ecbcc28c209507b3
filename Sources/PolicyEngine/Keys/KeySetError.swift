/// Why a key set cannot be changed.
public enum KeySetError: Error, Hashable, Sendable {
    /// There is a key of that name.
    case duplicate(String)
    /// It would be the 11th key (R16).
    case limitReached(String)
    /// There is no key of that name.
    case unknown(String, known: [String])
}

extension KeySetError: CustomStringConvertible {
    /// The error in words: lower case, no final period.
    public var description: String {
        switch self {
        case .duplicate(let id): "key `\(id)` is there already"
        case .limitReached(let id): "key `\(id)` is one too many; a key set has at most \(TokenLimits.keySetKeys)"
        case .unknown(let id, _): "there is no key `\(id)` in the key set"
        }
    }
}
