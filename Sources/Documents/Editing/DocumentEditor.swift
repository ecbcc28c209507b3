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

    /// The failure in words: lower case, no final period.
    package var description: String {
        switch self {
        case .missing: "the file is written in a form that cannot be changed in place"
        case .unreadable, .different: "the file cannot be changed in place so that it contains exactly the change"
        }
    }
}

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
            try make([Change(range, style.flow(value.written))])
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

// Lists and mappings whose members are on lines of their own.
extension DocumentEditor {
    /// The changes that put lines behind the last member, or behind one of them.
    ///
    /// - Parameter indentation: The indentation of the members.
    func insertion(
        _ lines: [String], intoBlock collection: Collection, after index: Int?, indentation: Int
    ) throws(EditFailure) -> [Change] {
        guard let last = index.map({ collection.members[$0] }) ?? collection.members.last else { throw .missing }
        let end = text.extentEnd(from: last.upperBound, deeperThan: indentation)
        return [Change(at: end, lines.map { style.lineBreak + $0 }.joined())]
    }

    /// The indentation of the members of a block: of the first one's first character, or of its dash.
    func indentation(of collection: Collection) -> Int {
        collection.range.lowerBound - text.lineStart(of: collection.range.lowerBound)
    }

    /// The changes that remove an item with its lines.
    func removal(ofItem index: Int, fromBlock collection: Collection) throws(EditFailure) -> [Change] {
        let start = try dash(of: index, in: collection)
        return [Change(text.lineStart(of: start)..<text.nextLine(after: collection.members[index].upperBound), "")]
    }

    // The first item's dash is at the start of the list; the others are below it.
    private func dash(of index: Int, in collection: Collection) throws(EditFailure) -> Int {
        let column = indentation(of: collection)
        var line = text.lineStart(of: collection.members[index].lowerBound)
        while line >= text.lineStart(of: collection.range.lowerBound) {
            let dash = line + column
            if text.scalar(at: dash) == "-", text.isBlank(line..<dash) { return dash }
            guard line > 0 else { break }
            line = text.lineStart(of: line - 1)
        }
        throw .missing
    }

    /// The changes that remove an entry with its lines; the first one of an item leaves the dash.
    func removal(ofEntry index: Int, fromBlock collection: Collection) -> [Change] {
        let entry = collection.members[index]
        let line = text.lineStart(of: entry.lowerBound)
        if text.isBlank(line..<entry.lowerBound) {
            return [Change(line..<text.nextLine(after: entry.upperBound), "")]
        }
        let end = text.lineEnd(of: entry.upperBound)
        let next = index + 1 < collection.members.count ? collection.members[index + 1].lowerBound : end
        let isAdjacent = text.nextLine(after: end) == text.lineStart(of: next)
        return [Change(entry.lowerBound..<(isAdjacent ? next : end), "")]
    }

    /// The changes that replace a block by empty brackets or braces.
    ///
    /// - Parameter path: The path of the block.
    func emptying(_ collection: Collection, at path: [DocumentStep], with brackets: String) throws(EditFailure)
        -> [Change]
    {
        guard let only = collection.members.first, collection.members.count == 1 else { throw .missing }
        let start = brackets == "[]" ? try dash(of: 0, in: collection) : only.lowerBound
        let line = text.lineStart(of: start)
        guard let keyRange = keyRange(at: path), text.isBlank(line..<start),
            text.scalar(at: text.skippingBlanks(from: keyRange.upperBound)) == ":"
        else { return [Change(start..<only.upperBound, brackets)] }
        let colon = text.skippingBlanks(from: keyRange.upperBound)
        return [
            Change(at: colon + 1, " " + brackets), Change(line..<text.nextLine(after: only.upperBound), ""),
        ]
    }
}

// Lists and mappings in brackets or braces.
extension DocumentEditor {
    /// The changes that put a member behind the others, or behind one of them.
    func insertion(_ member: String, intoFlow collection: Collection, after index: Int?) -> [Change] {
        let members = collection.members
        guard let last = index.map({ members[$0] }) ?? members.last else {
            return fill(collection, with: member)
        }
        let comma = text.skippingBlanks(from: last.upperBound)
        let hasComma = text.scalar(at: comma) == ","
        let indentation = text.lineStart(of: last.lowerBound)..<last.lowerBound
        guard text.isBlank(indentation) else { return [Change(at: last.upperBound, ", " + member)] }
        let line = style.lineBreak + String(text.scalars[indentation].map(Character.init)) + member
        let end = text.lineEnd(of: hasComma ? comma : last.upperBound)
        // The bracket, or another member, is on the same line.
        let next = text.skippingBlanks(from: hasComma ? comma + 1 : last.upperBound)
        guard next == end || text.scalar(at: next) == "#" else {
            return [Change(at: last.upperBound, "," + line)]
        }
        if hasComma { return [Change(at: end, line + ",")] }
        if end == last.upperBound { return [Change(at: end, "," + line)] }
        return [Change(at: last.upperBound, ","), Change(at: end, line)]
    }

    private func fill(_ collection: Collection, with member: String) -> [Change] {
        let inside = collection.range.lowerBound + 1..<collection.range.upperBound - 1
        let isBraced = text.scalar(at: collection.range.lowerBound) == "{"
        let padding = isBraced && style.padsBraces ? " " : ""
        return [
            text.isBlank(inside) ? Change(inside, padding + member + padding) : Change(at: inside.lowerBound, member)
        ]
    }

    /// The changes that remove a member with its comma.
    func removal(of index: Int, fromFlow collection: Collection) -> [Change] {
        let member = collection.members[index]
        let comma = text.skippingBlanks(from: member.upperBound)
        let hasComma = text.scalar(at: comma) == ","
        let end = hasComma ? comma + 1 : member.upperBound
        if let lines = wholeLines(of: member.lowerBound..<end, in: collection) { return [Change(lines, "")] }
        if index + 1 < collection.members.count {
            let next = collection.members[index + 1].lowerBound
            // The text before the next one may hold a comment.
            return [Change(member.lowerBound..<(text.isBlank(end..<next) ? next : end), "")]
        }
        if index > 0, !hasComma {
            let before = collection.members[index - 1].upperBound
            let separator = text.skippingBlanks(from: before)
            let isPlain = text.scalar(at: separator) == "," && text.isBlank(separator + 1..<member.lowerBound)
            return [Change((isPlain ? before : member.lowerBound)..<member.upperBound, "")]
        }
        return [Change(member.lowerBound..<end, "")]
    }

    // The lines of a part that has them for itself, but for a comment behind it.
    private func wholeLines(of part: Range<Int>, in collection: Collection) -> Range<Int>? {
        let start = text.lineStart(of: part.lowerBound)
        let rest = text.skippingBlanks(from: part.upperBound)
        guard start > collection.range.lowerBound, text.isBlank(start..<part.lowerBound),
            rest == text.lineEnd(of: part.upperBound) || text.scalar(at: rest) == "#"
        else { return nil }
        return start..<text.nextLine(after: part.upperBound)
    }
}
