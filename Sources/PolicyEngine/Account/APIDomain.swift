/// An API domain that an account serves tokens for (R14.1).
public struct APIDomain: Hashable, Sendable {
    /// The domain, without port or path.
    public let name: String
    /// Whose key its tokens are made with.
    public let type: Kind

    /// The types that the manual's `api -list` shows.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case account, keyset, restricted
        /// Pins only; there are no tokens for it.
        case pinOnly
    }

    /// Makes a domain.
    public init(name: String, type: Kind = .account) {
        self.name = name
        self.type = type
    }

    /// Whether a text can be a domain: letters, digits, `-` and `.`, and something of them.
    public static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
    }

    /// Whether this is the domain of that name; names of domains have no case.
    public func isNamed(_ text: String) -> Bool { name.lowercased() == text.lowercased() }
}
