/// Changes a YAML document in place: unchanged parts keep their form, their order, their quotes and their comments.
///
/// Every change is made to the text and read again, so that the next one sees the result. No comment on a line of its own is ever
/// removed outside of a removed part.
package struct DocumentEditor {
    package private(set) var text: DocumentText
    private(set) var root: Node
    /// The style of the document before the first change.
    let style: DocumentStyle

    /// Starts to change a document.
    ///
    /// - Parameters:
    ///   - text: The whole text.
    ///   - root: The tree of the text.
    package init(text: String, root: Node) {
        self.text = DocumentText(text)
        self.root = root
        style = DocumentStyle(of: root, in: self.text)
    }

    /// A part of the text and its replacement.
    struct Change {
        let range: Range<Int>
        let text: String

        init(_ range: Range<Int>, _ text: String) {
            self.range = range
            self.text = text
        }

        /// Nothing is taken away.
        init(at offset: Int, _ text: String) {
            self.init(offset..<offset, text)
        }
    }

    /// The value at the end of a path; `nil` where there is none.
    package func node(at path: some Sequence<DocumentStep>) -> Node? {
        var node = root
        for step in path {
            switch (step, node.content) {
            case (.key(let key), .mapping(let entries)):
                guard let entry = entries.first(where: { $0.key == key }) else { return nil }
                node = entry.value
            case (.item(let index), .sequence(let items)) where items.indices.contains(index): node = items[index]
            default: return nil
            }
        }
        return node
    }

    /// The key at the end of a path; `nil` where there is none.
    func keyRange(at path: [DocumentStep]) -> Range<Int>? {
        guard case .key(let key)? = path.last, case .mapping(let entries)? = node(at: path.dropLast())?.content else {
            return nil
        }
        return entries.first { $0.key == key }?.keyRange
    }

    /// Makes some changes, which do not overlap, and reads the result.
    ///
    /// - Throws: ``EditFailure/unreadable``.
    mutating func make(_ changes: [Change]) throws(EditFailure) {
        for change in changes.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            text.replace(change.range, with: change.text)
        }
        let document = YAMLParser.parse(SourceFile(path: "", text: text.string))
        guard let root = document.root, !document.diagnostics.hasErrors else { throw .unreadable }
        self.root = root
    }

    /// A list or a mapping with the ranges of its members.
    struct Collection {
        /// The whole.
        let range: Range<Int>
        /// True if it is in brackets or braces.
        let isFlow: Bool
        /// The items or entries, without the text that follows them.
        let members: [Range<Int>]
    }

    /// The list or the mapping at the end of a path.
    ///
    /// - Throws: ``EditFailure/missing`` where there is none.
    func collection(at path: some Sequence<DocumentStep>) throws(EditFailure) -> Collection {
        guard let node = node(at: path) else { throw .missing }
        let first = text.scalar(at: node.range.lowerBound)
        let members: [Range<Int>]
        switch node.content {
        case .scalar: throw .missing
        case .sequence(let items): members = items.map { extent(from: $0.range.lowerBound, of: $0) }
        case .mapping(let entries): members = entries.map { extent(from: $0.keyRange.lowerBound, of: $0.value) }
        }
        return Collection(range: node.range, isFlow: first == "{" || first == "[", members: members)
    }

    private func extent(from start: Int, of node: Node) -> Range<Int> {
        start..<max(start, text.contentEnd(of: node.range))
    }
}

/// A step from a value of a document to one inside it.
package enum DocumentStep: Hashable, Sendable {
    /// To the value of a key of a mapping.
    case key(String)
    /// To an item of a list, counted from 0.
    case item(Int)
}

/// The reason why a document cannot be changed in place.
package enum EditFailure: DescribedError, Hashable {
    /// There is nothing to change where the change belongs.
    case missing
    /// The result is no YAML any more.
    case unreadable
    /// The result can be read, but does not have the value that it should.
    case different
}

extension EditFailure {
    /// The failure in words: lower case, no final period.
    package var description: String {
        switch self {
        case .missing: "the file is written in a form that cannot be changed in place"
        case .unreadable, .different: "the file cannot be changed in place so that it contains exactly the change"
        }
    }
}
