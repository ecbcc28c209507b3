/// The text of an expression without what it says of people.
package enum RedactedExpression {
    /// The expression with names for values that say something of people, and for what looks like a device ID or an address.
    ///
    /// - Parameters:
    ///   - text: The expression, as it was typed.
    ///   - redactor: Makes the names.
    package static func text(_ text: String, by redactor: Redactor) -> String {
        guard let words = try? ExpressionWord.words(of: text) else { return redactor.word(text) }
        return words.map { quoted(redacted($0.text, by: redactor), isQuoted: $0.isQuoted) }.joined(separator: " ")
    }

    private static func redacted(_ word: String, by redactor: Redactor) -> String {
        let isOwn = ["flag:", "did:", "label:", "verdict:"].contains { word.hasPrefix($0) }
        guard !isOwn, let (key, sign, value) = RecordExpression.parts(ofCondition: word) else {
            return redactor.text(word)
        }
        return "\(key)\(sign)\(redactor.value(value, of: key))"
    }

    private static func quoted(_ word: String, isQuoted: Bool) -> String { isQuoted ? "\"\(word)\"" : word }
}
