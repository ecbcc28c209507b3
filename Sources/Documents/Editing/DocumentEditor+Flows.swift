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
