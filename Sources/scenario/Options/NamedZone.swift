internal import Documents
internal import PolicyEngine

/// A time zone of the system by its name, such as `Europe/London`.
enum NamedZone {
    private static let folder = "/usr/share/zoneinfo/"

    /// The rules of a zone; `nil` where the system has none of this name.
    static func rules(_ name: String) -> ZoneRules? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { plain.contains($0) }
        }
        guard isPlain, let bytes = try? TextFile.bytes(path: folder + name) else { return nil }
        return ZoneFile.rules(bytes)
    }

    /// The error about a value of `--timezone`.
    static func unknown(_ text: String) -> UsageError {
        UsageError(
            "`--timezone` takes `±hh:mm` or the name of a zone, not \(UsageError.quote(text))",
            hint: "such as `BST`, or `Europe/London` from \(folder)")
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+".utf8)
}
