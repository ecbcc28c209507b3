/// An API domain that an account serves tokens for (R14.1).
public struct APIDomain: Hashable, Sendable {
    /// The domain, without port or path.
    @ByteExact public package(set) var name: String
    /// Whose key its tokens are made with.
    public package(set) var type: Kind
    /// The algorithm of its tokens, such as `RS256`; `nil` for the default of its type. Kept and shown, like all that follows:
    /// it affects tokens, not on whether there is one.
    @ByteExact public var algorithm: String?
    /// The key of the key set that its tokens are made with.
    @ByteExact public var keyID: String?
    /// The public keys that apps accept for it.
    @ByteExact public var pins: [String]
    /// The port on which its certificates are watched; `nil` where they are not.
    package var monitorPort: Int?

    /// The types that the manual's `api -list` shows.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Tokens are made with the account's secret.
        case account
        /// Tokens are made with a key of the account's key set.
        case keyset
        /// Tokens and pins are managed for the account, which cannot change them.
        case restricted
        /// Pins only; there are no tokens for it.
        case pinOnly
    }

    /// Makes a domain.
    public init(
        name: String, type: Kind = .account, algorithm: String? = nil, keyID: String? = nil, pins: [String] = [],
        monitorPort: Int? = nil
    ) {
        self.name = name
        self.type = type
        self.algorithm = algorithm
        self.keyID = keyID
        self.pins = pins
        self.monitorPort = monitorPort
    }

    /// The algorithm of its tokens: the one that is set, or else `HS256` where the key is the account's or one that is
    /// managed for it.
    ///
    /// - Returns: `nil` for a key of the key set, which has its own, and where there are no tokens.
    package var tokenAlgorithm: String? {
        switch type {
        case .account, .restricted: algorithm ?? Self.defaultAlgorithm
        case .keyset: algorithm
        case .pinOnly: nil
        }
    }

    /// The algorithm that tokens are signed with unless another one is asked for.
    package static let defaultAlgorithm = "HS256"
    /// The algorithm that tokens are encrypted with if that is asked for.
    package static let encryptionAlgorithm = "A256GCMKW"

    /// True if a text can be a domain: letters, digits, `-` and `.`, and at least one of them.
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
    }

    /// The name under which the pins of managed trust roots are listed; they apply to hosts without pins of their own (R18.1).
    package static let managedRoots = "*"

    /// True if it holds the managed trust roots and is no domain.
    package var holdsManagedRoots: Bool { name == Self.managedRoots }

    /// The type of a domain of that name of which nothing else is said: the demonstration domain's keys and pins are managed
    /// for every account (manual, Adding Demonstration Shapes API), and the managed trust roots are pins alone.
    package static func usualType(of name: String) -> Kind {
        if isDemonstration(name) { return .restricted }
        return name == managedRoots ? .pinOnly : .account
    }

    /// True if a domain is the manual's demonstration domain, which is `restricted` in every account.
    package static func isDemonstration(_ name: String) -> Bool { name.lowercased() == "shapes.approov.io" }

    /// True if this is the domain of that name; names of domains have no case.
    package func isNamed(_ text: String) -> Bool { name.lowercased() == text.lowercased() }
}

extension APIDomain: FieldwiseComparable {
    /// The fields of a domain, by the names that account files have for them, in their usual order.
    package enum Field: String, CaseIterable, Sendable {
        case domain, type
        case algorithm = "alg"
        case keyID = "kid"
        case pins
        case monitorPort = "monitor-port"
    }

    package mutating func copy(_ field: Field, from other: APIDomain) {
        switch field {
        case .domain: name = other.name
        case .type: type = other.type
        case .algorithm: algorithm = other.algorithm
        case .keyID: keyID = other.keyID
        case .pins: pins = other.pins
        case .monitorPort: monitorPort = other.monitorPort
        }
    }
}

/// Pins of API domains: what a certificate of the chain must have where a connection is pinned (R18.1).
package enum PublicKeyPin {
    /// The number of bytes of a pin: those of a SHA-256.
    package static let byteCount = 32

    /// True if a text is a pin: the base64 of 32 bytes, and nothing else.
    ///
    /// - Complexity: O(length).
    package static func isPin(_ text: String) -> Bool { Base64.bytes(of: text)?.count == byteCount }

    /// The pin that a text says: itself, or behind `key:` the name of a key.
    ///
    /// - Returns: `nil` for a text that is neither.
    /// - Complexity: O(length).
    package static func pin(in text: String) -> String? {
        if isPin(text) { return text }
        guard text.hasPrefix(namePrefix), text != namePrefix else { return nil }
        return pin(ofKeyNamed: String(text.dropFirst(namePrefix.count)))
    }

    /// The pin of a key in a chain, which is written as a pin or by the key's name alone.
    ///
    /// - Complexity: O(length).
    package static func pin(inChain text: String) -> String { isPin(text) ? text : pin(ofKeyNamed: text) }

    /// Whose a key in a chain is, as the subject of a certificate says it; of one that is written as a pin nobody knows.
    package static func subject(inChain text: String) -> String { "CN=\(isPin(text) ? "unknown" : text)" }

    private static let namePrefix = "key:"

    /// The pin that stands for a key of which only the name is known: the SHA-256 of the name's bytes (R18.6).
    ///
    /// - Complexity: O(length).
    package static func pin(ofKeyNamed name: String) -> String {
        Base64.text(of: Cryptography.sha256(of: Array(name.utf8)))
    }
}

// Domain names in the texts by which apps, and commands in place of an app, ask for tokens (manual, Token Fetch Errors).
extension APIDomain {
    /// The domain in a text: the text itself, or the host of a URL with `https`.
    ///
    /// - Returns: `nil` for a URL of another scheme, and for what is no domain.
    /// - Complexity: O(length).
    package static func name(in text: String) -> String? {
        text.contains("://") ? name(in: text, scheme: "https") : host(text[...])
    }

    /// The host of a URL of one scheme.
    ///
    /// - Returns: `nil` for a URL of another one, and for what is none.
    /// - Complexity: O(length).
    package static func name(in url: String, scheme: String) -> String? {
        guard let end = url.firstRange(of: "://"), url[..<end.lowerBound].lowercased() == scheme else { return nil }
        return host(url[end.upperBound...])
    }

    // Without a port, a path and the text behind them.
    private static func host(_ rest: Substring) -> String? {
        let host = rest.prefix { !"/?#".contains($0) }
        let parts = host.split(separator: ":", omittingEmptySubsequences: false)
        guard let name = parts.first.map(String.init), isName(name), parts.count <= 2 else { return nil }
        if parts.count == 2, !parts[1].utf8.allSatisfy(\.isDigit) || UInt16(parts[1]) == nil { return nil }
        return name
    }

    /// True if a text asks for a measurement beside the token (R22.1).
    package static func asksForMeasurement(_ text: String) -> Bool {
        text.prefix { $0 != "#" }.split(separator: "?").dropFirst().contains { query in
            query.split(separator: "&").contains("measurement")
        }
    }
}

/// The certificate of a server, as far as its pin goes (R18.2a; manual, Certificate File Pin Extraction).
package struct PinnedCertificate: Hashable, Sendable {
    /// The SHA-256 of its public key (R18.1).
    package let pin: String
    /// Whose it is, such as `CN=mydomain.com`.
    package let subject: String
    /// The end of its validity.
    package let expiry: Instant

    /// Reads a certificate.
    ///
    /// - Parameter bytes: The certificate in DER, and nothing else.
    /// - Returns: `nil` for bytes that are no certificate.
    /// - Complexity: O(number of bytes).
    package init?(der bytes: [UInt8]) {
        guard let content = Cryptography.certificate(der: bytes) else { return nil }
        pin = Base64.text(of: Cryptography.sha256(of: content.publicKey))
        (subject, expiry) = (content.subject, content.expiry)
    }

    /// Reads the certificates in a text, as PEM has them; text between them is left out (RFC 7468).
    ///
    /// - Returns: One for each, `nil` for one that cannot be read.
    /// - Complexity: O(length).
    package static func all(pem text: String) -> [PinnedCertificate?] {
        var found: [PinnedCertificate?] = []
        var digits: String?
        for line in text.split(whereSeparator: \.isNewline) {
            switch line {
            case "-----BEGIN CERTIFICATE-----": digits = ""
            case "-----END CERTIFICATE-----":
                guard let whole = digits else { continue }
                found.append(Base64.bytes(of: whole).flatMap(PinnedCertificate.init))
                digits = nil
            default: digits?.append(contentsOf: line)
            }
        }
        return found
    }
}
