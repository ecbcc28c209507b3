/// `scenario complete`: what the functions of ``Shell`` call when the Tab key is pressed.
enum CompleteCommand: ToolCommand {
    /// The option and the operands of `complete`.
    static let definition = CommandDefinition(
        name: "complete",
        summary: "Write the completions of a command line.",
        operands: OperandDefinition(
            placeholder: "WORD", summary: "The words behind `scenario`, of which the last one is being typed.",
            kind: .commandLine, minimum: 0, maximum: nil),
        options: [shellOption],
        isHidden: true
    )

    /// Chooses the form of the output.
    private static let shellOption = OptionDefinition(
        "--shell", "The shell that asks; by default bash.", .choice(of: Shell.self))

    /// Runs the command.
    static func run(_ arguments: ParsedArguments, console: Console) -> ExitStatus {
        let shell = arguments.choice(of: shellOption, as: Shell.self) ?? .bash
        let words = shell.words(arguments.operands)
        let completion = Completer(.scenario, words: words).completion
        console.output(shell.lines(of: completion, for: words.last ?? ""))
        return .success
    }
}
