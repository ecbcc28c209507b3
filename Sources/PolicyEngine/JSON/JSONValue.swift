/// A JSON document as a value; equal values give equal bytes.
package indirect enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    case integer(Int)
    /// A number as it was written.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// Members in the order of their keys' bytes.
    case sorted([ExactText: JSONValue])
    /// Members in the order given.
    case ordered([(key: String, value: JSONValue)])
    /// A long part of a document that was written before, on one line.
    case written(JSONBytes)

    /// Writes the document on one line.
    package func write(to output: inout JSONBytes) {
        write(to: &output, Layout())
    }

    /// The document on one line, without a line break.
    package var bytes: [UInt8] {
        var output = JSONBytes()
        write(to: &output)
        return output.bytes
    }

    /// The document on one line, newline included.
    package var line: [UInt8] { bytes + [UInt8(ascii: "\n")] }

    /// The document with a line for each member and each item, newline included.
    ///
    /// - Parameter width: The spaces of a level.
    package func indented(by width: Int = 2) -> String {
        var output = JSONBytes()
        write(to: &output, Layout(width: width))
        output.raw("\n")
        return String(decoding: output.bytes, as: UTF8.self)
    }

    // The line breaks of a document: none without a width.
    private struct Layout {
        var width: Int?
        var level = 0

        var inner: Layout { Layout(width: width, level: level + 1) }

        func breakLine(in output: inout JSONBytes) {
            guard let width else { return }
            output.raw("\n")
            for _ in 0..<(width * level) { output.raw(" ") }
        }
    }

    private func write(to output: inout JSONBytes, _ layout: Layout) {
        switch self {
        case .null: output.raw("null")
        case .boolean(true): output.raw("true")
        case .boolean(false): output.raw("false")
        case .integer(let value): output.integer(value)
        case .number(let digits): output.bytes += Array(digits.utf8)
        case .string(let text): output.string(text)
        case .written(let part): output.bytes += part.bytes
        case .array(let values):
            Self.write(values, open: "[", close: "]", to: &output, layout) { $0.write(to: &$1, layout.inner) }
        case .sorted(let members):
            let ordered = members.sorted { $0.key < $1.key }
            Self.write(ordered.map { ($0.key.text, $0.value) }, to: &output, layout)
        case .ordered(let members): Self.write(members.map { ($0.key, $0.value) }, to: &output, layout)
        }
    }

    private static func write(_ members: [(String, JSONValue)], to output: inout JSONBytes, _ layout: Layout) {
        write(members, open: "{", close: "}", to: &output, layout) { member, output in
            output.string(member.0)
            output.raw(layout.width == nil ? ":" : ": ")
            member.1.write(to: &output, layout.inner)
        }
    }

    private static func write<Item>(
        _ items: [Item], open: StaticString, close: StaticString, to output: inout JSONBytes, _ layout: Layout,
        _ writeItem: (Item, inout JSONBytes) -> Void
    ) {
        output.raw(open)
        for (index, item) in items.enumerated() {
            if index > 0 { output.raw(",") }
            layout.inner.breakLine(in: &output)
            writeItem(item, &output)
        }
        if !items.isEmpty { layout.breakLine(in: &output) }
        output.raw(close)
    }
}
