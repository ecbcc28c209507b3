/// The name of a file beside another one that is being replaced: `.NAME.ID.partial` and the like.
struct WorkingName: Hashable, Sendable {
    /// The purpose of such a file.
    enum Kind: String, CaseIterable, Sendable {
        /// The new content, until it takes the name.
        case partial
        /// The old content under a second name, until all files of a change have their names.
        case undo
        /// Says that there was no such file before.
        case absent
    }

    /// The name of the file that is replaced; its beginning where that is long.
    let target: String
    /// The ID that the files of one change share.
    let id: String
    let kind: Kind

    /// The longest name that is taken up whole, in bytes: with the rest of the working name, every file system takes it.
    static let longestTarget = 200

    /// A name for a file.
    init(for name: String, id: String, kind: Kind) {
        (target, self.id, self.kind) = (Self.beginning(of: name), id, kind)
    }

    /// Reads a name; `nil` if it is no such name.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].isEmpty, let last = parts.last, let kind = Kind(rawValue: String(last)),
            parts[parts.count - 2].utf8.count == Self.idLength
        else { return nil }
        target = parts[1..<parts.count - 2].joined(separator: ".")
        (id, self.kind) = (String(parts[parts.count - 2]), kind)
    }

    /// The name itself.
    var text: String { ".\(target).\(id).\(kind.rawValue)" }

    /// True if it is a file beside that of a name.
    func isBeside(_ name: String) -> Bool { target == Self.beginning(of: name) }

    private static let idLength = 13

    /// An ID that nobody else has.
    static func newID() -> String {
        let text = String(UInt64.random(in: .min ... .max), radix: 36)
        return String(repeating: "0", count: idLength - text.count) + text
    }

    private static func beginning(of name: String) -> String {
        guard name.utf8.count > longestTarget else { return name }
        var (beginning, count) = (String.UnicodeScalarView(), 0)
        for scalar in name.unicodeScalars {
            count += UTF8.width(scalar)
            if count > longestTarget { break }
            beginning.append(scalar)
        }
        return String(beginning)
    }
}
