/// The fields of a mapping, each declared once: reading, suggestions for misspelt keys, writing and the schema follow.
package struct RecordFields<Record>: Sendable {
    /// The fields, in the order in which they are read and written.
    package let fields: [RecordField<Record>]

    package init(_ fields: [RecordField<Record>]) {
        self.fields = fields
    }

    /// Reads a mapping.
    ///
    /// - Parameters:
    ///   - node: The mapping.
    ///   - what: The name of the mapping in messages, such as "a device".
    ///   - record: The record where nothing is said.
    /// - Returns: `nil` after noting an error at what is no mapping, or at a field that the record needs.
    package func read(
        _ node: Node, _ what: String, from record: Record, _ reader: inout DocumentReader
    ) -> Record? {
        guard var mapping = reader.mapping(node, what) else { return nil }
        let record = read(from: &mapping, record, &reader)
        mapping.finish(&reader)
        return record
    }

    /// Reads the fields of a mapping that may have others.
    package func read(
        from mapping: inout DocumentMapping, _ record: Record, _ reader: inout DocumentReader
    ) -> Record? {
        var (record, isComplete) = (record, true)
        for field in fields {
            let value = field.isRequired ? mapping.require(field.key, &reader) : mapping.take(field.key)
            let isRead = value.map { field.read($0, &record, &reader) } ?? !field.isRequired
            isComplete = isComplete && isRead
        }
        return isComplete ? record : nil
    }

    /// The fields of a record in a document.
    package func values(of record: Record) -> [DocumentField] { fields.compactMap { $0.write(record) } }

    /// The form of the mapping.
    ///
    /// - Parameters:
    ///   - needed: Other fields that it needs, in front of these.
    ///   - least: The number of fields that it has at least.
    package func schema(
        behind needed: [(name: String, schema: JSONSchema)] = [], atLeast least: Int = 0
    ) -> JSONSchema {
        .object(
            needed + fields.map { ($0.key, $0.schema) },
            required: needed.map(\.name) + fields.filter(\.isRequired).map(\.key), atLeast: least)
    }
}

/// A field of a mapping: its key, its form, and the part of a record that it says.
package struct RecordField<Record>: Sendable {
    package let key: String
    private let makeSchema: @Sendable () -> JSONSchema
    package var schema: JSONSchema { makeSchema() }
    let isRequired: Bool
    /// Reads the value into a record; false after an error that leaves no record.
    package let read: @Sendable (Node, inout Record, inout DocumentReader) -> Bool
    /// Writes the field; `nil` for one that is only read.
    package let write: @Sendable (Record) -> DocumentField?

    private init(
        _ key: String, _ schema: @autoclosure @escaping @Sendable () -> JSONSchema, isRequired: Bool,
        read: @escaping @Sendable (Node, inout Record, inout DocumentReader) -> Bool,
        write: @escaping @Sendable (Record) -> DocumentField?
    ) {
        (self.key, makeSchema, self.isRequired, self.read, self.write) = (key, schema, isRequired, read, write)
    }

    /// A field that is read in a way of its own.
    package init(
        _ key: String, _ schema: @autoclosure @escaping @Sendable () -> JSONSchema,
        read: @escaping @Sendable (Node, inout Record, inout DocumentReader) -> Void,
        write: @escaping @Sendable (Record) -> DocumentField? = { _ in nil }
    ) {
        self.init(
            key, schema(), isRequired: false,
            read: { node, record, reader in
                read(node, &record, &reader)
                return true
            }, write: write)
    }

    /// A field without which there is no record.
    package static func required<Value>(
        _ key: String, _ path: any WritableKeyPath<Record, Value> & Sendable, _ form: ValueForm<Value>
    ) -> RecordField {
        RecordField(key, form.schema, isRequired: true) { node, record, reader in
            guard let value = form.read(node, key.quoted, &reader) else { return false }
            record[keyPath: path] = value
            return true
        } write: {
            DocumentField(key, form.write($0[keyPath: path]))
        }
    }

    /// A field that may be missing.
    package static func optional<Value>(
        _ key: String, _ path: any WritableKeyPath<Record, Value?> & Sendable, _ form: ValueForm<Value>
    ) -> RecordField {
        RecordField(key, form.schema) { node, record, reader in
            record[keyPath: path] = form.read(node, key.quoted, &reader)
        } write: {
            DocumentField(key, $0[keyPath: path].map(form.write))
        }
    }

    /// A field that changes nothing where it is missing.
    ///
    /// - Parameter usual: The value that is not written, if there is one.
    package static func value<Value: Equatable & Sendable>(
        _ key: String, _ path: any WritableKeyPath<Record, Value> & Sendable, _ form: ValueForm<Value>,
        usually usual: Value? = nil
    ) -> RecordField {
        RecordField(key, form.schema) { node, record, reader in
            record[keyPath: path] = form.read(node, key.quoted, &reader) ?? record[keyPath: path]
        } write: {
            DocumentField(key, form.write($0[keyPath: path]), isNeeded: $0[keyPath: path] != usual)
        }
    }

    /// A list that is left out where it is empty.
    package static func list<Item>(
        _ key: String, _ path: any WritableKeyPath<Record, [Item]> & Sendable, _ form: ValueForm<[Item]>
    ) -> RecordField {
        RecordField(key, form.schema) { node, record, reader in
            record[keyPath: path] = form.read(node, key.quoted, &reader) ?? []
        } write: {
            DocumentField(key, $0[keyPath: path].isEmpty ? nil : form.write($0[keyPath: path]))
        }
    }

    /// A field that is `true`, or is left out.
    package static func truth(_ key: String, _ path: any WritableKeyPath<Record, Bool> & Sendable) -> RecordField {
        RecordField(key, .boolean) { node, record, reader in
            record[keyPath: path] = reader.boolean(node, key.quoted) ?? record[keyPath: path]
        } write: {
            .truth(key, $0[keyPath: path])
        }
    }
}

extension Node {
    /// The value of a key; `nil` where it is missing, or this is no mapping.
    package subscript(key: String) -> Node? {
        guard case .mapping(let entries) = content else { return nil }
        return entries.first { $0.key == key }?.value
    }

    /// True if it is a mapping.
    package var isMapping: Bool { if case .mapping = content { true } else { false } }

    /// The text, if it is one.
    package var text: String? {
        if case .scalar(let text, _) = content { text } else { nil }
    }
}
