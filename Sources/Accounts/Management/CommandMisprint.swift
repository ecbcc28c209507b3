internal import Documents

/// The commands that the manual prints wrongly, each with its correction: a runbook that was copied from there works, with a
/// warning. Other typing errors are refused with a suggestion.
package enum CommandMisprint {
    // The first words of such commands, as printed and as they are meant.
    private static let table: [(printed: [String], meant: [String])] = [
        (["-getPinningTestURL"], ["policy", "-getPinningTestURL"]),
        (["devicecheck-remove"], ["devicecheck", "-remove"]),
        (["apis", "-getAll"], ["api", "-getAll"]),
        (["apis", "-setAll"], ["api", "-setAll"]),
        (["secret", "change"], ["secret", "-change"]),
    ]

    /// The words that are meant; the same if nothing is wrong.
    static func corrected(_ words: [String]) -> [String] {
        guard let entry = entry(words) else { return words }
        return entry.meant + words.dropFirst(entry.printed.count)
    }

    /// The warning about a misprint; `nil` if there is none.
    ///
    /// - Parameter words: A command as it was typed.
    package static func warning(of words: [String]) -> String? {
        guard let entry = entry(words) else { return nil }
        let (printed, meant) = (entry.printed.joined(separator: " "), entry.meant.joined(separator: " "))
        return "\(printed.quoted) is taken as \(meant.quoted)"
    }

    /// The warning about a misprint in a line; `nil` if there is none, or the line cannot be split.
    package static func warning(ofLine line: String) -> String? {
        (try? CommandWords.split(line)).flatMap(warning)
    }

    private static func entry(_ words: [String]) -> (printed: [String], meant: [String])? {
        table.first { words.starts(with: $0.printed) }
    }
}
