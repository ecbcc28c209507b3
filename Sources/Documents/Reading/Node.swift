/// A value of a document with its position; nothing is typed yet, `on` and `5` are text like any other.
package struct Node: Sendable {
    /// What a value holds.
    package enum Content: Sendable {
        /// Text; `isPlain` says whether it stood without quotes.
        case scalar(String, isPlain: Bool)
        /// A list, in the order written.
        case sequence([Node])
        /// A mapping, in the order written; no key stands twice.
        case mapping([Entry])
    }

    /// One key of a mapping with its value.
    package struct Entry: Sendable {
        /// The key.
        package let key: String
        /// Where the key starts.
        package let keyPosition: SourcePosition
        /// The Unicode scalars of the text that the key takes, quotes included.
        package let keyRange: Range<Int>
        /// What stands behind it.
        package let value: Node

        /// Makes an entry.
        package init(key: String, keyPosition: SourcePosition, keyRange: Range<Int> = 0..<0, value: Node) {
            self.key = key
            self.keyPosition = keyPosition
            self.keyRange = keyRange
            self.value = value
        }
    }

    /// Where the value starts; for a mapping in block style, its first key.
    package let position: SourcePosition
    /// The Unicode scalars of the text that the value takes, with quotes or brackets; what a text in block style ends
    /// with may be among them.
    package let range: Range<Int>
    /// What it holds.
    package let content: Content

    /// Makes a node.
    package init(position: SourcePosition, range: Range<Int> = 0..<0, content: Content) {
        self.position = position
        self.range = range
        self.content = content
    }

    /// What messages call it: "a list", "a mapping", "text", or "an empty value" where nothing was written.
    package var kindName: String {
        switch content {
        case .scalar("", isPlain: true): "an empty value"
        case .scalar: "text"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}
