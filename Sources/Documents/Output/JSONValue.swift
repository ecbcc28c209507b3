package import PolicyEngine

/// A JSON document as a value; equal values give equal bytes.
package indirect enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    case integer(Int)
    case string(String)
    case array([JSONValue])
    /// Members in the order of their keys' bytes.
    case sorted([ExactText: JSONValue])
    /// Members in the order given.
    case ordered([(key: String, value: JSONValue)])

    /// Writes the document on one line.
    package func write(to output: inout JSONBytes) {
        switch self {
        case .null: output.raw("null")
        case .boolean(true): output.raw("true")
        case .boolean(false): output.raw("false")
        case .integer(let value): output.integer(value)
        case .string(let text): output.string(text)
        case .array(let values): Self.write(values, to: &output)
        case .sorted(let members):
            let ordered = members.sorted { $0.key < $1.key }
            Self.write(ordered.map { ($0.key.text, $0.value) }, to: &output)
        case .ordered(let members): Self.write(members.map { ($0.key, $0.value) }, to: &output)
        }
    }

    private static func write(_ members: [(String, JSONValue)], to output: inout JSONBytes) {
        output.raw("{")
        for (index, (key, value)) in members.enumerated() {
            if index > 0 { output.raw(",") }
            output.string(key)
            output.raw(":")
            value.write(to: &output)
        }
        output.raw("}")
    }

    private static func write(_ values: [JSONValue], to output: inout JSONBytes) {
        output.raw("[")
        for (index, value) in values.enumerated() {
            if index > 0 { output.raw(",") }
            value.write(to: &output)
        }
        output.raw("]")
    }
}
