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

// The forms of values; each is that of the reader of the same name in `DocumentReader`.
extension JSONSchema {
    /// Anything.
    package static let anything = JSONSchema()

    /// Text that is not empty.
    package static let text = JSONSchema([
        ("type", .list([.text("string"), .text("number"), .text("boolean")])), ("minLength", .number(1)),
    ])

    /// Text, which may be empty where quotes say that this is meant.
    package static let anyText = JSONSchema([
        ("type", .list([.text("string"), .text("number"), .text("boolean")]))
    ])

    /// Text of a form.
    ///
    /// - Parameter pattern: A regular expression of ECMA-262 for the whole text.
    package static func text(matching pattern: String) -> JSONSchema {
        JSONSchema([("type", .text("string")), ("pattern", .text("^(?:\(pattern))$"))])
    }

    /// Text of a form, where a number alone has that form, too.
    package static func textOrNumber(matching pattern: String) -> JSONSchema {
        JSONSchema([("type", .list([.text("string"), .text("number")])), ("pattern", .text("^(?:\(pattern))$"))])
    }

    /// One of these words.
    package static func words(_ words: [String]) -> JSONSchema {
        JSONSchema([("enum", .list(words.map(Value.text)))])
    }

    /// One of the words of a type.
    package static func words<Word: CaseIterable & RawRepresentable<String>>(of type: Word.Type) -> JSONSchema {
        words(Word.allCases.map(\.rawValue))
    }

    /// `on` or `off`.
    package static let onOff = words(["on", "off"])

    /// `true` or `false`, with or without quotes.
    package static let boolean = JSONSchema([
        ("enum", .list([.truth(true), .truth(false), .text("true"), .text("false")]))
    ])

    /// A whole number, with or without quotes.
    package static func integer(in range: ClosedRange<Int>) -> JSONSchema {
        var number = JSONSchema([("type", .text("integer"))])
        if range.lowerBound > .min { number = number.with("minimum", .number(range.lowerBound)) }
        if range.upperBound < .max { number = number.with("maximum", .number(range.upperBound)) }
        let sign = range.lowerBound < 0 ? "-?" : ""
        return any(of: [number, text(matching: "\(sign)[0-9]+")])
    }

    /// A duration such as `1h30m`.
    package static let duration = text(matching: "(?=.)([0-9]+y)?([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?")
        .naming(.duration)

    /// A duration of a day at most, as far as a pattern can say that.
    package static let durationOfADay = text(
        matching:
            "(?=.)(0+y)?(0*1d(0+h)?(0+m)?(0+s)?|(0+d)?(0*([0-9]|1[0-9]|2[0-4])h)?(0*[0-9]{1,4}m)?(0*[0-9]{1,5}s)?)"
    ).naming(.duration)

    /// An RFC 3339 timestamp.
    package static let instant = text(
        matching: "[0-9]{4}-(0[1-9]|1[0-2])-([0-2][0-9]|3[01])[Tt ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?"
            + "([Zz]|[+-][0-9]{2}:[0-9]{2})")

    private static let share = "(100(\\.0{1,9})?|0*[0-9]{1,2}(\\.[0-9]{1,9})?)"

    /// A percentage with its sign.
    package static let percentage = text(matching: share + "%")

    /// A percentage without its sign.
    package static let barePercentage = any(of: [
        JSONSchema([("type", .text("number")), ("minimum", .number(0)), ("maximum", .number(100))]),
        text(matching: share),
    ])

    /// Bytes in base64.
    package static func base64(bytes: ClosedRange<Int>) -> JSONSchema {
        let characters = { (count: Int) in (count * 4 + 2) / 3 }
        let bounds = "{\(characters(bytes.lowerBound)),\(characters(bytes.upperBound))}"
        return text(matching: "[A-Za-z0-9+/_-]\(bounds)={0,2}")
    }

    // MARK: Compounds

    /// A list.
    package static func list(of item: JSONSchema, atLeast least: Int = 0, atMost most: Int? = nil) -> JSONSchema {
        var schema = JSONSchema([("type", .text("array")), ("items", item.value)])
        if least > 0 { schema = schema.with("minItems", .number(least)) }
        if let most { schema = schema.with("maxItems", .number(most)) }
        return schema
    }

    /// A mapping with these keys, and no others but those of a form.
    package static func object(
        _ properties: [(name: String, schema: JSONSchema)], required: [String] = [], atLeast least: Int = 0,
        others: JSONSchema? = nil
    ) -> JSONSchema {
        var schema = JSONSchema([
            ("type", .text("object")),
            ("properties", .map(properties.map { (name: $0.name, value: $0.schema.value) })),
            ("additionalProperties", others?.value ?? .truth(false)),
        ])
        if !required.isEmpty { schema = schema.with("required", .list(required.map(Value.text))) }
        if least > 0 { schema = schema.with("minProperties", .number(least)) }
        return schema
    }

    /// The same list, in which no item is repeated.
    package var unique: JSONSchema { with("uniqueItems", .truth(true)) }

    /// A mapping with any keys of a form.
    package static func map(
        of value: JSONSchema, keys: JSONSchema = .anything, atLeast least: Int = 0
    ) -> JSONSchema {
        var schema = JSONSchema([("type", .text("object")), ("additionalProperties", value.value)])
        if !keys.members.isEmpty { schema = schema.with("propertyNames", keys.value) }
        if least > 0 { schema = schema.with("minProperties", .number(least)) }
        return schema
    }

    /// A value of one of several forms.
    package static func any(of schemas: [JSONSchema]) -> JSONSchema {
        JSONSchema([("anyOf", .list(schemas.map(\.value)))])
    }

    /// A value, or a list of some.
    package static func oneOrMore(_ schema: JSONSchema) -> JSONSchema {
        any(of: [schema, list(of: schema, atLeast: 1)])
    }
}
