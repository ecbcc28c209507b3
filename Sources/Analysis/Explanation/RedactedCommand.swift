internal import Accounts
package import Replay

/// A management command without what it says of people.
package enum RedactedCommand {
    // Options whose values name settings.
    private static let plainOptions: Set<String> = [
        "-key", "-policy", "-banMode", "-pinMode", "-bits", "-expiry", "-conjunction", "-sdk", "-appID", "-appVersion",
        "-versionName", "-expireAfter", "-keySetKID", "-pinType", "-alg",
    ]

    /// The command with names for the values of its other options, and for what looks like a device ID or an address.
    ///
    /// - Parameters:
    ///   - text: The command, as it was typed.
    ///   - redactor: Makes the names.
    package static func text(_ text: String, by redactor: Redactor) -> String {
        guard let words = try? CommandWords.split(text) else { return redactor.word(text) }
        return words.indices.map { redacted(words, at: $0, by: redactor) }.joined(separator: " ")
    }

    // Topic, action and operand; then options, some with a value behind them or joined to them.
    private static func redacted(_ words: [String], at index: Int, by redactor: Redactor) -> String {
        let word = words[index]
        if word.hasPrefix("-") {
            guard let equals = word.firstIndex(of: "=") else { return redactor.text(word) }
            let (option, value) = (String(word[..<equals]), String(word[word.index(after: equals)...]))
            return "\(option)=\(plainOptions.contains(option) ? quoted(redactor.text(value)) : redactor.word(value))"
        }
        let isPlain = index <= 2 || plainOptions.contains(words[index - 1])
        return isPlain ? quoted(redactor.text(word)) : redactor.word(word)
    }

    private static func quoted(_ word: String) -> String {
        word.contains(where: \.isWhitespace) || word.isEmpty ? "'\(word)'" : word
    }
}
