// Setting fields of a document: only values that differ are changed.
extension DocumentEditor {
    /// Sets some fields of a mapping; its other keys stay as they are.
    ///
    /// - Parameters:
    ///   - fields: The fields with their new values.
    ///   - path: The mapping.
    ///   - order: Keys in their usual order, for those that are added; `nil` is that of the fields.
    package mutating func set(
        _ fields: [DocumentField], at path: [DocumentStep], order: [String]? = nil
    ) throws(EditFailure) {
        // Added first: a block that is emptied in between would lose its form.
        let order = order ?? fields.map(\.key)
        for field in fields {
            guard let value = field.value else { continue }
            if let node = node(at: path + [.key(field.key)]) {
                let isSaid = Self.text(of: node) == value
                if field.goesRatherThanChanges, !field.isNeeded, !isSaid {
                    try remove(field.key, from: path)
                } else {
                    try set(value, at: path + [.key(field.key)])
                }
            } else if field.isNeeded {
                try insert(DocumentValue.Entry(key: field.key, value: value), into: path, order: order)
            }
        }
        for field in fields where field.value == nil { try remove(field.key, from: path) }
    }

    /// Makes a value that is there say another one.
    mutating func set(_ value: DocumentValue, at path: [DocumentStep]) throws(EditFailure) {
        guard let node = node(at: path) else { throw .missing }
        switch (value, node.content) {
        case (.text(let text), .scalar(let old, _)):
            // Texts that look the same are not: filters compare bytes.
            if !text.utf8.elementsEqual(old.utf8) { try replace(node, at: path, with: text) }
        case (.mapping(let entries), .mapping):
            try set(entries.map { DocumentField($0.key, $0.value) }, at: path)
        case (.list(let items), .sequence(let old)) where value.isListOfTexts:
            try set(items, old.map(Self.text), at: path)
        default: throw .missing
        }
    }

    // Items that are no longer wanted go, and new ones come behind the others, where that makes the list; else each
    // index gets its item.
    private mutating func set(
        _ items: [DocumentValue], _ old: [DocumentValue?], at path: [DocumentStep]
    ) throws(EditFailure) {
        let kept = old.compactMap(\.self).filter(items.contains)
        guard kept == Array(items.prefix(kept.count)) else {
            for (index, item) in items.prefix(old.count).enumerated() { try set(item, at: path + [.item(index)]) }
            for item in items.dropFirst(old.count) { try append(item, to: path) }
            for index in old.indices.dropFirst(items.count).reversed() { try removeItem(index, from: path) }
            return
        }
        for item in items.dropFirst(kept.count) { try append(item, to: path) }
        for index in old.indices.reversed() where !items.contains(where: { $0 == old[index] }) {
            try removeItem(index, from: path)
        }
    }

    private static func text(of node: Node) -> DocumentValue? {
        if case .scalar(let text, _) = node.content { .text(text) } else { nil }
    }

    // With the quotes that were there.
    private mutating func replace(_ node: Node, at path: [DocumentStep], with text: String) throws(EditFailure) {
        let quotes = self.text.scalar(at: node.range.lowerBound).flatMap(ScalarText.Quotes.init)
        let range = node.range.lowerBound..<self.text.contentEnd(of: node.range)
        try make([Change(range, ScalarText.write(text, quotes: quotes, isInFlow: isInFlow(path)))])
    }

    private func isInFlow(_ path: [DocumentStep]) -> Bool {
        path.indices.contains { (try? collection(at: path.prefix($0)))?.isFlow == true }
    }
}
