/// `scenario completion`: completions for a shell.
extension Command {
    static let completion = Command(
        "completion", "Write completions for a shell.",
        .words("SHELL", "bash, zsh or fish.", completing: .words(Shell.allCases.map(\.rawValue))),
        discussion: """
            With them, shells complete commands, options and their values: files, forms of reports, policies and
            flags of the catalogue, and the words of management commands. They call `scenario`, which has to be on
            the PATH. `make install` puts them into the folders where the shells look.
            """,
        examples: [
            "source <(scenario completion bash)": "In this bash, until it ends.",
            "scenario completion zsh > ~/.zsh/completions/_scenario":
                "In every zsh whose `fpath` has that folder before `compinit` runs.",
            "scenario completion fish > ~/.config/fish/completions/scenario.fish": "In every fish.",
        ],
        answer: answer)

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        let name = call.operands[0]
        guard let shell = Shell(rawValue: name) else {
            let known = Shell.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            throw .usage("there are no completions for \(name.asTyped)", hint: "there are some for \(known)")
        }
        call.console.output(shell.completions(of: ToolDefinition.scenario))
        return .success
    }
}

/// `scenario complete`: what the functions of ``Shell`` call when the Tab key is pressed.
extension Command {
    static let complete = Command(
        "complete", "Write the completions of a command line.",
        .commandLine("WORD", "The words behind `scenario`, of which the last one is being typed.", minimum: 0),
        options: [shellOption],
        isHidden: true,
        answer: answerComplete)

    private static let shellOption = Option(
        "--shell", "The shell that asks; by default bash.", .choice(usually: Shell.bash))

    private static func answerComplete(_ call: CommandCall) -> ExitStatus {
        let shell = call[shellOption]
        let words = shell.words(call.operands)
        let completion = Completer(.scenario, words: words).completion
        call.console.output(shell.lines(of: completion, for: words.last ?? ""))
        return .success
    }
}
