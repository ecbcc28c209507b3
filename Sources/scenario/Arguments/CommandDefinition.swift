/// Everything that can be typed after the name of one command.
struct CommandDefinition: Sendable {
    /// The name as it is typed: `replay`.
    let name: String
    /// One sentence for the list of commands.
    let summary: String
    /// The arguments beside the options; `nil` if there may be none.
    let operands: OperandDefinition?
    /// The options in the order of the help, without those that every command has.
    let options: [OptionDefinition]
    /// The options of which exactly one is needed; `nil` where there is no such rule.
    let choice: OptionChoice?
    /// The text of the help below the options, a paragraph each.
    let discussion: [String]
    /// Command lines worth showing.
    let examples: [CommandExample]
    /// True if the command is for other programs, and so is in no list for people.
    let isHidden: Bool

    /// Makes a definition; each of the examples is a command line, and one sentence on what it does.
    init(
        name: String,
        summary: String,
        operands: OperandDefinition? = nil,
        options: [any CommandOption] = [],
        choice: OptionChoice? = nil,
        discussion: [String] = [],
        examples: KeyValuePairs<String, String> = [:],
        isHidden: Bool = false
    ) {
        (self.name, self.summary, self.operands) = (name, summary, operands)
        (self.options, self.choice, self.discussion) = (options.map(\.definition), choice, discussion)
        self.examples = examples.map { CommandExample(line: $0.key, summary: $0.value) }
        self.isHidden = isHidden
    }

    /// The options with those that every command has, in the order of the help.
    var allOptions: [OptionDefinition] { options + [Options.quiet.definition, Options.help.definition] }

    /// True if it has an option.
    func has(_ option: any CommandOption) -> Bool { options.contains { $0.name == option.name } }

    /// Finds an option by a word of the command line: its name, its letter or its former name.
    func option(called word: some StringProtocol) -> OptionDefinition? { allOptions.first { $0.isCalled(word) } }
}

/// A command line worth showing, and what it does.
struct CommandExample: Hashable, Sendable {
    /// The command line as it is typed in a shell.
    let line: String
    /// One sentence for the help.
    let summary: String
}

/// The arguments of a command that are not options.
struct OperandDefinition: Hashable, Sendable {
    /// The meaning of a command's operands.
    enum Kind: Hashable, Sendable {
        /// Words that name no file, such as a policy.
        case words
        /// Captures, scenarios, accounts, or folders that are searched for scenarios; the command reads them, and what
        /// they name in turn. `-` is standard input.
        case files
        /// Another command line, with its own options: all that follows the first word belongs to it unchanged.
        case commandLine
    }

    /// The name of one of them in the help: `PATH`.
    let placeholder: String
    /// One sentence for the help.
    let summary: String
    let kind: Kind
    /// The least number of operands.
    let minimum: Int
    /// The greatest number of operands; `nil` sets no limit.
    let maximum: Int?
    /// The path that the command takes if none is given; only if `minimum` is 0.
    let fallback: String?
    /// The words that shells complete.
    let words: WordList

    /// Makes a definition; without bounds there must be exactly one.
    init(
        placeholder: String, summary: String, kind: Kind, minimum: Int = 1, maximum: Int? = 1, fallback: String? = nil,
        words: WordList = .unknown
    ) {
        (self.placeholder, self.summary, self.kind) = (placeholder, summary, kind)
        self.words = kind == .files ? .files : words
        (self.minimum, self.maximum, self.fallback) = (minimum, maximum, fallback)
    }

    /// Files that the command reads: at least one of them, and as many as there are, unless other bounds are given.
    static func files(
        _ placeholder: String, _ summary: String, minimum: Int = 1, maximum: Int? = nil, fallback: String? = nil
    ) -> OperandDefinition {
        OperandDefinition(
            placeholder: placeholder, summary: summary, kind: .files, minimum: minimum, maximum: maximum,
            fallback: fallback)
    }

    /// As the usage line shows them: `CODE`, `[SPEC]`, `CAPTURE…`, `[PATH…]`, or `CAPTURE CAPTURE` where there are two.
    var label: String {
        if minimum > 1, minimum == maximum {
            return Array(repeating: placeholder, count: minimum).joined(separator: " ")
        }
        let repeated = maximum != nil ? placeholder : "\(placeholder)…"
        return minimum == 0 ? "[\(repeated)]" : repeated
    }
}
