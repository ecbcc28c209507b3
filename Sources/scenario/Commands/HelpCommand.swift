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
