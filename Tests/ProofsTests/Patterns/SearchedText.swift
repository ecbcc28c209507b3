@testable import Proofs

/// The search of a pattern's automaton in a text.
enum SearchedText {
    /// True if a pattern is found in a text; `nil` if it is not taken for a regular expression.
    static func isFound(_ pattern: String, in text: String) -> Bool? {
        guard let tree = try? PatternParser.tree(of: pattern), var automaton = PatternAutomaton([tree]) else {
            return nil
        }
        let scalars = Array(text.unicodeScalars)
        let letters = scalars.indices.map { index in
            let scalar = scalars[index]
            guard scalar == "\n" else { return Letter(scalar.value, isWord: ScalarSet.words.contains(scalar.value)) }
            return index == scalars.count - 1 ? .lastNewline : .newline
        }
        automaton.prepare(for: letters)
        var (progress, before) = (PatternAutomaton.Progress(), PrecedingCharacter.none)
        for (number, letter) in letters.enumerated() {
            progress = automaton.advance(progress, behind: before, over: letter, number)
            before = letter.seenFromBehind
        }
        return automaton.isFound(progress, atEndBehind: before)
    }
}
