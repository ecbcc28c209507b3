// Replacing whole values of any form.
extension DocumentEditor {
    /// Replaces an existing value by another one: if it has the same form, only the parts that differ are changed, else the whole
    /// value is written anew, on one line.
    package mutating func replace(at path: [DocumentStep], with value: DocumentValue) throws(EditFailure) {
        var changed = self
        do throws(EditFailure) {
            try changed.set(value, at: path)
            self = changed
        } catch {
            guard let node = node(at: path) else { throw .missing }
            let range = node.range.lowerBound..<max(node.range.lowerBound, text.contentEnd(of: node.range))
            try make([Change(range, style.flow(value))])
        }
    }

    /// The path to the entry of a mapping whose key is at a position; `nil` if there is none.
    package func path(toKeyAt position: SourcePosition) -> [DocumentStep]? { Self.path(toKeyAt: position, in: root) }

    private static func path(toKeyAt position: SourcePosition, in node: Node) -> [DocumentStep]? {
        switch node.content {
        case .scalar: return nil
        case .sequence(let items):
            for (index, item) in items.enumerated() {
                if let rest = path(toKeyAt: position, in: item) { return [.item(index)] + rest }
            }
        case .mapping(let entries):
            for entry in entries {
                if entry.keyPosition == position { return [.key(entry.key)] }
                if let rest = path(toKeyAt: position, in: entry.value) { return [.key(entry.key)] + rest }
            }
        }
        return nil
    }
}
