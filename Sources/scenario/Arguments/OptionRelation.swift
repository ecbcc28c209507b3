/// A rule of an option on the others of its command: the parser checks it, and the help shows it.
struct OptionRelation: Hashable, Sendable {
    /// The two kinds of rules.
    enum Kind: Hashable, Sendable {
        /// None of the others may be given.
        case excludes
        /// One of the others has to be given.
        case needs
    }

    let kind: Kind
    /// The other options.
    let others: [OptionUse]
    /// The value of the option for which the rule holds; `nil` for any.
    private(set) var value: String?
    // The words that stand for the others.
    private var words: String?
    // The end of the message, and advice.
    private let reason: String
    private let hint: String?

    private init(_ kind: Kind, _ others: [OptionUse], words: String? = nil, reason: String = "", hint: String?) {
        (self.kind, self.others, self.words, self.reason, self.hint) = (kind, others, words, reason, hint)
    }

    /// None of the others may be given.
    ///
    /// - Parameter reason: The end of the message, with the punctuation before it.
    static func excludes(_ others: [OptionUse], reason: String = "", hint: String? = nil) -> OptionRelation {
        OptionRelation(.excludes, others, reason: reason, hint: hint)
    }

    /// One of the others has to be given.
    ///
    /// - Parameter words: The words that stand for the others; by default the first one.
    static func needs(_ others: [OptionUse], as words: String? = nil, hint: String? = nil) -> OptionRelation {
        OptionRelation(.needs, others, words: words, hint: hint)
    }

    /// The same rule, for one value of the option only.
    func when(_ value: String) -> OptionRelation {
        var relation = self
        relation.value = value
        return relation
    }

    /// The rule as a sentence of the help; `nil` where a command has none of the other options.
    ///
    /// - Parameter names: The names of the command's options.
    func sentence(among names: Set<String>) -> String? {
        let known = others.filter { names.contains($0.name) }
        guard let first = known.first else { return nil }
        let condition = value.map { " with \($0)" } ?? ""
        switch kind {
        case .needs: return "Needs \(words ?? first.text)\(condition)."
        case .excludes:
            let list = known.dropLast().map(\.text).joined(separator: ", ")
            return "Not with \(list.isEmpty ? "" : list + " or ")\(known[known.count - 1].text)\(condition)."
        }
    }

    /// True if one of the others is given that exclude the option whatever its value is.
    fileprivate func excludes(anyOf arguments: ParsedArguments) -> Bool {
        kind == .excludes && value == nil && others.contains(where: arguments.has)
    }

    /// Checks the rule.
    ///
    /// - Parameter option: The option that has it, which is given.
    func check(of option: any CommandOption, _ arguments: ParsedArguments) throws(CommandFailure) {
        if let value, arguments.word(of: option) != value { return }
        let given = others.first(where: arguments.has)
        let name = "`\(OptionUse(option.name, value.map { [$0] } ?? []).text)`"
        switch kind {
        case .excludes:
            guard let given else { return }
            // An option that is given with any value is named first: it is the one to leave out.
            let (one, other) = given.values.isEmpty ? ("`\(given.text)`", name) : (name, "`\(given.text)`")
            throw .usage("\(one) cannot be combined with \(other)\(reason)", hint: hint)
        case .needs:
            guard given == nil, let first = others.first else { return }
            throw .usage("\(name) needs \(words ?? "`\(first.text)`")", hint: hint)
        }
    }
}

/// An option as it is given: with any value, or with one of some.
struct OptionUse: Hashable, Sendable {
    let name: String
    /// The values that count; none for any.
    let values: [String]

    init(_ name: String, _ values: [String] = []) {
        (self.name, self.values) = (name, values)
    }

    /// The words of a command line for each value: `--format json`, `--format html`.
    var words: [String] { values.isEmpty ? [name] : values.map { "\(name) \($0)" } }

    /// The first of these.
    var text: String { words[0] }
}

/// Options of which exactly one is given.
struct OptionChoice: Sendable {
    let options: [any CommandOption]
    /// The message where none is given.
    let missing: String
    /// Options that look like one of them, and what to do with them instead.
    var mistaken: (options: [any CommandOption], advice: String)?

    /// The rule as a sentence of the help.
    var sentence: String {
        let names = options.map(\.name)
        return "Exactly one of \(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1]) is needed."
    }

    /// Checks the rule.
    func check(_ arguments: ParsedArguments) throws(CommandFailure) {
        let given = options.filter(arguments.isSet)
        guard given.count != 1 else { return }
        throw .usage(
            given.isEmpty ? missing : "`\(given[1].name)` cannot be combined with `\(given[0].name)`",
            hint: "give one of \(options.map { "`\($0.name)`" }.joined(separator: ", "))" + advice(arguments, given))
    }
}

extension OptionChoice {
    private func advice(_ arguments: ParsedArguments, _ given: [any CommandOption]) -> String {
        guard given.isEmpty, let mistaken, mistaken.options.contains(where: arguments.isSet) else { return "" }
        return "; \(mistaken.advice)"
    }
}

extension CommandOption {
    /// The option with any value.
    var given: OptionUse { OptionUse(name) }
}

extension ParsedArguments {
    /// True if an option was given, with a value that counts.
    fileprivate func has(_ use: OptionUse) -> Bool {
        let values = words(named: use.name)
        return use.values.isEmpty ? !values.isEmpty : values.contains(where: use.values.contains)
    }

    /// True if the options that were typed leave no room for another one: they and it exclude each other.
    func exclude(_ option: any CommandOption) -> Bool {
        let isExcluded = option.definition.relations.contains { $0.excludes(anyOf: self) }
        let use = option.given
        return isExcluded
            || command.options.contains { other in
                isSet(other)
                    && other.definition.relations.contains {
                        $0.kind == .excludes && $0.value == nil && $0.others.contains(use)
                    }
            }
    }

    /// Checks the rules of an option on others.
    func checkRelations(of option: any CommandOption) throws(CommandFailure) {
        guard isSet(option) else { return }
        for relation in option.definition.relations { try relation.check(of: option, self) }
    }
}
