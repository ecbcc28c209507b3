internal import Documents
internal import PolicyEngine

/// Reads what a key file says. A problem is reported by its position and never by its text.
enum KeyLoader {
    /// Reads the keys of an account.
    static func load(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        guard var mapping = reader.mapping(node, "a key file") else { return }
        if let bytes = bytes("account-secret", &mapping, count: accountBytes, &reader) {
            account.keys.accountSecret = Secret(bytes)
        }
        if let bytes = bytes("encryption-secret", &mapping, count: encryptionBytes, &reader) {
            account.keys.encryptionSecret = Secret(bytes)
        }
        account.responseCodeSecret = bytes("arc-secret", &mapping, count: responseCodeBytes, &reader)
        if let node = mapping.take("message-signing-key"), let text = reader.text(node, "`message-signing-key`") {
            account.keys.messageSigningKey = MessageSigningKey(raw: text)
            if account.keys.messageSigningKey == nil {
                reader.error(
                    "`message-signing-key` must have \(MessageSigningKey.length) letters, digits, hyphens and underscores",
                    at: node.position)
            }
        }
        readKeyID(&mapping, into: &account, &reader)
        readKeySet(&mapping, into: &account, &reader)
        mapping.finish(&reader)
    }

    /// The words with which lines of a key file begin, and no lines of other files.
    static let topWords = Set([
        "account-secret", "encryption-secret", "arc-secret", "message-signing-key", "key-set", "next-key",
    ])

    /// What may be shown of a key file: the words that it is made of, none of which is a secret.
    static let words = topWords.union([
        "key-id", "kty", "k", "kid", "alg", "n", "e", "d", "p", "q", "dp", "dq", "qi", "crv", "x", "y", "use", "-", "_",
    ]).union(TokenAlgorithm.allCases.map(\.rawValue))

    private static let accountBytes = AccountKeys.accountSecretBytes...AccountKeys.accountSecretBytes
    private static let encryptionBytes = 32...32
    private static let responseCodeBytes = TokenLimits.secretBytes

    private static func bytes(
        _ key: String, _ mapping: inout DocumentMapping, count: ClosedRange<Int>, _ reader: inout DocumentReader
    ) -> [UInt8]? {
        guard let node = mapping.take(key), let text = reader.text(node, key.quoted) else { return nil }
        if let bytes = Base64.bytes(of: text), count.contains(bytes.count) { return bytes }
        let counts =
            count.count == 1 ? "\(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
        reader.error("\(key.quoted) must be \(counts) bytes in base64", at: node.position)
        return nil
    }

    private static func readKeyID(
        _ mapping: inout DocumentMapping, into account: inout Account, _ reader: inout DocumentReader
    ) {
        guard let node = mapping.take("key-id"), let text = reader.text(node, "`key-id`") else { return }
        guard TokenLimits.isKeyID(text) else {
            reader.error(TokenKeyError.invalidID, at: node.position)
            return
        }
        account.keys.keyID = text
    }

    private static func readKeySet(
        _ mapping: inout DocumentMapping, into account: inout Account, _ reader: inout DocumentReader
    ) {
        if let node = mapping.take("key-set") {
            account.keys.keySet.list()
            for item in reader.sequence(node, "`key-set`") ?? [] {
                guard let key = key(item, &reader) else { continue }
                reader.attempt(at: item.position) { () throws(KeySetError) in try account.keys.keySet.append(key) }
            }
        }
        if let node = mapping.take("next-key"), let number = reader.integer(node, "`next-key`", in: 1...1_000_000_000) {
            account.keys.keySet.number(from: number)
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
        do throws(TokenKeyError) {
            let key = try TokenKey(jwk: .object(members))
            guard key.id != nil else { throw .missing("kid") }
            return key
        } catch {
            reader.error("a key of the key set cannot be used: \(error)", at: node.position)
            return nil
        }
    }
}
