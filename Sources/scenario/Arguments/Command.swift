internal import Reports

/// A command of the tool: everything that can be typed after its name, and what it does.
///
/// A command is one file in the folder `Commands`, and one entry of `ToolDefinition.scenario`.
struct Command: Sendable {
    /// The name as it is typed: `replay`.
    let name: String
    /// One sentence for the list of commands.
    let summary: String
    /// The arguments beside the options; `nil` if there may be none.
    let operands: OperandDefinition?
    // All commands are made to find one of them; what only that one needs is made when somebody reads it.
    private let declaredOptions: @Sendable () -> [any CommandOption]
    private let declaredChoice: @Sendable () -> OptionChoice?
    private let discussion: @Sendable () -> String
    private let declaredExamples: @Sendable () -> KeyValuePairs<String, String>
    private let declaredReports: @Sendable () -> [ReportKind]
    /// True if it asks about an account or captures, and `scenario.toml` has defaults for it.
    let takesSettings: Bool
    /// True if the command is for other programs, and so is in no list for people.
    let isHidden: Bool
    /// Carries out a call, whose arguments have the forms that are declared here; no file is to be written that is read.
    ///
    /// The status to exit with is returned or thrown, after the reason for any but success was shown.
    let answer: @Sendable (CommandCall) throws(CommandFailure) -> ExitStatus

    /// Makes a command.
    ///
    /// - Parameters:
    ///   - discussion: The text of the help below the options; a blank line ends a paragraph.
    ///   - examples: Command lines, and one sentence on each.
    ///   - reports: The kinds of what it writes as JSON.
    init(
        _ name: String, _ summary: String, _ operands: OperandDefinition? = nil,
        options: @autoclosure @escaping @Sendable () -> [any CommandOption] = [],
        choice: @autoclosure @escaping @Sendable () -> OptionChoice? = nil,
        discussion: @autoclosure @escaping @Sendable () -> String = "",
        examples: @autoclosure @escaping @Sendable () -> KeyValuePairs<String, String> = [:],
        reports: @autoclosure @escaping @Sendable () -> [ReportKind] = [], takesSettings: Bool = false,
        isHidden: Bool = false, answer: @escaping @Sendable (CommandCall) throws(CommandFailure) -> ExitStatus
    ) {
        (self.name, self.summary, self.operands) = (name, summary, operands)
        (declaredOptions, declaredChoice, declaredExamples) = (options, choice, examples)
        (self.discussion, declaredReports, self.takesSettings) = (discussion, reports, takesSettings)
        (self.isHidden, self.answer) = (isHidden, answer)
    }

    /// The options in the order of reports and of the dump, without those that every command has.
    var options: [OptionDefinition] { declaredOptions().map(\.definition) }

    /// The options of which exactly one is needed; `nil` where there is no such rule.
    var choice: OptionChoice? { declaredChoice() }

    /// Command lines worth showing.
    var examples: [CommandExample] { declaredExamples().map { CommandExample(line: $0.key, summary: $0.value) } }

    /// The kinds of what it writes as JSON.
    var reports: [ReportKind] { declaredReports() }

    /// The text of the help below the options, a paragraph each.
    var paragraphs: [String] {
        discussion().split(separator: "\n\n").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    }

    /// The options with those that every command has.
    var allOptions: [OptionDefinition] { options + [Options.quiet.definition, Options.help.definition] }

    /// True if it has an option.
    func has(_ option: any CommandOption) -> Bool { options.contains { $0.name == option.name } }

    /// Finds an option by a word of the command line: its name, its letter or its former name.
    func option(called word: some StringProtocol) -> OptionDefinition? { allOptions.first { $0.isCalled(word) } }
}

/// A command line worth showing, and what it does.
struct CommandExample: Sendable {
    /// The command line as it is typed in a shell.
    let line: String
    /// One sentence for the help.
    let summary: String
}

/// The arguments of a command that are not options.
struct OperandDefinition: Sendable {
    /// The meaning of a command's operands.
    enum Kind: Sendable {
        /// Words that name no file, such as a policy.
        case words
        /// Captures, scenarios, accounts, or folders that are searched for scenarios; the command reads them, and what
        /// they name in turn. `-` is standard input.
        case files
        /// Another command line, with its own options: all that follows the first word belongs to it unchanged.
        case commandLine
    }

    let kind: Kind
    /// The name of one of them in the help: `PATH`.
    let placeholder: String
    /// One sentence for the help.
    let summary: String
    /// The least number of operands.
    let minimum: Int
    /// The greatest number of operands; `nil` sets no limit.
    let maximum: Int?
    /// The path that the command takes if none is given; only if `minimum` is 0.
    var fallback: String?
    /// The words that shells complete.
    var words = WordList.unknown

    private init(_ kind: Kind, _ placeholder: String, _ summary: String, _ minimum: Int, _ maximum: Int?) {
        (self.kind, self.placeholder, self.summary) = (kind, placeholder, summary)
        (self.minimum, self.maximum) = (minimum, maximum)
    }

    /// Files that the command reads: at least one of them, and as many as there are, unless other bounds are given.
    static func files(
        _ placeholder: String, _ summary: String, minimum: Int = 1, maximum: Int? = nil, fallback: String? = nil
    ) -> OperandDefinition {
        var operands = OperandDefinition(.files, placeholder, summary, minimum, maximum)
        (operands.fallback, operands.words) = (fallback, .files)
        return operands
    }

    /// Words that name no file: exactly one, unless other bounds are given.
    static func words(
        _ placeholder: String, _ summary: String, minimum: Int = 1, maximum: Int? = 1, completing words: WordList
    ) -> OperandDefinition {
        var operands = OperandDefinition(.words, placeholder, summary, minimum, maximum)
        operands.words = words
        return operands
    }

    /// Another command line.
    static func commandLine(_ placeholder: String, _ summary: String, minimum: Int = 1) -> OperandDefinition {
        OperandDefinition(.commandLine, placeholder, summary, minimum, nil)
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
