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
