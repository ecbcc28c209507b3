package import Documents

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
