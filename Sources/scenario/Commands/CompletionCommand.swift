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

    private static let shellOption = Option("--shell", "The shell that asks; by default bash.", .choice(of: Shell.self))

    static func run(_ arguments: ParsedArguments, console: Console) -> ExitStatus {
        let shell = arguments[shellOption] ?? .bash
        let words = shell.words(arguments.operands)
        let completion = Completer(.scenario, words: words).completion
        console.output(shell.lines(of: completion, for: words.last ?? ""))
        return .success
    }
}
