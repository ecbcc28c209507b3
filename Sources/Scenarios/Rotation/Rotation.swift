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

    /// The certificate that a chain lacks for the rotation, in words; `nil` where it has all.
    ///
    /// - Parameter chain: The chain, the leaf first.
    func missing(in chain: [String]) -> String? {
        switch self {
        case .sameKey, .newKey, .stolenKey: nil
        case .newIntermediate: chain.count < 3 ? "its chain has no intermediate certificate" : nil
        case .anotherAuthority: chain.count < 2 ? "its chain has no certificate of an authority" : nil
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
        guard missing(in: chain) == nil else { return nil }
        let above = chain.dropFirst()
        return switch self {
        case .sameKey: chain
        case .newKey: [fresh("new-key")] + above
        case .newIntermediate: [fresh("new-key"), fresh("new-intermediate")] + above.suffix(1)
        case .anotherAuthority: [fresh("new-key"), fresh("another-ca")]
        case .stolenKey: [backup ?? fresh("new-key")] + above
        }
    }
}
