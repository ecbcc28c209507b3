internal import Documents

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
        guard let topic = CommandAction.topics.first(where: { $0.name == first }) else { throw .unknownTopic(first) }
        let names = topic.actions.map(\.name)
        guard words.count > 1 else {
            throw CommandError("\(first.quoted) needs one of \(names.map(\.quoted).joined(separator: ", "))")
        }
        let words = Self.sorted(words, topic.actions)
        guard let action = topic.actions.first(where: { $0.name == words[1] }) else {
            throw .unknownAction(words[1], of: first, known: names)
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

    // The manual also writes options in front of the action, as in `keyset -kid mykey -remove`, and, where it is about the
    // time before roles, the file of a role in front of all: `token my-admin.tok -genLongLived …`.
    private static func sorted(_ words: [String], _ actions: [CommandAction]) -> [String] {
        var words = words
        if words.count > 2, words[1].hasSuffix(".tok") { words.remove(at: 1) }
        let names = Set(actions.map(\.name))
        let options = Set(actions.flatMap(\.options).map(\.name))
        guard !names.contains(words[1]), options.contains(words[1]),
            let place = words.indices.first(where: { $0 > 1 && names.contains(words[$0]) })
        else { return words }
        let operands = actions.first { $0.name == words[place] }?.operand == nil ? 0 : 1
        let end = min(place + operands, words.count - 1)
        return [words[0]] + words[place...end] + words[1..<place] + words[(end + 1)...]
    }

    /// The value of an option that takes one.
    func value(_ option: String) -> String? { values[option] }

    /// Whether an option is given.
    func has(_ option: String) -> Bool { values[option] != nil }

    private static func options(
        _ words: ArraySlice<String>, of action: CommandAction
    ) throws(CommandError) -> [String: String] {
        var values: [String: String] = [:]
        var rest = words
        while let word = rest.popFirst() {
            guard let option = action.options.first(where: { $0.name == word }) else {
                throw .unknownOption(word, of: action)
            }
            guard values[word] == nil else { throw CommandError("\(word.quoted) is given twice") }
            values[word] = option.value == .nothing ? "" : try value(of: option, from: &rest)
        }
        return values
    }

    private static func value(
        of option: CommandOption, from rest: inout ArraySlice<String>
    ) throws(CommandError) -> String {
        guard let value = rest.popFirst() else { throw CommandError("\(option.name.quoted) needs a value") }
        guard !value.isEmpty || option.value == .anyText else {
            throw CommandError("the value of \(option.name.quoted) is empty")
        }
        return value
    }
}

extension CommandError {
    fileprivate static func unknownTopic(_ word: String) -> CommandError {
        if let reason = UnsimulatedCommand.reason(topic: word) {
            return CommandError("\(word.quoted) is not simulated", hint: reason)
        }
        let topics = CommandAction.topics
        // The manual forgets a topic, or the space behind it.
        let whole = topics.flatMap { topic in topic.actions.map { "\(topic.name) \($0.name)" } }
        let meant = whole.first { $0.hasSuffix(" " + word) || $0.filter { $0 != " " } == word }
        let names = topics.map(\.name)
        return CommandError(
            "unknown command \(word.quoted)",
            hint: meant.map { "did you mean \($0.quoted)?" } ?? Suggestion.hint(for: word, among: names) ?? list(names))
    }

    fileprivate static func unknownAction(_ word: String, of topic: String, known: [String]) -> CommandError {
        if let reason = UnsimulatedCommand.reason(topic: topic, action: word) {
            return CommandError("\("\(topic) \(word)".quoted) is not simulated", hint: reason)
        }
        return CommandError(
            "unknown option \(word.quoted) of \(topic.quoted)",
            hint: Suggestion.hint(for: word, among: known) ?? list(known))
    }

    fileprivate static func unknownOption(_ word: String, of action: CommandAction) -> CommandError {
        CommandError(
            word.hasPrefix("-")
                ? "unknown option \(word.quoted) of \(action.name.quoted)" : "unexpected word \(word.quoted)",
            hint: Suggestion.hint(for: word, among: action.options.map(\.name)))
    }

    private static func list(_ names: [String]) -> String {
        "there are \(names.map(\.quoted).joined(separator: ", "))"
    }
}
