internal import Documents
internal import PolicyEngine

/// The keys of a key file. A problem is reported by its position and never by its text.
enum KeyFields {
    /// The keys, in the order in which they are read and written.
    static let all: [Field<Account>] = [
        .optional(
            "account-secret", \.keys.accountSecret,
            .secret(AccountKeys.accountSecretBytes...AccountKeys.accountSecretBytes),
            "Signs tokens of the type account."),
        .optional(
            "encryption-secret", \.keys.encryptionSecret, .secret(32...32), "Encrypts tokens of the type account."),
        .optional(
            "arc-secret", \.responseCodeSecret, .base64(TokenLimits.secretBytes), "Encrypts response codes."),
        .optional("message-signing-key", \.keys.messageSigningKey, .messageSigningKey, "Signs messages of apps."),
        .optional(
            "api-key", \.keys.apiKey, .apiKey,
            "The key that backends need for questions about tokens and response codes."),
        .optional("key-id", \.keys.keyID, .keyID), nextKey, keySet,
    ]

    /// Reads the keys of an account.
    static func load(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        account = all.read(node, "a key file", from: account, &reader) ?? account
    }

    /// The words of a key file that may be shown: none of them is a secret.
    static let words = Set(all.map(\.key))
        .union(TokenAlgorithm.allCases.map(\.rawValue))
        .union([
            "kty", "k", "kid", "alg", "n", "e", "d", "p", "q", "dp", "dq", "qi", "crv", "x", "y", "use", "-", "_",
        ])

    private static var nextKey: Field<Account> {
        let range = 1...1_000_000_000
        let help = "The number in the name of the next key."
        return Field("next-key", .integer(in: range), help) { node, account, reader in
            guard let number = reader.integer(node, "`next-key`", in: range) else { return }
            account.keys.keySet.number(from: number)
        } write: {
            let number = $0.keys.keySet.nextNumber
            return DocumentField("next-key", number > 1 ? "\(number)" : nil)
        }
    }

    // As JSON Web Keys.
    private static var keySet: Field<Account> {
        let types = Set(TokenAlgorithm.allCases.map(\.keyType)).sorted()
        let fields: [(name: String, schema: JSONSchema)] = [
            ("alg", .words(of: TokenAlgorithm.self).described(as: "The algorithm that the key is for.")),
            ("kty", .words(types).described(as: "The type of the key, as a JSON Web Key calls it.")),
            ("kid", ValueForm<String>.keyID.schema),
        ]
        let key = JSONSchema.object(fields, required: ["kid", "alg", "kty"], others: .text)
        let help = "The keys that tokens of the type keyset are made with, as JSON Web Keys."
        return Field("key-set", .list(of: key, atMost: TokenLimits.keySetKeys), help) { node, account, reader in
            account.keys.keySet.list()
            for item in reader.sequence(node, "`key-set`") ?? [] {
                guard let key = Self.key(item, &reader) else { continue }
                reader.attempt(at: item.position) { () throws(KeySetError) in try account.keys.keySet.append(key) }
            }
        } write: {
            let keys = $0.keys.keySet.keys.map { key in
                DocumentValue.mapping(key.jwk(includingSecret: true).map { DocumentField($0.name, $0.value) })
            }
            return DocumentField("key-set", $0.keys.keySet.isListed ? .list(keys) : nil)
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

extension ValueForm<[UInt8]> {
    fileprivate static func base64(_ count: ClosedRange<Int>) -> ValueForm {
        ValueForm(.base64(bytes: count)) { node, what, reader in
            guard let text = reader.text(node, what) else { return nil }
            if let bytes = Base64.bytes(of: text), count.contains(bytes.count) { return bytes }
            let counts = count.count == 1 ? "\(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
            reader.error("\(what) must be \(counts) bytes in base64", at: node.position)
            return nil
        } write: {
            .text(Base64.text(of: $0))
        }
    }
}

extension ValueForm<Secret> {
    fileprivate static func secret(_ count: ClosedRange<Int>) -> ValueForm {
        let form = ValueForm<[UInt8]>.base64(count)
        return ValueForm(form.schema) {
            form.read($0, $1, &$2).map(Secret.init)
        } write: {
            form.write($0.bytes)
        }
    }
}

extension ValueForm<MessageSigningKey> {
    fileprivate static var messageSigningKey: ValueForm {
        let count = MessageSigningKey.length
        let schema = JSONSchema.text(matching: "[A-Za-z0-9_-]{\(count)}")
        return ValueForm(schema) { node, what, reader in
            guard let text = reader.text(node, what) else { return nil }
            if let key = MessageSigningKey(raw: text) { return key }
            reader.error(
                "\(what) must have \(count) letters, digits, hyphens and underscores", at: node.position)
            return nil
        } write: {
            .text(String(decoding: $0.secret.bytes, as: UTF8.self))
        }
    }
}

extension ValueForm<APIKey> {
    fileprivate static var apiKey: ValueForm {
        let (least, most) = (APIKey.lengths.lowerBound, APIKey.lengths.upperBound)
        let schema = JSONSchema.text(matching: "[A-Za-z0-9._~+/=-]{\(least),\(most)}")
        return ValueForm(schema) { node, what, reader in
            guard let text = reader.text(node, what) else { return nil }
            if let key = APIKey(raw: text) { return key }
            reader.error(
                "\(what) must have \(least) to \(most) letters, digits and characters of `\(APIKey.punctuation)`",
                at: node.position)
            return nil
        } write: {
            .text($0.text)
        }
    }
}

extension ValueForm<String> {
    fileprivate static var keyID: ValueForm {
        let schema = JSONSchema.textOrNumber(matching: "[!-~]{1,\(TokenLimits.keyIDBytes.upperBound)}")
        return ValueForm(schema.described(as: "The name of the account's secret in tokens.")) { node, what, reader in
            guard let text = reader.text(node, what) else { return nil }
            if TokenLimits.isKeyID(text) { return text }
            reader.error(TokenKeyError.invalidID, at: node.position)
            return nil
        }
    }
}
