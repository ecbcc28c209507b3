internal import Documents

/// A key or a text of a document: what a person would point at.
struct TextToken: Sendable {
    /// The Unicode scalars that it takes, quotes included.
    let range: Range<Int>
    let text: String
    /// The steps to the value; for a key, to the value behind it.
    let path: [DocumentStep]
    let isKey: Bool
    /// The uses of its text as a name, by the schema.
    let uses: [NameUse]
    /// The forms that its value may have, by their numbers in the schema.
    let forms: [Int]
}

/// Walks over a document beside its schema.
struct TokenWalk {
    private let schema: DocumentSchema
    // In their order; `nil` for all.
    private let places: [Int]?
    private(set) var tokens: [TextToken] = []

    /// The tokens of a document, in the order of the text.
    ///
    /// - Parameter places: The Unicode scalars whose tokens are wanted, in their order; `nil` for those of all.
    static func tokens(of root: Node?, by schema: DocumentSchema, at places: [Int]? = nil) -> [TextToken] {
        guard let root else { return [] }
        var walk = TokenWalk(schema: schema, places: places)
        walk.visit(root, [], schema.root)
        return walk.tokens
    }

    private init(schema: DocumentSchema, places: [Int]?) { (self.schema, self.places) = (schema, places) }

    // True if a place is in a range, or at its end.
    private func isWanted(_ range: Range<Int>) -> Bool {
        guard let places else { return true }
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low < places.count && places[low] <= range.upperBound
    }

    private mutating func visit(_ node: Node, _ path: [DocumentStep], _ forms: [Int]) {
        guard isWanted(node.range) else { return }
        switch node.content {
        case .scalar(let text, _):
            tokens.append(
                TextToken(
                    range: node.range, text: text, path: path, isKey: false, uses: schema.uses(of: forms),
                    forms: forms))
        case .sequence(let items):
            let inner = schema.items(of: forms)
            for (index, item) in items.enumerated() { visit(item, path + [.item(index)], inner) }
        case .mapping(let entries):
            for entry in entries where isWanted(entry.keyRange) || isWanted(entry.value.range) {
                let (inner, uses) = schema.value(of: entry.key, in: forms)
                let path = path + [.key(entry.key)]
                tokens.append(
                    TextToken(
                        range: entry.keyRange, text: entry.key, path: path, isKey: true, uses: uses, forms: inner))
                visit(entry.value, path, inner)
            }
        }
    }
}
