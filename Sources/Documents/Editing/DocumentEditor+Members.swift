// Adding and removing members of lists and mappings of any form.
extension DocumentEditor {
    /// Adds an entry to a mapping.
    ///
    /// - Parameters:
    ///   - entry: The new entry; its key is not there yet.
    ///   - path: The mapping.
    ///   - order: Keys in their usual order: the entry goes behind the last one that usually comes before it.
    mutating func insert(
        _ entry: DocumentValue.Entry, into path: [DocumentStep], order: [String]
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
        let collection = try collection(at: path)
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
