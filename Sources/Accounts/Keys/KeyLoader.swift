internal import Documents
internal import PolicyEngine

/// Reads the keys of a key file. A problem is reported by its position and never by its text.
enum KeyLoader {
    /// Reads the keys of an account.
    static func load(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        guard var mapping = reader.mapping(node, "a key file") else { return }
        for key in KeyFileKey.allCases {
            if let node = mapping.take(key) { read(key, node, into: &account, &reader) }
        }
        mapping.finish(&reader)
    }

    /// The words with which lines of a key file begin, and no lines of other files: `key-id` and `api-key` are too common.
    static let topWords = Set(KeyFileKey.allCases.filter { $0 != .keyID && $0 != .apiKey }.map(\.rawValue))

    /// The words of a key file that may be shown: none of them is a secret.
    static let words = Set(KeyFileKey.allCases.map(\.rawValue))
        .union(TokenAlgorithm.allCases.map(\.rawValue))
        .union([
            "kty", "k", "kid", "alg", "n", "e", "d", "p", "q", "dp", "dq", "qi", "crv", "x", "y", "use", "-", "_",
        ])

    static let accountBytes = AccountKeys.accountSecretBytes...AccountKeys.accountSecretBytes
    static let encryptionBytes = 32...32
    static let responseCodeBytes = TokenLimits.secretBytes
    static let nextKeys = 1...1_000_000_000

    private static func read(
        _ key: KeyFileKey, _ node: Node, into account: inout Account, _ reader: inout DocumentReader
    ) {
        let name = key.rawValue.quoted
        switch key {
        case .accountSecret:
            account.keys.accountSecret = bytes(node, name, count: accountBytes, &reader).map(Secret.init)
        case .encryptionSecret:
            account.keys.encryptionSecret = bytes(node, name, count: encryptionBytes, &reader).map(Secret.init)
        case .responseCodeSecret:
            account.responseCodeSecret = bytes(node, name, count: responseCodeBytes, &reader)
        case .messageSigningKey: readMessageSigningKey(node, name, into: &account, &reader)
        case .apiKey: readAPIKey(node, name, into: &account, &reader)
        case .keyID:
            guard let text = reader.text(node, name) else { return }
            guard TokenLimits.isKeyID(text) else { return reader.error(TokenKeyError.invalidID, at: node.position) }
            account.keys.keyID = text
        case .nextKey:
            if let number = reader.integer(node, name, in: nextKeys) {
                account.keys.keySet.number(from: number)
            }
        case .keySet: readKeySet(node, name, into: &account, &reader)
        }
    }

    private static func bytes(
        _ node: Node, _ what: String, count: ClosedRange<Int>, _ reader: inout DocumentReader
    ) -> [UInt8]? {
        guard let text = reader.text(node, what) else { return nil }
        if let bytes = Base64.bytes(of: text), count.contains(bytes.count) { return bytes }
        let counts =
            count.count == 1 ? "\(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
        reader.error("\(what) must be \(counts) bytes in base64", at: node.position)
        return nil
    }

    private static func readMessageSigningKey(
        _ node: Node, _ what: String, into account: inout Account, _ reader: inout DocumentReader
    ) {
        guard let text = reader.text(node, what) else { return }
        account.keys.messageSigningKey = MessageSigningKey(raw: text)
        if account.keys.messageSigningKey == nil {
            reader.error(
                "\(what) must have \(MessageSigningKey.length) letters, digits, hyphens and underscores",
                at: node.position)
        }
    }

    private static func readAPIKey(
        _ node: Node, _ what: String, into account: inout Account, _ reader: inout DocumentReader
    ) {
        guard let text = reader.text(node, what) else { return }
        account.keys.apiKey = APIKey(raw: text)
        if account.keys.apiKey == nil {
            let (least, most) = (APIKey.lengths.lowerBound, APIKey.lengths.upperBound)
            reader.error(
                "\(what) must have \(least) to \(most) letters, digits and characters of `\(APIKey.punctuation)`",
                at: node.position)
        }
    }

    private static func readKeySet(
        _ node: Node, _ what: String, into account: inout Account, _ reader: inout DocumentReader
    ) {
        account.keys.keySet.list()
        for item in reader.sequence(node, what) ?? [] {
            guard let key = key(item, &reader) else { continue }
            reader.attempt(at: item.position) { () throws(KeySetError) in try account.keys.keySet.append(key) }
        }
    }

    // A JSON Web Key, in either notation.
    private static func key(_ node: Node, _ reader: inout DocumentReader) -> TokenKey? {
        guard case .mapping(let entries) = node.content else {
            reader.error("a key of `key-set` must be a JSON Web Key", at: node.position)
            return nil
        }
        var members: [JSONMember] = []
        for entry in entries {
            guard let text = reader.text(entry.value, entry.key.quoted) else { return nil }
            members.append(JSONMember(ExactText(entry.key), .string(ExactText(text))))
        }
        return reader.attempt(at: node.position, about: "a key of the key set cannot be used") {
            () throws(TokenKeyError) in
            let key = try TokenKey(jwk: .object(members))
            guard key.id != nil else { throw .missing("kid") }
            return key
        }
    }
}
