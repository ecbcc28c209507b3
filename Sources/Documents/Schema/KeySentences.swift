/// One sentence on each key of a kind of documents, which editors show.
package struct KeySentences: Sendable {
    private let sentences: [String: String]

    /// Reads lines such as `devices.label: A name for people.`: a key behind the key or the definition above it, or a key
    /// alone, wherever it is.
    package init(_ lines: String) {
        let pairs = lines.split(separator: "\n").map { line in
            line.split(separator: ": ", maxSplits: 1).map(String.init)
        }
        sentences = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
    }

    /// The keys, as the lines name them.
    package var names: [String] { sentences.keys.sorted() }

    /// The sentence on a key, and its name in the lines.
    package func sentence(on key: String, under parent: String) -> (name: String, text: String)? {
        ["\(parent).\(key)", key].lazy.compactMap { name in sentences[name].map { (name, $0) } }.first
    }
}

extension JSONSchema {
    /// The same schema with a sentence on each key that has none.
    ///
    /// - Parameters:
    ///   - sentences: The sentences.
    ///   - parent: The key or the definition whose form it is.
    package func explained(by sentences: KeySentences, under parent: String) -> JSONSchema {
        JSONSchema(
            members.map { name, value in
                switch (name, value) {
                case ("properties", .map(let keys)):
                    (name, .map(keys.map { ($0.name, Self.explained($0.value, $0.name, under: parent, sentences)) }))
                case ("items", .map(let form)), ("additionalProperties", .map(let form)):
                    (name, JSONSchema(form).explained(by: sentences, under: parent).value)
                case ("anyOf", .list(let forms)):
                    (
                        name,
                        .list(forms.map { $0.schema?.explained(by: sentences, under: parent).value ?? $0 })
                    )
                default: (name, value)
                }
            })
    }

    private static func explained(
        _ value: Value, _ key: String, under parent: String, _ sentences: KeySentences
    ) -> Value {
        guard let schema = value.schema?.explained(by: sentences, under: key) else { return value }
        let sentence = schema.isDescribed ? nil : sentences.sentence(on: key, under: parent)
        return (sentence.map { schema.described(as: $0.text) } ?? schema).value
    }

    private var isDescribed: Bool {
        self["description"] != nil || (self["anyOf"]?.items ?? []).contains { $0.schema?.isDescribed == true }
    }
}
