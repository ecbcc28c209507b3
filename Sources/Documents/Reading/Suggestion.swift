/// Finds the name that the user probably meant.
package enum Suggestion {
    /// The name nearest to a word, if one is near enough to be offered.
    ///
    /// Near is a third of the word's length in insertions, deletions, replacements and swaps of neighbours, at least
    /// one but never all of it. Case is ignored. Of equally near names the first is taken.
    ///
    /// - Parameters:
    ///   - word: The word as it was written.
    ///   - names: The names that may have been meant; the word itself does not count.
    /// - Returns: `nil` when nothing is near, or the word is longer than `DocumentLimits.suggestionLength`.
    /// - Complexity: O(*n*) in the number of names; words are bounded.
    package static func closest(to word: String, among names: some Sequence<String>) -> String? {
        guard let letters = letters(of: word) else { return nil }
        var limit = min(max(1, letters.count / 3), letters.count - 1)
        var best: String?
        for name in names where name != word {
            guard let other = self.letters(of: name), abs(other.count - letters.count) <= limit else { continue }
            let distance = distance(letters, other, limit: limit)
            guard distance <= limit else { continue }
            best = name
            limit = distance - 1
            if limit < 0 { break }
        }
        return best
    }

    /// `did you mean …?` for the name nearest to a word, ready to be a hint.
    ///
    /// - Parameters:
    ///   - word: The word as it was written.
    ///   - names: The names that may have been meant.
    /// - Returns: `nil` when nothing is near.
    package static func hint(for word: String, among names: some Sequence<String>) -> String? {
        closest(to: word, among: names).map { "did you mean \($0.quoted)?" }
    }

    /// The hint for a key that is not known: one for what is often typed in place of a known key, or else `did you mean …?`.
    ///
    /// - Parameters:
    ///   - key: The key as it was written.
    ///   - known: The keys that may have been meant.
    package static func hint(forKey key: String, among known: [String]) -> String? {
        let spelt = key.lowercased().replacing("_", with: "-")
        let usual = usualKeys.first { $0.typed == spelt && known.contains($0.meant) }
        return usual?.hint ?? hint(for: key, among: known)
    }

    private static let usualKeys: [(typed: String, meant: String, hint: String)] = [
        ("banned", "ban-mode", "did you mean `ban-mode: ban`?"),
        (
            "banned", "flag-rates",
            "`flags: [did-ban]` is a device that is banned; `ban-mode: ban` of an account's entry bans one"
        ),
        ("device-id", "id", "did you mean `id`?"),
    ]

    private static func letters(of word: String) -> [Unicode.Scalar]? {
        guard word.utf8.count <= 4 * DocumentLimits.suggestionLength else { return nil }
        let letters = Array(word.lowercased().unicodeScalars)
        return letters.count <= DocumentLimits.suggestionLength ? letters : nil
    }

    /// The optimal string alignment distance, or some number above the limit when it is above the limit.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], limit: Int) -> Int {
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replacement = last[column] + (left[row] == right[column] ? 0 : 1)
                var cost = min(replacement, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            if min(last.min() ?? 0, current.min() ?? 0) > limit { return limit + 1 }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
