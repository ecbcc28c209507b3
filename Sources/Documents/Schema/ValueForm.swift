/// A form of values in documents: its schema, and how a value is read and written.
package struct ValueForm<Value>: Sendable {
    package let schema: JSONSchema
    /// Reads a value, which has a name in messages; `nil` after noting an error.
    package let read: @Sendable (_ node: Node, _ what: String, _ reader: inout DocumentReader) -> Value?
    /// Writes a value.
    package let write: @Sendable (Value) -> DocumentValue

    /// A form of values that are written as they are printed, if not in a way of their own.
    package init(
        _ schema: JSONSchema, read: @escaping @Sendable (Node, String, inout DocumentReader) -> Value?,
        write: @escaping @Sendable (Value) -> DocumentValue = { .text("\($0)") }
    ) {
        (self.schema, self.read, self.write) = (schema, read, write)
    }

    /// The same form with a schema that knows more of it.
    package func described(by schema: JSONSchema) -> ValueForm { ValueForm(schema, read: read, write: write) }
}

extension ValueForm<String> {
    /// Text that is not empty.
    package static var text: ValueForm { ValueForm(.text, read: { $2.text($0, $1) }) }

    /// Text, which may be empty where quotes say that this is meant.
    package static var anyText: ValueForm {
        ValueForm(.anyText) { node, what, reader in
            if case .scalar("", isPlain: false) = node.content { "" } else { reader.text(node, what) }
        }
    }
}

extension ValueForm<[String]> {
    /// A list of texts.
    package static var texts: ValueForm {
        ValueForm(.list(of: .text), read: { $2.texts($0, $1)?.map(\.text) }, write: { .texts($0) })
    }
}

extension ValueForm<Bool> {
    /// `true` or `false`.
    package static var boolean: ValueForm {
        ValueForm(.boolean, read: { $2.boolean($0, $1) })
    }

    /// `on` or `off`.
    package static var onOff: ValueForm {
        ValueForm(.onOff, read: { $2.onOff($0, $1) }, write: { .text($0 ? "on" : "off") })
    }

    /// One of two words, of which the first one means true.
    package static func words(_ yes: String, _ no: String) -> ValueForm {
        ValueForm(
            .words([yes, no]),
            read: { node, what, reader in reader.choice(node, what, from: [yes, no]).map { $0 == yes } },
            write: { .text($0 ? yes : no) })
    }
}

extension ValueForm<Int> {
    /// A whole number.
    package static func integer(in range: ClosedRange<Int>) -> ValueForm {
        ValueForm(.integer(in: range), read: { $2.integer($0, $1, in: range) })
    }
}

extension ValueForm where Value: RawRepresentable<String> & CaseIterable & Sendable {
    /// One of the words of a type.
    package static var word: ValueForm {
        ValueForm(.words(of: Value.self), read: { $2.word($0, $1) }, write: { .text($0.rawValue) })
    }
}
