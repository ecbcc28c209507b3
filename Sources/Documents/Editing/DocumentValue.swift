/// A value to write into a document, without a position or a form.
package indirect enum DocumentValue: Hashable, Sendable {
    /// Text; quotes are added where they are needed.
    case text(String)
    /// A list.
    case list([DocumentValue])
    /// A mapping, in the order in which it is written.
    case mapping([DocumentField])

    /// The same value without the fields that need not be there.
    var written: DocumentValue {
        switch self {
        case .text: self
        case .list(let items): .list(items.map(\.written))
        case .mapping(let fields): .mapping(fields.filter(\.isWritten))
        }
    }

    /// A list of texts.
    package static func texts(_ texts: [String]) -> DocumentValue { .list(texts.map(DocumentValue.text)) }

    /// The value so that different values are different bytes; fields that need not be there are none.
    package func encode(into bytes: inout [UInt8]) {
        func begin(_ kind: Character, _ count: Int) { bytes += "\(kind)\(count):".utf8 }
        switch self {
        case .text(let text):
            begin("t", text.utf8.count)
            bytes += text.utf8
        case .list(let items):
            begin("l", items.count)
            for item in items { item.encode(into: &bytes) }
        case .mapping(let fields):
            let written = fields.filter(\.isWritten)
            begin("m", written.count)
            for field in written {
                DocumentValue.text(field.key).encode(into: &bytes)
                field.value?.encode(into: &bytes)
            }
        }
    }

    /// The bytes of ``encode(into:)``.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        encode(into: &bytes)
        return bytes
    }

    /// The items of a list; none if it is no list.
    package var items: [DocumentValue] { if case .list(let items) = self { items } else { [] } }

    /// The first field of a mapping, which says what it is about; `nil` if it is no mapping.
    package var firstField: DocumentField? { if case .mapping(let fields) = self { fields.first } else { nil } }

    /// True if it is a list of nothing but texts.
    var isListOfTexts: Bool {
        guard case .list(let items) = self else { return false }
        return items.allSatisfy { if case .text = $0 { true } else { false } }
    }
}

/// A key of a mapping with its new value.
package struct DocumentField: Hashable, Sendable {
    package private(set) var key: String
    /// The value; `nil` removes the key.
    package let value: DocumentValue?
    /// True if the key is added when it is missing; a key that only repeats the default is not needed.
    private(set) var isNeeded: Bool
    /// True if a key that is not needed is removed, instead of changed, when its value differs.
    let goesRatherThanChanges: Bool

    package init(
        _ key: String, _ value: DocumentValue?, isNeeded: Bool = true, goesRatherThanChanges: Bool = false
    ) {
        self.key = key
        self.value = value
        self.isNeeded = isNeeded
        self.goesRatherThanChanges = goesRatherThanChanges
    }

    /// True if it is there where a mapping is written anew.
    var isWritten: Bool { isNeeded && value != nil }

    /// The text, if the value is one.
    package var text: String? {
        if case .text(let text)? = value { text } else { nil }
    }

    /// The same value under another key.
    package func renamed(_ key: String) -> DocumentField {
        var field = self
        field.key = key
        return field
    }

    /// The same field where it only repeats the default.
    package var unneeded: DocumentField {
        var field = self
        field.isNeeded = false
        return field
    }

    /// A key with a text, or none.
    package init(_ key: String, _ text: String?, isNeeded: Bool = true) {
        self.init(key, text.map(DocumentValue.text), isNeeded: isNeeded)
    }

    /// A key that is `true` or `false`, and is left out where it is `false`.
    package static func truth(_ key: String, _ isTrue: Bool) -> DocumentField {
        DocumentField(key, .text(isTrue ? "true" : "false"), isNeeded: isTrue, goesRatherThanChanges: true)
    }
}
