/// What an account has for an API domain (R14.2).
public enum DomainAccess: Hashable, Sendable {
    /// Tokens.
    case served
    /// Pins only.
    case unprotected
    /// Nothing: it is none of the account's domains.
    case unknown
}
