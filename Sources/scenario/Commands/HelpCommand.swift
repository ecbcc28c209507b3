internal import Accounts
internal import Documents
internal import Reports
internal import Scenarios

/// `scenario help`: the help of the tool, or of a command.
enum HelpCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "help",
        summary: "Show the help of a command.",
        operands: OperandDefinition(
            placeholder: "COMMAND", summary: "The command; by default the help lists all commands.", kind: .words,
            minimum: 0, words: .commands),
        examples: ["scenario help diff": "What `scenario diff --help` shows."]
    )

    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        let tool = ToolDefinition.scenario
        if let name = arguments.operands.first {
            let command = try tool.command(named: name).definition
            console.output(HelpText.text(for: command, of: tool, width: console.width))
        } else {
            console.output(HelpText.text(for: tool, width: console.width))
        }
        return .success
    }
}

/// `scenario manual`: the manual pages.
enum ManualCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "manual",
        summary: "Write a manual page.",
        operands: OperandDefinition(
            placeholder: "COMMAND", summary: "The command that the page is about; by default the tool as a whole.",
            kind: .words, minimum: 0, words: .commands),
        options: [namesOption],
        discussion: [
            "The page is in the language of man. `make install` puts all pages into the folder where man looks."
        ],
        examples: [
            "scenario manual diff | man -l -": "Shows the page of `diff`.",
            "scenario manual --names": "The names of all pages.",
        ]
    )

    private static let namesOption = OptionDefinition(
        "--names", "Write the names of all pages, a line each, as man knows them.")

    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        let tool = ToolDefinition.scenario
        if arguments.isSet(namesOption) {
            guard arguments.operands.isEmpty else { throw UsageError("`--names` takes no command") }
            console.output(ManualPage.names(of: tool).map { $0 + "\n" }.joined())
        } else if let name = arguments.operands.first {
            console.output(ManualPage.text(of: try tool.command(named: name).definition, tool: tool))
        } else {
            console.output(ManualPage.text(of: tool))
        }
        return .success
    }
}

/// `scenario completion`: completions for a shell.
enum CompletionCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "completion",
        summary: "Write completions for a shell.",
        operands: OperandDefinition(
            placeholder: "SHELL", summary: "bash, zsh or fish.", kind: .words,
            words: .words(Shell.allCases.map(\.rawValue))),
        discussion: [
            """
            With them, shells complete commands, options and their values: files, forms of reports, policies and flags \
            of the catalogue, and the words of management commands. They call `scenario`, which has to be on the PATH. \
            `make install` puts them into the folders where the shells look.
            """
        ],
        examples: [
            "source <(scenario completion bash)": "In this bash, until it ends.",
            "scenario completion zsh > ~/.zsh/completions/_scenario":
                "In every zsh whose `fpath` has that folder before `compinit` runs.",
            "scenario completion fish > ~/.config/fish/completions/scenario.fish": "In every fish.",
        ]
    )

    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        let name = arguments.operands[0]
        guard let shell = Shell(rawValue: name) else {
            let known = Shell.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            throw UsageError(
                "there are no completions for \(UsageError.quote(name))", hint: "there are some for \(known)")
        }
        console.output(shell.completions(of: ToolDefinition.scenario))
        return .success
    }
}

/// `scenario complete`: what the functions of ``Shell`` call when the Tab key is pressed.
enum CompleteCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "complete",
        summary: "Write the completions of a command line.",
        operands: OperandDefinition(
            placeholder: "WORD", summary: "The words behind `scenario`, of which the last one is being typed.",
            kind: .commandLine, minimum: 0, maximum: nil),
        options: [shellOption],
        isHidden: true
    )

    private static let shellOption = OptionDefinition(
        "--shell", "The shell that asks; by default bash.", .choice(of: Shell.self))

    static func run(_ arguments: ParsedArguments, console: Console) -> ExitStatus {
        let shell = arguments.choice(of: shellOption, as: Shell.self) ?? .bash
        let words = shell.words(arguments.operands)
        let completion = Completer(.scenario, words: words).completion
        console.output(shell.lines(of: completion, for: words.last ?? ""))
        return .success
    }
}

/// `scenario schema`: JSON Schemas of the files, for editors.
enum SchemaCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "schema",
        summary: "Write the JSON Schema of a kind of file, for editors, or of all JSON reports.",
        operands: OperandDefinition(
            placeholder: "KIND", summary: "account, scenario, keys or report.", kind: .words,
            words: .words(kinds)),
        discussion: [
            """
            Editors with a language server for YAML use it to show mistakes and to complete keys. A file names its schema \
            in a first line such as `# yaml-language-server: $schema=account.schema.json`. `scenario lint` finds the \
            mistakes that a schema cannot describe.
            """,
            """
            The schema of reports is that of all that this version writes by --format json; each kind of report is one of \
            its definitions.
            """,
        ],
        examples: [
            "scenario schema account > account.schema.json": "The schema of account files."
        ]
    )

    private static let reports = "report"
    private static let kinds = EditorSchema.allCases.map(\.rawValue) + [reports]

    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        let name = arguments.operands[0]
        if name == reports {
            console.output(ReportSchema.document)
            return .success
        }
        guard let kind = EditorSchema(rawValue: name) else {
            let known = kinds.map { "`\($0)`" }.joined(separator: ", ")
            throw UsageError("there is no schema of \(UsageError.quote(name))", hint: "there are schemas of \(known)")
        }
        switch kind {
        case .account: console.output(AccountSchema.document)
        case .scenario: console.output(ScenarioSchema.document)
        case .keys: console.output(KeyFileSchema.document)
        }
        return .success
    }
}
