/// A JSON Schema (2020-12) of what a document may hold.
///
/// Documents are YAML, whose plain texts `5` and `true` are a number and a truth value to an editor. A text is taken in
/// each of these forms, as the loaders take it.
package struct JSONSchema: Sendable {
    /// The members, in the order in which they are written.
    package var members: [(name: String, value: Value)]

    /// The value of a member.
    package enum Value: Sendable {
        case text(String)
        case number(Int)
        case truth(Bool)
        case list([Value])
        case map([(name: String, value: Value)])
    }

    /// A schema of these members.
    package init(_ members: [(name: String, value: Value)] = []) {
        self.members = members
    }

    /// The schema as a value of another.
    package var value: Value { .map(members) }

    /// The same schema with another member.
    package func with(_ name: String, _ value: Value) -> JSONSchema {
        JSONSchema(members + [(name, value)])
    }

    /// The same schema with words for people, which an editor shows.
    package func described(as text: String) -> JSONSchema { with("description", .text(text)) }

    /// The whole document.
    ///
    /// - Parameters:
    ///   - title: The kind of document.
    ///   - definitions: The definitions that it refers to, by name.
    /// - Returns: Lines of JSON.
    package func document(
        title: String, definitions: [(name: String, schema: JSONSchema)] = []
    ) -> String {
        let head: [(name: String, value: Value)] = [
            ("$schema", .text("https://json-schema.org/draft/2020-12/schema")), ("title", .text(title)),
        ]
        let parts = (name: "$defs", value: Value.map(definitions.map { (name: $0.name, value: $0.schema.value) }))
        return Self.text(.map(head + members + (definitions.isEmpty ? [] : [parts])), indent: "") + "\n"
    }

    /// A reference to a definition of the document.
    package static func reference(to name: String) -> JSONSchema { JSONSchema([("$ref", .text("#/$defs/\(name)"))]) }

    // MARK: Text

    private static func text(_ value: Value, indent: String) -> String {
        let inner = indent + "  "
        switch value {
        case .text(let text): return quoted(text)
        case .number(let number): return "\(number)"
        case .truth(let truth): return "\(truth)"
        case .list(let items):
            let isFlat = items.allSatisfy { item in
                if case .map = item { false } else if case .list = item { false } else { true }
            }
            if isFlat { return "[" + items.map { text($0, indent: "") }.joined(separator: ", ") + "]" }
            return "[\n" + items.map { inner + text($0, indent: inner) }.joined(separator: ",\n") + "\n\(indent)]"
        case .map(let all):
            let members = all.filter { !$0.name.hasPrefix(hiddenMark) }
            guard !members.isEmpty else { return "{}" }
            let lines = members.map { "\(inner)\(quoted($0.name)): \(text($0.value, indent: inner))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        }
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}

/// The schemas that editors know files of ours by.
package enum EditorSchema: String, CaseIterable, Sendable {
    case account, scenario, keys

    /// The folder in which the package installs them.
    package static let folder = "/usr/share/scenario/schemas"

    /// The name of the schema's file.
    package var fileName: String { "\(rawValue).schema.json" }

    /// The first line of a file that is written here, by which a language server for YAML finds the schema.
    package var line: String { "# yaml-language-server: $schema=\(Self.folder)/\(fileName)" }
}
