// JSON Web Keys (RFC 7517; RFC 7518, 6).
extension TokenKey {
    /// Reads a JSON Web Key.
    ///
    /// - Parameter text: The JSON document. `kty`, `alg` and the numbers of the key must be there; `use` and `kid`, where
    ///   they are there, must fit; other members do not count.
    /// - Throws: ``TokenKeyError``: the first thing that is wrong.
    /// - Complexity: O(length), and less than a millisecond to look at the numbers.
    public init(jwk text: String) throws(TokenKeyError) {
        try self.init(jwk: Self.document(text))
    }

    /// Reads a JSON Web Key, or the keys of a set, that are to join a key set (manual, Importing Keys): they can sign, have
    /// `kid` and `use`, and all of their numbers belong together.
    package static func keys(importing text: String) throws(TokenKeyError) -> [TokenKey] {
        let content = try document(text)
        var items = [content]
        if case .array(let list)? = content["keys"] { items = list }
        var keys: [TokenKey] = []
        for item in items {
            for name in ["kid", "use"] as [ExactText] where item[name] == nil { throw .missing(name.text) }
            keys.append(try TokenKey(jwk: item).importable())
        }
        guard !keys.isEmpty else { throw .missing("kid") }
        return keys
    }

    /// The key itself, if tokens can be made with it.
    package func importable() throws(TokenKeyError) -> TokenKey {
        guard isPrivate else { throw .publicOnly }
        guard isConsistent else { throw .inconsistent }
        return self
    }

    /// Reads a JSON Web Key Set.
    ///
    /// - Throws: ``TokenKeyError``: the first thing that is wrong; a set with one invalid key is refused as a whole.
    public static func keys(jwks text: String) throws(TokenKeyError) -> [TokenKey] {
        guard case .array(let items)? = try document(text)["keys"] else { throw .missing("keys") }
        guard items.count <= TokenLimits.keySetKeys else {
            throw .wrong("keys", mustBe: "at most \(TokenLimits.keySetKeys)")
        }
        var keys: [TokenKey] = []
        for item in items { keys.append(try TokenKey(jwk: item)) }
        return keys
    }

    /// Reads a JSON Web Key that is part of a document.
    package init(jwk: JSONContent) throws(TokenKeyError) {
        let name = try Self.text("alg", in: jwk)
        guard let algorithm = TokenAlgorithm(rawValue: name) else { throw .unknownAlgorithm(name) }
        let (type, use) = (algorithm.keyType, algorithm.isEncryption ? "enc" : "sig")
        guard try Self.text("kty", in: jwk) == type else { throw .wrong("kty", mustBe: "`\(type)`") }
        if jwk["use"] != nil, try Self.text("use", in: jwk) != use { throw .wrong("use", mustBe: "`\(use)`") }
        let id = jwk["kid"] == nil ? nil : try Self.text("kid", in: jwk)
        switch algorithm.family {
        case .authentication, .encryption:
            try self.init(secret: Secret(Self.number("k", in: jwk)), algorithm: algorithm, id: id)
        case .rsa: try self.init(parts: .rsa(Self.rsaParts(of: jwk)), algorithm: algorithm, id: id)
        case .curve(let curve, _):
            try self.init(parts: .curve(Self.parts(of: jwk, on: curve)), algorithm: algorithm, id: id)
        }
    }

    /// True if the secret part of a pair, if any, belongs to its public one; true for a secret.
    ///
    /// - Complexity: Some hundredths of a second for RSA.
    package var isConsistent: Bool {
        switch material {
        case .secret: true
        case .pair(let parts): !parts.isPrivate || AsymmetricKey(parts)?.isConsistent == true
        }
    }

    /// The members of the key as a JSON Web Key, in the order of their names.
    ///
    /// - Parameter includesSecret: True if the private half of a pair is included, too. A shared secret always is.
    package func jwk(includingSecret includesSecret: Bool) -> [(name: String, value: String)] {
        var members = ["alg": algorithm.rawValue, "kty": algorithm.keyType]
        members["use"] = algorithm.isEncryption ? "enc" : "sig"
        members["kid"] = id
        switch material {
        case .secret(let secret): members["k"] = Base64.text(of: secret.bytes, .url)
        case .pair(.rsa(let parts)):
            // Numbers without zeros in front (RFC 7518, 2: Base64urlUInt).
            members["n"] = Base64.text(of: Array(parts.modulus.drop { $0 == 0 }), .url)
            members["e"] = Base64.text(of: Array(parts.exponent.drop { $0 == 0 }), .url)
            for (name, number) in includesSecret ? parts.secret?.members ?? [] : [] {
                members[name] = Base64.text(of: number, .url)
            }
        case .pair(.curve(let parts)):
            members["crv"] = parts.curve.rawValue
            members["x"] = Base64.text(of: parts.x, .url)
            members["y"] = Base64.text(of: parts.y, .url)
            if includesSecret, let secret = parts.secret { members["d"] = Base64.text(of: secret, .url) }
        }
        return members.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    private static func document(_ text: String) throws(TokenKeyError) -> JSONContent {
        do throws(JSONFailure) {
            return try JSONParser.parse(Array(text.utf8), maximumNesting: TokenLimits.nesting)
        } catch {
            throw .notJSON(error.message)
        }
    }

    private static func text(_ member: ExactText, in jwk: JSONContent) throws(TokenKeyError) -> String {
        guard let value = jwk[member] else { throw .missing(member.text) }
        guard let text = value.text else { throw .wrong(member.text, mustBe: "text") }
        return text
    }

    private static func number(_ member: ExactText, in jwk: JSONContent) throws(TokenKeyError) -> [UInt8] {
        guard let bytes = Base64.bytes(of: try text(member, in: jwk), .url), !bytes.isEmpty else {
            throw .wrong(member.text, mustBe: "base64url without `=`")
        }
        return bytes
    }
}

// Pairs.
extension TokenKey {
    private static func rsaParts(of jwk: JSONContent) throws(TokenKeyError) -> KeyParts.RSA {
        // RFC 7518, 6.3.2.7: keys of more than two primes; nobody makes them.
        guard jwk["oth"] == nil else { throw .wrong("oth", mustBe: "left out: a key has two primes") }
        var parts = KeyParts.RSA(modulus: try number("n", in: jwk), exponent: try number("e", in: jwk))
        guard jwk["d"] != nil else { return parts }
        parts.secret = KeyParts.RSA.Secret(
            exponent: try number("d", in: jwk), firstPrime: try number("p", in: jwk),
            secondPrime: try number("q", in: jwk), firstExponent: try number("dp", in: jwk),
            secondExponent: try number("dq", in: jwk), coefficient: try number("qi", in: jwk))
        return parts
    }

    private static func parts(of jwk: JSONContent, on curve: EllipticCurve) throws(TokenKeyError) -> KeyParts.Curve {
        guard try text("crv", in: jwk) == curve.rawValue else { throw .wrong("crv", mustBe: "`\(curve.rawValue)`") }
        return KeyParts.Curve(
            curve: curve, x: try coordinate("x", in: jwk, curve), y: try coordinate("y", in: jwk, curve),
            secret: jwk["d"] == nil ? nil : try coordinate("d", in: jwk, curve))
    }

    // RFC 7518, 6.2.1.2: in the full length of the curve.
    private static func coordinate(
        _ member: ExactText, in jwk: JSONContent, _ curve: EllipticCurve
    ) throws(TokenKeyError) -> [UInt8] {
        let bytes = try number(member, in: jwk)
        guard bytes.count == curve.length else { throw .wrong(member.text, mustBe: "\(curve.length) bytes") }
        return bytes
    }
}

extension TokenAlgorithm {
    /// The type of its keys, as a JSON Web Key calls it.
    package var keyType: String {
        switch family {
        case .authentication, .encryption: "oct"
        case .rsa: "RSA"
        case .curve: "EC"
        }
    }
}

extension KeyParts.RSA.Secret {
    fileprivate var members: [(String, [UInt8])] {
        [
            ("d", exponent), ("p", firstPrime), ("q", secondPrime), ("dp", firstExponent), ("dq", secondExponent),
            ("qi", coefficient),
        ].map { ($0, Array($1.drop { $0 == 0 })) }
    }
}
