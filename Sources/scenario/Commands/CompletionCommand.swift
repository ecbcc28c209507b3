/// `scenario completion`: completions for a shell.
enum CompletionCommand: ToolCommand {
    /// The operands of `completion`.
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

    /// Runs the command.
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
