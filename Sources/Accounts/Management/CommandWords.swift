internal import PolicyEngine

/// The words of a command line, split as a shell splits them: quotes keep spaces; `\` keeps the next character, but
/// between double quotes only `"`, `\`, `$` and a backtick.
///
/// A character is a Unicode scalar: a quote with a combining mark is still a quote, as in a shell.
package enum CommandWords {
    /// Splits a command line; a leading `$` and `approov`, as the manual prints them, are left out.
    ///
    /// - Throws: ``CommandError`` for a quote that is not closed.
    package static func split(_ line: String) throws(CommandError) -> [String] {
        var splitter = Splitter()
        for scalar in line.unicodeScalars { splitter.read(scalar) }
        var words = try splitter.finish()
        if words.first == "$" { words.removeFirst() }
        if words.first == "approov" { words.removeFirst() }
        return words
    }

    /// The line of some words: a word of more than letters, digits and a few signs is in single quotes.
    static func text(of words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { $0.isLetter || $0.isDigit || plainSigns.contains($0) }
        guard word.isEmpty || !isPlain else { return word }
        return "'" + word.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
    }

    private static let plainSigns = Set("-_.,:/=+@".utf8)

    private struct Splitter {
        private var words: [String] = []
        // `nil` between words, so that a quoted empty word counts.
        private var word: String.UnicodeScalarView?
        private var quote: Unicode.Scalar?
        private var isEscaped = false

        mutating func read(_ scalar: Unicode.Scalar) {
            if isEscaped {
                if quote == "\"" && !"\"\\$`".unicodeScalars.contains(scalar) { add("\\") }
                add(scalar)
                isEscaped = false
            } else if scalar == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if scalar == open { quote = nil } else { add(scalar) }
            } else if scalar == "'" || scalar == "\"" {
                quote = scalar
                word = word ?? .init()
            } else if scalar.properties.isWhitespace {
                endWord()
            } else {
                add(scalar)
            }
        }

        mutating func finish() throws(CommandError) -> [String] {
            if let quote { throw CommandError("quote \(quote) is not closed") }
            if isEscaped { throw CommandError("the command ends with `\\`") }
            endWord()
            return words
        }

        private mutating func add(_ scalar: Unicode.Scalar) {
            if word == nil { word = .init() }
            word?.append(scalar)
        }

        private mutating func endWord() {
            if let word { words.append(String(word)) }
            word = nil
        }
    }
}
