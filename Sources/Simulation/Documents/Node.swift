/// A value of a document with its place; nothing is typed yet, `on` and `5` are text like any other.
package struct Node: Sendable {
    /// What a value holds.
    package enum Content: Sendable {
        /// Text; `isPlain` tells whether it stood without quotes.
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
        /// What stands behind it.
        package let value: Node

        /// Makes an entry.
        package init(key: String, keyPosition: SourcePosition, value: Node) {
            self.key = key
            self.keyPosition = keyPosition
            self.value = value
        }
    }

    /// Where the value starts; for a mapping in block style, its first key.
    package let position: SourcePosition
    /// What it holds.
    package let content: Content

    /// Makes a node.
    package init(position: SourcePosition, content: Content) {
        self.position = position
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
