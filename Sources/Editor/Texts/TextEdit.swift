/// A part of a file and the text that takes its place.
struct TextEdit: Hashable, Sendable {
    /// The path of the file.
    let path: String
    /// The bytes that go.
    let range: Range<Int>
    let text: String
}

extension [TextEdit] {
    /// A text with those edits made that are in its file; they do not overlap.
    func applied(to bytes: [UInt8], of path: String) -> [UInt8] {
        var bytes = bytes
        for edit in filter({ $0.path == path }).sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            bytes.replaceSubrange(edit.range, with: edit.text.utf8)
        }
        return bytes
    }
}

extension TextEdit {
    /// The smallest edit that makes a text another one; `nil` if they are equal.
    init?(from old: [UInt8], to new: [UInt8], of path: String) {
        guard old != new else { return nil }
        var prefix = zip(old, new).prefix { $0 == $1 }.count
        // Not within a character, nor within CR LF.
        while prefix > 0, !Self.isBoundary(prefix, of: old) || !Self.isBoundary(prefix, of: new) { prefix -= 1 }
        let most = Swift.min(old.count, new.count) - prefix
        var suffix = zip(old.reversed(), new.reversed()).prefix(most).prefix { $0 == $1 }.count
        while suffix > 0, !Self.isBoundary(old.count - suffix, of: old) || !Self.isBoundary(new.count - suffix, of: new)
        {
            suffix -= 1
        }
        self.init(
            path: path, range: prefix..<old.count - suffix,
            text: String(decoding: new[prefix..<new.count - suffix], as: UTF8.self))
    }

    private static func isBoundary(_ index: Int, of bytes: [UInt8]) -> Bool {
        guard index < bytes.count else { return true }
        return bytes[index] & 0xC0 != 0x80 && !(bytes[index] == 0x0A && index > 0 && bytes[index - 1] == 0x0D)
    }
}
