/// A word of a ``RecordExpression``.
struct ExpressionWord {
    private(set) var text = ""
    /// Whether quotes stood in it.
    private(set) var isQuoted = false
    /// Where it starts, in characters from 1.
    let start: Int
    // Whether a value has begun, of which brackets are a part.
    private var hasSign = false
    // How many brackets of the value are open.
    private var openBrackets = 0

    private init(start: Int) {
        self.start = start
    }

    private var isEmpty: Bool { text.isEmpty && !isQuoted }

    private mutating func append(_ character: Character) {
        text.append(character)
        if character == "=" || character == "~" { hasSign = true }
        if character == "(" { openBrackets += 1 }
        if character == ")" { openBrackets -= 1 }
    }

    // Whether a bracket stands for itself, rather than belonging to a value.
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
