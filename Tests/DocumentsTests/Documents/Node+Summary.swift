import Documents

extension Node {
    /// The tree on one line: texts in angle brackets unless plain, lists and mappings as in flow style.
    var summary: String {
        switch content {
        case .scalar(let text, let isPlain): isPlain ? text : "<\(text)>"
        case .sequence(let nodes): "[" + nodes.map(\.summary).joined(separator: ", ") + "]"
        case .mapping(let entries):
            "{" + entries.map { "\($0.key): \($0.value.summary)" }.joined(separator: ", ") + "}"
        }
    }

    /// The positions of all texts and keys, in the order of the document.
    var positions: [String: SourcePosition] {
        switch content {
        case .scalar(let text, _): [text: position]
        case .sequence(let nodes): nodes.map(\.positions).reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        case .mapping(let entries):
            entries.reduce(into: [:]) { result, entry in
                result[entry.key] = entry.keyPosition
                result.merge(entry.value.positions) { first, _ in first }
            }
        }
    }
}
