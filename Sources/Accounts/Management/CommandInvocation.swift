internal import Documents
internal import PolicyEngine

/// The words of a command, sorted into topic, action, operand and options.
///
/// A value that begins with `-` would most often be the next option, behind a variable of a shell that is empty. So it is taken
/// only if it is joined to its option, as in `-matchValue=-reject`, or is behind `--`, which ends the options; `-` alone is a
/// value.
struct CommandInvocation {
    let action: CommandAction
    let operand: String
    private let values: [String: String]

    /// Sorts words by the grammar.
    ///
    /// - Throws: ``CommandError`` for the first word that does not fit.
    init(_ words: [String]) throws(CommandError) {
        guard let first = words.first else { throw CommandError("empty command") }
        let topic = ManagementCommand.topics.first { $0.name == first }
        guard let topic else { throw .unknownTopic(first) }
        let names = topic.actions.map(\.name)
        guard words.count > 1 else {
            throw CommandError("\(first.quoted) needs one of \(names.map(\.quoted).joined(separator: ", "))")
        }
        var rest = CommandRest(Self.sorted(words, topic.actions).dropFirst())
        let (name, joined) = CommandRest.split(rest.next() ?? "")
        guard let action = topic.actions.first(where: { $0.name == name }) else {
            throw .unknownAction(name, of: first, known: names)
        }
        self.action = action
        if let what = action.operand {
            operand = if let joined { joined } else { try rest.value(of: name, missing: "a \(what)") }
        } else {
            if joined != nil { throw .valueOfSwitch(name) }
            operand = ""
        }
        values = try Self.options(&rest, of: action)
    }

    // The manual also writes options in front of the action, as in `keyset -kid mykey -remove`, and, where it is about the
    // time before roles, the file of a role in front of all: `token my-admin.tok -genLongLived …`.
    private static func sorted(_ words: [String], _ actions: [CommandAction]) -> [String] {
        var words = words
        if words.count > 2, words[1].hasSuffix(".tok") { words.remove(at: 1) }
        let names = Set(actions.map(\.name))
        let options = Set(actions.flatMap(\.options).map(\.name))
        let name = { (index: Int) in CommandRest.split(words[index]).name }
        let ending = words.firstIndex(of: CommandRest.ending) ?? words.endIndex
        guard !names.contains(name(1)), options.contains(name(1)),
            let index = words.indices.first(where: { $0 > 1 && $0 < ending && names.contains(name($0)) })
        else { return words }
        let isJoined = CommandRest.split(words[index]).value != nil
        let operands = isJoined || actions.first { $0.name == name(index) }?.operand == nil ? 0 : 1
        let end = min(index + operands, words.count - 1)
        return [words[0]] + words[index...end] + words[1..<index] + words[(end + 1)...]
    }

    /// The value of an option that takes one.
    func value(_ option: String) -> String? { values[option] }

    /// True if an option is given.
    func has(_ option: String) -> Bool { values[option] != nil }

    // MARK: Values

    /// The operand, which is `on` or `off`.
    func onOff() throws(CommandError) -> Bool {
        switch operand {
        case "on": return true
        case "off": return false
        default: throw CommandError("\(action.name.quoted) takes `on` or `off`, not \(operand.quoted)")
        }
    }

    /// The operand, which is a word of a list.
    func word<Word: RawRepresentable<String> & CaseIterable>() throws(CommandError) -> Word {
        try Self.word(operand, of: action.name)
    }

    /// The value of an option, which is a word of a list; `nil` where the option is not given.
    func word<Word: RawRepresentable<String> & CaseIterable>(_ option: String) throws(CommandError) -> Word? {
        guard let text = value(option) else { return nil }
        return try Self.word(text, of: option)
    }

    /// The operand, which is a device ID.
    func deviceID() throws(CommandError) -> DeviceID {
        if let id = DeviceID(operand) { return id }
        throw CommandError(DeviceError.invalidID(operand))
    }

    private static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ text: String, of option: String
    ) throws(CommandError) -> Word {
        if let word = Word(rawValue: text) { return word }
        let names = Word.allCases.map(\.rawValue)
        throw CommandError(
            "\(text.quoted) is not a value of \(option.quoted); there are \(names.map(\.quoted).joined(separator: ", "))",
            hint: Suggestion.hint(for: text, among: names))
    }

    // MARK: Options

    private static func options(
        _ rest: inout CommandRest, of action: CommandAction
    ) throws(CommandError) -> [String: String] {
        var values: [String: String] = [:]
        while let word = rest.next() {
            let (name, joined) = CommandRest.split(word)
            guard !rest.isEnded, let option = action.options.first(where: { $0.name == name }) else {
                throw .unknownOption(word, of: action, isOption: !rest.isEnded)
            }
            guard values[name] == nil else { throw CommandError("\(name.quoted) is given twice") }
            if option.value == .nothing {
                if joined != nil { throw .valueOfSwitch(name) }
                values[name] = ""
            } else {
                let value = if let joined { joined } else { try rest.value(of: name, missing: "a value") }
                values[name] = try checked(value, of: option)
            }
        }
        return values
    }

    private static func checked(_ value: String, of option: CommandOption) throws(CommandError) -> String {
        guard !value.isEmpty || option.value == .anyText else {
            throw CommandError("the value of \(option.name.quoted) is empty")
        }
        return value
    }
}

/// The words of a command that were not looked at yet.
private struct CommandRest {
    private var words: ArraySlice<String>
    /// True if `--` has ended the options.
    private(set) var isEnded = false

    /// The word that ends the options.
    static let ending = "--"

    init(_ words: ArraySlice<String>) {
        self.words = words
    }

    /// Takes the next word; one that ends the options is none.
    mutating func next() -> String? {
        guard !isEnded, words.first == Self.ending else { return words.popFirst() }
        words.removeFirst()
        isEnded = true
        return words.popFirst()
    }

    /// Takes the value of an option from the next word.
    mutating func value(of option: String, missing: String) throws(CommandError) -> String {
        guard let word = next() else { throw CommandError("\(option.quoted) needs \(missing)") }
        guard isEnded || word == "-" || !Self.hasDash(word) else {
            throw CommandError(
                "\(option.quoted) needs \(missing), and \(word.quoted) looks like an option",
                hint: "a value that begins with `-` is written \("\(option)=\(word)".quoted)")
        }
        return word
    }

    /// Cuts an option at its first `=`, by bytes; of another word all is the name.
    static func split(_ word: String) -> (name: String, value: String?) {
        guard hasDash(word), let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (word, nil) }
        let value = word.utf8[word.utf8.index(after: equals)...]
        return (String(decoding: word.utf8[..<equals], as: UTF8.self), String(decoding: value, as: UTF8.self))
    }

    private static func hasDash(_ word: String) -> Bool { word.utf8.first == UInt8(ascii: "-") }
}

extension CommandError {
    fileprivate static func unknownTopic(_ word: String) -> CommandError {
        if let reason = UnsimulatedCommand.reasons[word] {
            return CommandError("\(word.quoted) is not simulated", hint: reason)
        }
        let topics = ManagementCommand.topics
        // The manual forgets a topic, or the space behind it.
        let whole = topics.flatMap { topic in topic.actions.map { "\(topic.name) \($0.name)" } }
        let meant = whole.first { $0.hasSuffix(" " + word) || $0.filter { $0 != " " } == word }
        let names = topics.map { $0.name }
        return CommandError(
            "unknown command \(word.quoted)",
            hint: meant.map { "did you mean \($0.quoted)?" } ?? Suggestion.hint(for: word, among: names) ?? list(names))
    }

    fileprivate static func unknownAction(_ word: String, of topic: String, known: [String]) -> CommandError {
        CommandError(
            "unknown option \(word.quoted) of \(topic.quoted)",
            hint: Suggestion.hint(for: word, among: known) ?? list(known))
    }

    fileprivate static func valueOfSwitch(_ name: String) -> CommandError {
        CommandError("\(name.quoted) takes no value")
    }

    fileprivate static func unknownOption(
        _ word: String, of action: CommandAction, isOption: Bool
    ) -> CommandError {
        CommandError(
            isOption && word.hasPrefix("-")
                ? "unknown option \(word.quoted) of \(action.name.quoted)" : "unexpected word \(word.quoted)",
            hint: isOption ? Suggestion.hint(for: word, among: action.options.map(\.name)) : nil)
    }

    private static func list(_ names: [String]) -> String {
        "there are \(names.map(\.quoted).joined(separator: ", "))"
    }
}

/// The topics of the manual that are not simulated because they affect no attestation, each with the reason.
enum UnsimulatedCommand {
    static let reasons = [
        "metrics": "`scenario run` and `scenario replay` report the metrics",
        "sdk": "the SDK is simulated, so there is none to get",
        "role": nobodyLogsIn, "whoami": nobodyLogsIn, "init": nobodyLogsIn, "password": nobodyLogsIn,
    ]

    private static let nobodyLogsIn =
        "nobody has to log in; `--role` or `--token` says in which role a command is given"
}
