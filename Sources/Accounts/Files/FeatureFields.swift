internal import Documents
internal import PolicyEngine

/// The features of an account beside tokens, in an account file (R21).
enum FeatureFields {
    /// Reads the features of an account; an empty list is none.
    ///
    /// - Returns: `nil` after noting an error.
    static func load(_ node: Node, _ reader: inout DocumentReader) -> Set<AccountFeature>? {
        guard let nodes = reader.sequence(node, "`features`") else { return nil }
        var features: Set<AccountFeature> = []
        for node in nodes {
            guard let feature: AccountFeature = reader.word(node, "a feature") else { continue }
            if !features.insert(feature).inserted {
                reader.error("feature \(feature.rawValue.quoted) exists already", at: node.position)
            }
        }
        return features
    }

    /// The form of the strings of an account.
    static var stringsSchema: JSONSchema {
        .map(
            of: .text, keys: JSONSchema([("minLength", .number(1)), ("maxLength", .number(SecureStringKey.length))]))
    }

    /// Reads the strings of an account (R21.2).
    static func strings(_ node: Node, _ reader: inout DocumentReader) -> [ExactText: ExactText] {
        var strings: [ExactText: ExactText] = [:]
        for entry in reader.mapping(node, "`secure-strings`")?.entries ?? [] {
            if !SecureStringKey.isKey(entry.key) {
                reader.error(
                    "a key of `secure-strings` has 1 to \(SecureStringKey.length) characters", at: entry.keyPosition)
            }
            if let text = reader.text(entry.value, entry.key.quoted) { strings[ExactText(entry.key)] = ExactText(text) }
        }
        return strings
    }
}
