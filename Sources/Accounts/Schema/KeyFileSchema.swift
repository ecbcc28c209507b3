internal import Documents
internal import PolicyEngine

/// The schema of key files, from the table that the loader reads them by.
package enum KeyFileSchema {
    /// The whole document.
    package static var document: String { schema.document(title: "The keys of an account") }

    private static var schema: JSONSchema {
        .object(KeyFileKey.allCases.map { ($0.rawValue, form(of: $0)) })
    }

    private static func form(of key: KeyFileKey) -> JSONSchema {
        switch key {
        case .accountSecret: .base64(bytes: KeyLoader.accountBytes).described(as: "Signs tokens of the type account.")
        case .encryptionSecret:
            .base64(bytes: KeyLoader.encryptionBytes).described(as: "Encrypts tokens of the type account.")
        case .responseCodeSecret: .base64(bytes: KeyLoader.responseCodeBytes).described(as: "Encrypts response codes.")
        case .messageSigningKey:
            .text(matching: "[A-Za-z0-9_-]{\(MessageSigningKey.length)}").described(as: "Signs messages of apps.")
        case .apiKey:
            .text(matching: "[A-Za-z0-9._~+/=-]{\(APIKey.lengths.lowerBound),\(APIKey.lengths.upperBound)}")
                .described(as: "The key that backends need for questions about tokens and response codes.")
        case .keyID: keyID.described(as: "The name of the account's secret in tokens.")
        case .nextKey: .integer(in: KeyLoader.nextKeys).described(as: "The number in the name of the next key.")
        case .keySet:
            .list(of: webKey, atMost: TokenLimits.keySetKeys)
                .described(as: "The keys that tokens of the type keyset are made with, as JSON Web Keys.")
        }
    }

    private static let keyID = JSONSchema.textOrNumber(matching: "[!-~]{1,\(TokenLimits.keyIDBytes.upperBound)}")

    private static var webKey: JSONSchema {
        let types = Set(TokenAlgorithm.allCases.map(\.keyType)).sorted()
        return .object(
            [("alg", .words(of: TokenAlgorithm.self)), ("kty", .words(types)), ("kid", keyID)],
            required: ["kid", "alg", "kty"], others: .text)
    }
}
