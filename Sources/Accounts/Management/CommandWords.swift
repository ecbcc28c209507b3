/// The words of a command line, split as a shell splits them: quotes keep spaces; `\` keeps the next character, but
/// between double quotes only `"`, `\`, `$` and a backtick.
package enum CommandWords {
    /// Splits a command line; a leading `$` and `approov`, as the manual prints them, are left out.
    ///
    /// - Throws: ``CommandError`` for a quote that is not closed.
    package static func split(_ line: String) throws(CommandError) -> [String] {
        var splitter = Splitter()
        for character in line { splitter.take(character) }
        var words = try splitter.finish()
        if words.first == "$" { words.removeFirst() }
        if words.first == "approov" { words.removeFirst() }
        return words
    }

    private struct Splitter {
        private var words: [String] = []
        // `nil` between words, so that a quoted empty word counts.
        private var word: String?
        private var quote: Character?
        private var isEscaped = false

        mutating func take(_ character: Character) {
            if isEscaped {
                let isKept = quote == "\"" && !"\"\\$`".contains(character)
                word = (word ?? "") + (isKept ? "\\" : "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                endWord()
            } else {
                word = (word ?? "") + String(character)
            }
        }

        mutating func finish() throws(CommandError) -> [String] {
            if let quote { throw CommandError("quote \(quote) is not closed") }
            if isEscaped { throw CommandError("`\\` stands at the end of the command") }
            endWord()
            return words
        }

        private mutating func endWord() {
            if let word { words.append(word) }
            word = nil
        }
    }
}
