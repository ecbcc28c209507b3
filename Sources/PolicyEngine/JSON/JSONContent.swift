/// A JSON document that was read (RFC 8259). Texts are equal by their bytes, and numbers keep the form they had.
package indirect enum JSONContent: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// The number as it was written.
    case number(String)
    case string(ExactText)
    case array([JSONContent])
    /// The members in their order; no name occurs twice.
    case object([JSONMember])

    /// The value of a member; `nil` where there is none, or this is no object.
    package subscript(name: ExactText) -> JSONContent? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The text; `nil` where this is none.
    package var text: String? {
        if case .string(let text) = self { text.text } else { nil }
    }

    /// The whole number; `nil` where this is none, or it does not fit.
    package var integer: Int? {
        if case .number(let digits) = self { Int(digits) } else { nil }
    }

    /// The same as a value that can be written in several forms.
    package var json: JSONValue {
        switch self {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .number(let digits): .number(digits)
        case .string(let text): .string(text.text)
        case .array(let items): .array(items.map(\.json))
        case .object(let members):
            .sorted(Dictionary(members.map { ($0.name, $0.value.json) }) { first, _ in first })
        }
    }

    /// Writes the document on one line, the members of objects in the order of their names' bytes.
    package func writeSorted(to output: inout JSONBytes) { json.write(to: &output) }
}

/// A name of a JSON object and its value.
package struct JSONMember: Hashable, Sendable {
    package let name: ExactText
    package let value: JSONContent

    package init(_ name: ExactText, _ value: JSONContent) {
        self.name = name
        self.value = value
    }
}
