/// Why there is no token for a domain.
public enum TokenIssueError: Error, Hashable, Sendable {
    /// The domain is none of the account's.
    case unknownDomain(String, known: [String])
    /// The domain has pins only.
    case unprotected(String)
    /// The key set lacks the key that the domain names, or has its public half only.
    case missingKey(String?, domain: String)
    /// The numbers of the key do not belong together.
    case unusableKey(String?, domain: String)
    /// The domain names another algorithm than its key is for.
    case wrongAlgorithm(String, domain: String)
}

extension TokenIssueError: CustomStringConvertible {
    /// The error in words: lower case, no final period.
    public var description: String {
        switch self {
        case .unknownDomain(let name, _): "there is no API domain `\(name)`"
        case .unprotected(let name): "API domain `\(name)` has pins only, so there are no tokens for it"
        case .missingKey(nil, let domain): "API domain `\(domain)` names no key of the key set"
        case .missingKey(let id?, let domain):
            "the key set has no key `\(id)` to make tokens for API domain `\(domain)` with"
        case .unusableKey(let id, let domain):
            "the numbers of key `\(id ?? "")` do not make a key, so there are no tokens for API domain `\(domain)`"
        case .wrongAlgorithm(let name, let domain):
            "the key of API domain `\(domain)` is not for `\(name)`"
        }
    }
}
