internal import HTTP
internal import PolicyEngine

/// The form of an answer, for the documentation.
indirect enum AnswerForm: Sendable {
    case text, integer, boolean
    /// Any JSON.
    case anything
    case list(AnswerForm)
    /// An object with these members, of which those that end with `?` may be missing.
    case members([String: AnswerForm])
    /// An object with whatever names.
    case values(AnswerForm)
    /// Samples of OpenMetrics, which are no JSON.
    case metrics

    /// The media type of an answer of this form.
    var mediaType: String {
        if case .metrics = self { return "application/openmetrics-text" }
        return HTTPAnswer.json
    }

    /// The JSON Schema of the answer.
    var schema: JSONValue {
        switch self {
        case .text, .metrics: .ordered([("type", .string("string"))])
        case .integer: .ordered([("type", .string("integer"))])
        case .boolean: .ordered([("type", .string("boolean"))])
        case .anything: .boolean(true)
        case .list(let item): .ordered([("type", .string("array")), ("items", item.schema)])
        case .values(let value): .ordered([("type", .string("object")), ("additionalProperties", value.schema)])
        case .members(let members): Self.schema(of: members)
        }
    }

    private static func schema(of members: [String: AnswerForm]) -> JSONValue {
        let names = members.keys.sorted()
        let properties = names.map { name in
            (key: name.hasSuffix("?") ? String(name.dropLast()) : name, value: members[name]?.schema ?? .null)
        }
        return .ordered([
            ("type", .string("object")), ("properties", .ordered(properties)),
            ("required", .array(names.filter { !$0.hasSuffix("?") }.map { .string($0) })),
        ])
    }

    /// A request that is refused.
    static let refusal = AnswerForm.members(["error": .text, "field?": .text, "hint?": .text])
}
