extension DocumentReader {
    /// Reads a mapping.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - what: The name of the value in messages, such as "a device" or "`devices`".
    /// - Returns: `nil` after noting an error when it is something else.
    package mutating func mapping(_ node: Node, _ what: String) -> DocumentMapping? {
        if let mapping = DocumentMapping(node, what) { return mapping }
        error("\(what) must be a mapping, not \(node.kindName)", at: node.position)
        return nil
    }

    /// Reads a list.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - what: The name of the value in messages.
    /// - Returns: `nil` after noting an error when it is something else.
    package mutating func sequence(_ node: Node, _ what: String) -> [Node]? {
        if case .sequence(let nodes) = node.content { return nodes }
        var hint: String?
        if case .scalar(let text, _) = node.content, !text.isEmpty { hint = "write \("[\(text)]".quoted)" }
        error("\(what) must be a list, not \(node.kindName)", at: node.position, hint: hint)
        return nil
    }

    /// Reads a list of texts.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - what: The name of the value in messages.
    /// - Returns: `nil` after noting an error for everything that is not text; repeated texts are given as they are.
    package mutating func texts(_ node: Node, _ what: String) -> [(text: String, position: SourcePosition)]? {
        guard let nodes = sequence(node, what) else { return nil }
        var result: [(text: String, position: SourcePosition)] = []
        for entry in nodes {
            guard let text = text(entry, "an entry of \(what)") else { continue }
            result.append((text, entry.position))
        }
        return result.count == nodes.count ? result : nil
    }
}
