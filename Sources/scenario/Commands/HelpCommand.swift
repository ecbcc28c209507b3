/// `scenario help`: the help of the tool, or of a command.
extension Command {
    static let help = Command(
        "help", "Show the help of a command.",
        .words("COMMAND", "The command; by default the help lists all commands.", minimum: 0, completing: .commands),
        examples: ["scenario help diff": "What `scenario diff --help` shows."],
        answer: answer)

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        let tool = ToolDefinition.scenario
        if let name = call.operands.first {
            let command = try tool.command(named: name)
            call.console.output(HelpText.text(for: command, of: tool, width: call.console.width))
        } else {
            call.console.output(HelpText.text(for: tool, width: call.console.width))
        }
        return .success
    }
}
