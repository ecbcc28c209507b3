/// Why a flag could not be added to a catalogue.
public enum FlagError: Error, Hashable, Sendable {
    /// The name is not 1 to 64 lower-case letters, digits and `-`.
    case invalidName(String)
    /// The catalogue or the account has a flag of that name already.
    case duplicate(String)
    /// The name means something else in an annotation policy.
    case reserved(String)
    /// It would be the 129th flag (R2.2).
    case limitReached(String)
}

extension FlagError: CustomStringConvertible {
    /// The error in words: lower case, no final period, what the user wrote in backticks.
    public var description: String {
        switch self {
        case .invalidName(let name):
            "`\(name)` is not a flag name; use 1 to 64 lower-case letters, digits and `-`"
        case .duplicate(let name): "flag `\(name)` exists already"
        case .reserved(let name): "flag `\(name)` would have the name of an annotation policy"
        case .limitReached(let name): "flag `\(name)` is one too many; there can be at most \(Flag.limit) flags"
        }
    }
}
