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
                try insert(DocumentField(field.key, value.written), into: path, order: order)
            }
        }
        for field in fields where field.value == nil { try remove(field.key, from: path) }
    }

    /// Makes a value that is there say another one.
    package mutating func set(_ value: DocumentValue, at path: [DocumentStep]) throws(EditFailure) {
        guard let node = node(at: path) else { throw .missing }
        switch (value, node.content) {
        case (.text(let text), .scalar(let old, _)):
            // Texts that look the same are not: filters compare bytes.
            if !text.utf8.elementsEqual(old.utf8) { try replace(node, at: path, with: text) }
        case (.mapping(let fields), .mapping): try set(fields, at: path)
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

// Adding and removing members of lists and mappings of any form.
extension DocumentEditor {
    /// Adds an entry to a mapping.
    ///
    /// - Parameters:
    ///   - entry: The new entry; its key is not there yet.
    ///   - path: The mapping.
    ///   - order: Keys in their usual order: the entry goes behind the last one that usually comes before it.
    mutating func insert(
        _ entry: DocumentField, into path: [DocumentStep], order: [String]
    ) throws(EditFailure) {
        let collection = try collection(at: path)
        guard case .mapping(let entries)? = node(at: path)?.content else { throw .missing }
        let earlier = order.prefix { $0 != entry.key }
        let index = entries.lastIndex { earlier.contains($0.key) }
        if collection.isFlow {
            try make(insertion(style.flow(entry), intoFlow: collection, after: index))
        } else {
            let indentation = indentation(of: collection)
            let lines = style.lines(of: entry, indentation: indentation)
            try make(insertion(lines, intoBlock: collection, after: index, indentation: indentation))
        }
    }

    /// Removes a key from a mapping, if it is there.
    package mutating func remove(_ key: String, from path: [DocumentStep]) throws(EditFailure) {
        guard case .mapping(let entries)? = node(at: path)?.content,
            let index = entries.firstIndex(where: { $0.key == key })
        else { return }
        let collection = try collection(at: path)
        if collection.isFlow {
            try make(removal(of: index, fromFlow: collection))
        } else if entries.count == 1 {
            try make(emptying(collection, at: path, with: "{}"))
        } else {
            try make(removal(ofEntry: index, fromBlock: collection))
        }
    }

    /// Adds an item to the end of a list.
    package mutating func append(_ item: DocumentValue, to path: [DocumentStep]) throws(EditFailure) {
        let (collection, item) = (try collection(at: path), item.written)
        if collection.isFlow {
            let unfolded = unfolding(collection, to: item, at: path)
            try make(unfolded ?? insertion(style.flow(item), intoFlow: collection, after: nil))
        } else {
            let indentation = indentation(of: collection)
            let lines = style.lines(ofItem: item, indentation: indentation, isBraced: lastIsBraced(collection))
            try make(insertion(lines, intoBlock: collection, after: nil, indentation: indentation))
        }
    }

    /// Removes an item from a list.
    package mutating func removeItem(_ index: Int, from path: [DocumentStep]) throws(EditFailure) {
        let collection = try collection(at: path)
        guard collection.members.indices.contains(index) else { throw .missing }
        if collection.isFlow {
            try make(removal(of: index, fromFlow: collection))
        } else if collection.members.count == 1 {
            try make(emptying(collection, at: path, with: "[]"))
        } else {
            try make(removal(ofItem: index, fromBlock: collection))
        }
    }

    // As its neighbour is written; texts say nothing about that.
    private func lastIsBraced(_ collection: Collection) -> Bool? {
        collection.members.last.map { text.scalar(at: $0.lowerBound) == "{" }
    }

    // An empty pair of brackets behind a key of a block becomes a block again, where the document has such lists.
    private func unfolding(_ collection: Collection, to item: DocumentValue, at path: [DocumentStep]) -> [Change]? {
        let (start, end) = (collection.range.lowerBound, collection.range.upperBound)
        guard collection.members.isEmpty, !style.isBracketed(.list([item])), text.isBlank(start + 1..<end - 1),
            let parent = try? self.collection(at: path.dropLast()), !parent.isFlow,
            let keyStart = keyRange(at: path)?.lowerBound, text.lineStart(of: keyStart) == text.lineStart(of: start)
        else { return nil }
        var blank = start
        while text.scalar(at: blank - 1) == " " { blank -= 1 }
        let indentation = indentation(of: parent) + style.dashIndentation
        let lines = style.lines(ofItem: item, indentation: indentation).map { style.lineBreak + $0 }
        return [Change(blank..<end, ""), Change(at: text.lineEnd(of: end), lines.joined())]
    }
}
