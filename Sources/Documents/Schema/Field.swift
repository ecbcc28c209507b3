/// A field of a mapping in a document, declared once: its key, its form, the part of a record that it says, and words for people.
///
/// A mapping is read and written by a list of fields. Reading, suggestions for misspelt keys, writing and the schema are functions
/// over that list.
package struct Field<Record>: Sendable {
    package let key: String
    private let makeSchema: @Sendable () -> JSONSchema
    /// The form of its value, with the words that an editor shows.
    package var schema: JSONSchema { makeSchema() }
    let isRequired: Bool
    /// Reads the value into a record; false after an error that leaves no record.
    package let read: @Sendable (Node, inout Record, inout DocumentReader) -> Bool
    /// Writes the field; `nil` for one that is only read.
    package let write: @Sendable (Record) -> DocumentField?

    private init(
        _ key: String, _ schema: @autoclosure @escaping @Sendable () -> JSONSchema, _ help: String?, isRequired: Bool,
        read: @escaping @Sendable (Node, inout Record, inout DocumentReader) -> Bool,
        write: @escaping @Sendable (Record) -> DocumentField?
    ) {
        makeSchema = { help.map { schema().described(as: $0) } ?? schema() }
        (self.key, self.isRequired, self.read, self.write) = (key, isRequired, read, write)
    }

    /// A field that is read in a way of its own.
    package init(
        _ key: String, _ schema: @autoclosure @escaping @Sendable () -> JSONSchema, _ help: String? = nil,
        read: @escaping @Sendable (Node, inout Record, inout DocumentReader) -> Void,
        write: @escaping @Sendable (Record) -> DocumentField? = { _ in nil }
    ) {
        self.init(
            key, schema(), help, isRequired: false,
            read: { node, record, reader in
                read(node, &record, &reader)
                return true
            }, write: write)
    }

    // A field of a form: what it gets is set, and what is got from a record is written.
    private init<Value>(
        _ key: String, _ form: ValueForm<Value>, _ help: String?, isRequired: Bool = false,
        set: @escaping @Sendable (inout Record, Value?) -> Void, write: @escaping @Sendable (Record) -> DocumentField?
    ) {
        self.init(
            key, form.schema, help, isRequired: isRequired,
            read: { node, record, reader in
                let value = form.read(node, key.quoted, &reader)
                set(&record, value)
                return value != nil || !isRequired
            }, write: write)
    }

    /// A field without which there is no record.
    package static func required<Value>(
        _ key: String, _ path: any WritableKeyPath<Record, Value> & Sendable, _ form: ValueForm<Value>,
        _ help: String? = nil
    ) -> Field {
        Field(key, form, help, isRequired: true) {
            $0[keyPath: path] = $1 ?? $0[keyPath: path]
        } write: {
            DocumentField(key, form.write($0[keyPath: path]))
        }
    }

    /// A field that may be missing.
    package static func optional<Value>(
        _ key: String, _ path: any WritableKeyPath<Record, Value?> & Sendable, _ form: ValueForm<Value>,
        _ help: String? = nil
    ) -> Field {
        Field(key, form, help) {
            $0[keyPath: path] = $1
        } write: {
            DocumentField(key, $0[keyPath: path].map(form.write))
        }
    }

    /// A field that changes nothing where it is missing.
    ///
    /// - Parameter usual: The value that is not written, if there is one.
    package static func value<Value: Equatable & Sendable>(
        _ key: String, _ path: any WritableKeyPath<Record, Value> & Sendable, _ form: ValueForm<Value>,
        usually usual: Value? = nil, _ help: String? = nil
    ) -> Field {
        Field(key, form, help) {
            $0[keyPath: path] = $1 ?? $0[keyPath: path]
        } write: {
            DocumentField(key, form.write($0[keyPath: path]), isNeeded: $0[keyPath: path] != usual)
        }
    }

    /// A list that is left out where it is empty.
    package static func list<Item>(
        _ key: String, _ path: any WritableKeyPath<Record, [Item]> & Sendable, _ form: ValueForm<[Item]>,
        _ help: String? = nil
    ) -> Field {
        Field(key, form, help) {
            $0[keyPath: path] = $1 ?? []
        } write: {
            DocumentField(key, $0[keyPath: path].isEmpty ? nil : form.write($0[keyPath: path]))
        }
    }

    /// A field that is `true`, or is left out.
    package static func truth(
        _ key: String, _ path: any WritableKeyPath<Record, Bool> & Sendable, _ help: String? = nil
    ) -> Field {
        Field(key, .boolean, help) {
            $0[keyPath: path] = $1 ?? $0[keyPath: path]
        } write: {
            .truth(key, $0[keyPath: path])
        }
    }
}

extension Array {
    /// Reads a mapping.
    ///
    /// - Parameters:
    ///   - node: The mapping.
    ///   - what: The name of the mapping in messages, such as "a device".
    ///   - record: The record where nothing is said.
    /// - Returns: `nil` after noting an error at what is no mapping, or at a field that the record needs.
    package func read<Record>(
        _ node: Node, _ what: String, from record: Record, _ reader: inout DocumentReader
    ) -> Record? where Element == Field<Record> {
        guard var mapping = reader.mapping(node, what) else { return nil }
        let record = read(from: &mapping, record, &reader)
        mapping.finish(&reader)
        return record
    }

    /// Reads the fields of a mapping that may have others.
    package func read<Record>(
        from mapping: inout DocumentMapping, _ record: Record, _ reader: inout DocumentReader
    ) -> Record? where Element == Field<Record> {
        var (record, isComplete) = (record, true)
        for field in self {
            let value = field.isRequired ? mapping.require(field.key, &reader) : mapping.take(field.key)
            let isRead = value.map { field.read($0, &record, &reader) } ?? !field.isRequired
            isComplete = isComplete && isRead
        }
        return isComplete ? record : nil
    }

    /// The fields of a record in a document.
    package func values<Record>(of record: Record) -> [DocumentField] where Element == Field<Record> {
        compactMap { $0.write(record) }
    }

    /// A record as the value of a key or as an item of a list.
    package func value<Record>(of record: Record) -> DocumentValue where Element == Field<Record> {
        .mapping(values(of: record))
    }

    /// The lines of a document that is a record, each mapping in it as a block.
    package func lines<Record>(of record: Record) -> [String] where Element == Field<Record> {
        values(of: record).filter(\.isWritten).flatMap { DocumentStyle.blocks.lines(of: $0, indentation: 0) }
    }

    /// The form of the mapping.
    ///
    /// - Parameters:
    ///   - needed: Other fields that it needs, in front of these.
    ///   - least: The number of fields that it has at least.
    package func schema<Record>(
        behind needed: [(name: String, schema: JSONSchema)] = [], atLeast least: Int = 0
    ) -> JSONSchema where Element == Field<Record> {
        .object(
            needed + map { ($0.key, $0.schema) },
            required: needed.map(\.name) + filter(\.isRequired).map(\.key), atLeast: least)
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
