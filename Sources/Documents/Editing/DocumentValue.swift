/// A value as it is to stand in a document, without a place or a form.
package indirect enum DocumentValue: Hashable, Sendable {
    /// Text; quotes are added where they are needed.
    case text(String)
    /// A list.
    case list([DocumentValue])
    /// A mapping, in the order in which it is written.
    case mapping([Entry])

    /// A key with its value.
    package struct Entry: Hashable, Sendable {
        let key: String
        let value: DocumentValue
    }

    /// A mapping of those fields that have to be there.
    package static func mapping(_ fields: [DocumentField]) -> DocumentValue {
        .mapping(
            fields.compactMap { field in
                guard field.isNeeded, let value = field.value else { return nil }
                return Entry(key: field.key, value: value)
            })
    }

    /// A list of texts.
    package static func texts(_ texts: [String]) -> DocumentValue { .list(texts.map(DocumentValue.text)) }

    /// Whether it is a list of nothing but texts.
    var isListOfTexts: Bool {
        guard case .list(let items) = self else { return false }
        return items.allSatisfy { if case .text = $0 { true } else { false } }
    }
}
