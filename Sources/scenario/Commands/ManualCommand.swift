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

    private static let namesOption = Option("--names", "Write the names of all pages, a line each, as man knows them.")

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
