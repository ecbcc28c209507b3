/// The words of a command, sorted into topic, action, operand and options.
struct CommandInvocation {
    let topic: String
    let action: CommandAction
    let operand: String
    private let values: [String: String]

    /// Sorts words by the grammar.
    ///
    /// - Throws: ``CommandError`` for the first word that does not fit.
    init(_ words: [String]) throws(CommandError) {
        guard let first = words.first else { throw CommandError("empty command") }
        if CommandAction.laterTopics.contains(first) { throw CommandError("\(first.quoted) is not simulated yet") }
        guard let topic = CommandAction.topics.first(where: { $0.name == first }) else {
            let names = CommandAction.topics.map(\.name)
            throw CommandError(
                "unknown command \(first.quoted)",
                hint: Suggestion.hint(for: first, among: names) ?? Self.list(names))
        }
        let names = topic.actions.map(\.name)
        guard words.count > 1 else {
            throw CommandError("\(first.quoted) needs one of \(names.map(\.quoted).joined(separator: ", "))")
        }
        if CommandAction.laterActions[first]?.contains(words[1]) == true {
            throw CommandError("\("\(first) \(words[1])".quoted) is not simulated yet")
        }
        guard let action = topic.actions.first(where: { $0.name == words[1] }) else {
            throw CommandError(
                "unknown option \(words[1].quoted) of \(first.quoted)",
                hint: Suggestion.hint(for: words[1], among: names) ?? Self.list(names))
        }
        self.topic = topic.name
        self.action = action
        var rest = words.dropFirst(2)
        if let what = action.operand {
            guard let operand = rest.popFirst() else { throw CommandError("\(action.name.quoted) needs a \(what)") }
            self.operand = operand
        } else {
            operand = ""
        }
        values = try Self.options(rest, of: action)
    }

    /// The value of an option that takes one.
    func value(_ option: String) -> String? { values[option] }

    /// Whether an option is given.
    func has(_ option: String) -> Bool { values[option] != nil }

    private static func list(_ names: [String]) -> String {
        "there are \(names.map(\.quoted).joined(separator: ", "))"
    }

    private static func options(
        _ words: ArraySlice<String>, of action: CommandAction
    ) throws(CommandError) -> [String: String] {
        var values: [String: String] = [:]
        var rest = words
        while let word = rest.popFirst() {
            guard let option = action.options.first(where: { $0.name == word }) else {
                throw CommandError(
                    word.hasPrefix("-")
                        ? "unknown option \(word.quoted) of \(action.name.quoted)" : "unexpected word \(word.quoted)",
                    hint: Suggestion.hint(for: word, among: action.options.map(\.name)))
            }
            guard values[word] == nil else { throw CommandError("\(word.quoted) is given twice") }
            if option.takesValue {
                guard let value = rest.popFirst() else { throw CommandError("\(word.quoted) needs a value") }
                values[word] = value
            } else {
                values[word] = ""
            }
        }
        return values
    }
}
