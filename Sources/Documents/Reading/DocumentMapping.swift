/// Walks over a mapping strictly: a key that nobody asked for is an error.
package struct DocumentMapping: Sendable {
    /// The name of the mapping in messages, such as "a device".
    package let what: String
    /// The position at which it starts.
    package let position: SourcePosition
    /// Its keys and values, in the order written.
    package let entries: [Node.Entry]

    // The keys asked for, in order, whether they are there or not; one that was asked for twice is there twice.
    private var known: [String] = []

    /// Takes a node apart.
    ///
    /// - Parameters:
    ///   - node: A mapping; for anything else the result is `nil`, and `DocumentReader.mapping` reports it.
    ///   - what: The name of the mapping in messages.
    package init?(_ node: Node, _ what: String) {
        guard case .mapping(let entries) = node.content else { return nil }
        self.what = what
        self.entries = entries
        position = node.position
        known.reserveCapacity(Self.usualKeys)
    }

    // A mapping that asks for more keys takes memory once more.
    private static let usualKeys = 8

    /// The value of a key, which is known from now on.
    ///
    /// - Returns: `nil` when the key is not there.
    /// - Complexity: O(*n*) in the number of keys.
    package mutating func take(_ key: String) -> Node? {
        known.append(key)
        for index in entries.indices where entries[index].key == key { return entries[index].value }
        return nil
    }

    /// The value of a key that has to be there; notes an error at the mapping when it is not.
    package mutating func require(_ key: String, _ reader: inout DocumentReader) -> Node? {
        let value = take(key)
        if value == nil { reader.error("\(key.quoted) is missing from \(what)", at: position) }
        return value
    }

    /// The position of a key.
    ///
    /// - Returns: `nil` if it is not there.
    package func keyPosition(of key: String) -> SourcePosition? {
        entries.first { $0.key == key }?.keyPosition
    }

    /// Makes keys known without reading them, so that they are neither errors nor forgotten in suggestions.
    package mutating func allow(_ keys: some Sequence<String>) {
        known += keys
    }

    /// Notes an error for every key that is not known, with a suggestion where a known one is near.
    package func finish(_ reader: inout DocumentReader) {
        for entry in entries where !known.contains(entry.key) {
            let hint = reader.isFull ? nil : hint(on: entry)
            reader.error("unknown key \(entry.key.quoted) in \(what)", at: entry.keyPosition, hint: hint)
        }
    }

    private func hint(on entry: Node.Entry) -> String? {
        if let hint = Suggestion.hint(forKey: entry.key, among: known) { return hint }
        guard case .scalar("", isPlain: true) = entry.value.content else { return nil }
        return "between braces a comma ends a value; a value that holds commas is put in quotes"
    }
}

// Keys that are listed once, as the cases of an enumeration.
extension DocumentMapping {
    /// The value of a key.
    package mutating func take(_ key: some RawRepresentable<String>) -> Node? { take(key.rawValue) }

    /// The value of a key that has to be there.
    package mutating func require(_ key: some RawRepresentable<String>, _ reader: inout DocumentReader) -> Node? {
        require(key.rawValue, &reader)
    }
}
