/// A word of a ``RecordExpression``.
package struct ExpressionWord {
    private(set) var text = ""
    /// True if there were quotes in it.
    private(set) var isQuoted = false
    /// The position of its first character, counted from 1.
    let start: Int
    // True if a value has begun, of which brackets are a part.
    private var hasSign = false
    // The number of brackets of the value that are open.
    private var openBrackets = 0

    private init(start: Int) {
        self.start = start
    }

    /// The hint where the word joins or negates conditions in other languages; `nil` for any other word.
    var joiningHint: String? {
        guard !isQuoted else { return nil }
        return Self.joining(text).map { "`\($0)` is written here" }
    }

    /// The word for what joins or negates conditions, as other languages write it; `nil` for any other text.
    package static func joining(_ text: String) -> String? {
        switch text.lowercased() {
        case "and", "&&", "&": "and"
        case "or", "||", "|": "or"
        case "not", "!": "not"
        default: nil
        }
    }

    private var isEmpty: Bool { text.isEmpty && !isQuoted }

    private mutating func append(_ character: Character) {
        text.append(character)
        if character == "=" || character == "~" { hasSign = true }
        if character == "(" { openBrackets += 1 }
        if character == ")" { openBrackets -= 1 }
    }

    // True if a bracket is a word of its own, rather than a part of a value.
    private func isEnded(by bracket: Character) -> Bool {
        !hasSign || bracket == ")" && openBrackets == 0
    }

    /// The words of a text; brackets are words of their own outside of quotes and values.
    ///
    /// - Throws: ``RecordExpressionError``, where a double quote is missing.
    /// - Complexity: O(length of the text).
    static func words(of text: String) throws(RecordExpressionError) -> [ExpressionWord] {
        var (words, word, opened): ([ExpressionWord], ExpressionWord, Int?) = ([], ExpressionWord(start: 1), nil)
        for (offset, character) in text.enumerated() {
            let position = offset + 1
            if word.isEmpty { word = ExpressionWord(start: position) }
            if character == "\"" {
                opened = opened == nil ? position : nil
                word.isQuoted = true
            } else if opened != nil {
                word.append(character)
            } else if character.isWhitespace {
                if !word.isEmpty { words.append(word) }
                word = ExpressionWord(start: position)
            } else if "()".contains(character), word.isEnded(by: character) {
                if !word.isEmpty { words.append(word) }
                var bracket = ExpressionWord(start: position)
                bracket.append(character)
                words.append(bracket)
                word = ExpressionWord(start: position)
            } else {
                word.append(character)
            }
        }
        if let opened {
            throw RecordExpressionError("a double quote is missing for that at character \(opened)")
        }
        if !word.isEmpty { words.append(word) }
        return words
    }
}
