/// A way in which the certificates of an API domain change (R18.6).
package enum Rotation: String, Hashable, Sendable, CaseIterable {
    case sameKey = "same-key"
    case newKey = "new-key"
    case newIntermediate = "new-intermediate"
    case anotherAuthority = "another-ca"
    case stolenKey = "stolen-key"

    /// The change in a sentence.
    package var summary: String {
        switch self {
        case .sameKey: "The certificate of the domain is renewed with the same key."
        case .newKey: "The domain gets a certificate with a new key from the same authority."
        case .newIntermediate: "The authority issues that certificate by another intermediate certificate."
        case .anotherAuthority: "Another authority issues the certificate."
        case .stolenKey: "The private key is stolen: the backup key takes its place, and its pin is removed."
        }
    }

    /// The chain that a backend presents afterwards.
    ///
    /// - Parameters:
    ///   - chain: The chain that it presents before, the leaf first.
    ///   - backup: The pin of a key that is kept for this; `nil` for none.
    ///   - fresh: Makes the name of a key that nobody has seen out of a word.
    /// - Returns: `nil` where the chain has no certificate that would change.
    func chain(after chain: [String], backup: String?, fresh: (String) -> String) -> [String]? {
        let above = chain.dropFirst()
        switch self {
        case .sameKey: return chain
        case .newKey: return [fresh("new-key")] + above
        case .newIntermediate:
            guard let root = above.last, above.count > 1 else { return nil }
            return [fresh("new-key"), fresh("new-intermediate"), root]
        case .anotherAuthority: return above.isEmpty ? nil : [fresh("new-key"), fresh("another-ca")]
        case .stolenKey: return [backup ?? fresh("new-key")] + above
        }
    }
}
