internal import PolicyEngine

/// The certificate chains that API domains present, as far as they are declared (R18.2a, R18.6).
package struct KnownChains {
    private let keys: (_ domain: String) -> [String]?

    /// Nothing is known: behind an account file alone there is no network.
    package static var unknown: KnownChains { KnownChains { _ in nil } }

    /// Makes the chains of those that are declared for each domain.
    ///
    /// - Parameter keys: The keys of a domain's chain, the leaf first, each by its name or as a pin; `nil`, or none, if they are
    ///   not known. The domain is given in lower case.
    package init(_ keys: @escaping (_ domain: String) -> [String]?) {
        self.keys = keys
    }

    /// The chain of a domain; `nil` where it is not known.
    ///
    /// - Complexity: O(length of the chain).
    subscript(domain: String) -> PresentedChain? {
        guard let texts = keys(domain.lowercased()), let leaf = texts.first else { return nil }
        return PresentedChain(leaf: .init(leaf), above: texts.dropFirst().map(PresentedChain.Key.init))
    }
}

/// The certificates that an API domain presents, as far as they are simulated.
struct PresentedChain: Hashable, Sendable {
    /// The certificate of the domain itself.
    let leaf: Key
    /// Those above it, up to the root.
    let above: [Key]

    /// The public key of a certificate, and whose it is.
    struct Key: Hashable, Sendable {
        let pin: String
        let subject: String

        /// - Parameter text: The name of the key, or its pin.
        init(_ text: String) {
            (pin, subject) = (PublicKeyPin.pin(inChain: text), PublicKeyPin.subject(inChain: text))
        }
    }

    /// All of them, the leaf first.
    var keys: [Key] { [leaf] + above }

    /// The first of some pins that a certificate has (R18.5).
    func match(of pins: [String]) -> String? { pins.first { pin in keys.contains { $0.pin == pin } } }
}
