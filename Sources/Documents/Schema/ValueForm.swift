/// A form of values in documents: its schema, and how a value is read and written.
package struct ValueForm<Value>: Sendable {
    // Made when somebody asks for it, since most forms are made to read a value.
    private let makeSchema: @Sendable () -> JSONSchema
    package var schema: JSONSchema { makeSchema() }
    /// Reads a value, which has a name in messages; `nil` after noting an error.
    package let read: @Sendable (_ node: Node, _ what: String, _ reader: inout DocumentReader) -> Value?
    /// Writes a value.
    package let write: @Sendable (Value) -> DocumentValue

    /// A form of values that are written as they are printed, if not in a way of their own.
    package init(
        _ schema: @autoclosure @escaping @Sendable () -> JSONSchema,
        read: @escaping @Sendable (Node, String, inout DocumentReader) -> Value?,
        write: @escaping @Sendable (Value) -> DocumentValue = { .text("\($0)") }
    ) {
        (makeSchema, self.read, self.write) = (schema, read, write)
    }

    /// The same form with a schema that knows more of it.
    package func described(by schema: @autoclosure @escaping @Sendable () -> JSONSchema) -> ValueForm {
        ValueForm(schema(), read: read, write: write)
    }

    /// The same form, whose values have another meaning; for what is only read.
    package func map<Meaning>(_ meaning: @escaping @Sendable (Value) -> Meaning) -> ValueForm<Meaning> {
        ValueForm<Meaning>(schema) { [read] in read($0, $1, &$2).map(meaning) }
    }

    /// The same form, of which not every value has a meaning; for what is only read.
    ///
    /// - Parameter meaning: The meaning of a value; `nil` after noting an error.
    package func flatMap<Meaning>(
        _ meaning: @escaping @Sendable (_ value: Value, _ node: Node, _ what: String, inout DocumentReader) -> Meaning?
    ) -> ValueForm<Meaning> {
        ValueForm<Meaning>(schema) { [read] node, what, reader in
            read(node, what, &reader).flatMap { meaning($0, node, what, &reader) }
        }
    }

    /// This form, or a mapping of another form; for what is only read.
    package func or(mapping other: ValueForm) -> ValueForm {
        ValueForm(.any(of: [schema, other.schema])) { [read] node, what, reader in
            node.isMapping ? other.read(node, what, &reader) : read(node, what, &reader)
        }
    }

    /// A mapping of these fields, which change a record in their order.
    package static func mapping(
        _ record: Value, _ fields: [Field<Value>], atLeast least: Int = 0
    ) -> ValueForm where Value: Sendable {
        let all = fields
        return ValueForm(all.schema(atLeast: least)) { all.read($0, $1, from: record, &$2) }
    }
}

extension ValueForm<String> {
    /// Text that is not empty.
    package static var text: ValueForm { ValueForm(.text, read: { $2.text($0, $1) }) }

    /// One of these words.
    package static func word(_ words: [String]) -> ValueForm {
        ValueForm(.words(words), read: { $2.choice($0, $1, from: words) })
    }

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

    /// A duration in seconds.
    package static var duration: ValueForm { ValueForm(.duration, read: { $2.duration($0, $1) }) }
}

extension ValueForm where Value: RawRepresentable<String> & CaseIterable & Sendable {
    /// One of the words of a type.
    package static var word: ValueForm {
        ValueForm(.words(of: Value.self), read: { $2.word($0, $1) }, write: { .text($0.rawValue) })
    }
}
