/// A value of a document with its position; nothing is typed yet, `on` and `5` are text like any other.
package struct Node: Sendable {
    /// The content of a value.
    package enum Content: Sendable {
        /// Text; `isPlain` is true if it was written without quotes.
        case scalar(String, isPlain: Bool)
        /// A list, in the order written.
        case sequence([Node])
        /// A mapping, in the order written; no key is given twice.
        case mapping([Entry])
    }

    /// One key of a mapping with its value.
    package struct Entry: Sendable {
        /// The key.
        package let key: String
        /// The position at which the key starts.
        package let keyPosition: SourcePosition
        /// The Unicode scalars of the text that the key takes, quotes included.
        package let keyRange: Range<Int>
        /// The value behind the key.
        package let value: Node

        /// Makes an entry.
        package init(key: String, keyPosition: SourcePosition, keyRange: Range<Int> = 0..<0, value: Node) {
            self.key = key
            self.keyPosition = keyPosition
            self.keyRange = keyRange
            self.value = value
        }
    }

    /// The position at which the value starts; for a mapping in block style, its first key.
    package let position: SourcePosition
    /// The Unicode scalars of the text that the value takes, with quotes or brackets; those at the end of a text in block style
    /// may be among them.
    package let range: Range<Int>
    /// The text, list or mapping.
    package let content: Content

    /// Makes a node.
    package init(position: SourcePosition, range: Range<Int> = 0..<0, content: Content) {
        self.position = position
        self.range = range
        self.content = content
    }

    /// The name of its kind in messages: "a list", "a mapping", "text", or "an empty value" if nothing was written.
    package var kindName: String {
        switch content {
        case .scalar("", isPlain: true): "an empty value"
        case .scalar: "text"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}
