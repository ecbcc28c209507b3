package import Documents
internal import PolicyEngine

/// The grammar of the management language, as a shell completes it.
package struct CommandGrammar: Sendable {
    /// The first word of a command, such as `policy`.
    package let topic: String
    /// The actions of the topic, then the options of all of them, each once.
    package let words: [Word]

    /// A word that begins with a dash, and the operand that it takes.
    package struct Word: Sendable {
        /// The word, such as `-set`.
        package let name: String
        /// The kind of operand that the word takes.
        package let operand: Operand
    }

    /// A kind of operand.
    package enum Operand: Hashable, Sendable {
        /// Nothing, or the next option.
        case nothing
        /// A text of which nothing is known.
        case text
        /// A policy, such as `default,allow-root,risk`.
        case policy
        /// The name of a flag.
        case flag
        /// The path of a file.
        case file
        /// One of these words.
        case words([String])
    }

    /// The grammar of every topic, in the order of the manual.
    package static var topics: [CommandGrammar] {
        ManagementCommand.topics.map { topic in
            var words: [Word] = topic.actions.map { Word(name: $0.name, operand: operand($0.operand)) }
            for option in topic.actions.flatMap(\.options) where !words.contains(where: { $0.name == option.name }) {
                words.append(Word(name: option.name, operand: option.value == .nothing ? .nothing : .text))
            }
            return CommandGrammar(topic: topic.name, words: words)
        }
    }

    /// The form of a command: a topic, and one of its actions somewhere behind it.
    package static var schema: JSONSchema {
        let forms = Self.topics.map { grammar in
            let words = grammar.words.map { $0.name.dropFirst() }.joined(separator: "|")
            return "\(grammar.topic)\\s(.*\\s)?[\"']?-(\(words))([\\s\"'=].*)?"
        }
        return .text(matching: "\\s*(\(forms.joined(separator: "|")))").naming(.command)
    }

    // An action's operand is written for messages, with its words in backticks.
    private static func operand(_ name: String?) -> Operand {
        guard let name else { return .nothing }
        let words = name.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        // One word alone is an example of how it is written.
        guard words.count < 2 else { return .words(words) }
        switch name {
        case "policy": return .policy
        case "flag": return .flag
        case "file name": return .file
        default: return .text
        }
    }
}

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

    /// A line of a file of commands without its comment: it begins at a `#` in front of a word.
    package static func withoutComment(_ line: Substring) -> Substring {
        var splitter = Splitter()
        for index in line.unicodeScalars.indices {
            let scalar = line.unicodeScalars[index]
            if scalar == "#", splitter.isBetweenWords { return line[..<index] }
            splitter.read(scalar)
        }
        return line
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

        /// True if the next character begins a word.
        var isBetweenWords: Bool { word == nil && quote == nil && !isEscaped }

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
