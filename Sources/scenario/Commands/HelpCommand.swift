internal import Documents

/// `scenario help`: the help of the tool, or of a command.
extension Command {
    static let help = Command(
        "help", "Show the help of a command, or the keys of a kind of file.",
        .words(
            "COMMAND",
            "The command, or account, scenario or keys, a kind of file; by default the help lists all commands.",
            minimum: 0, completing: .commands),
        examples: [
            "scenario help diff": "What `scenario diff --help` shows.",
            "scenario help account | less": "The keys of account files, each with its meaning.",
        ],
        answer: answer)

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        let tool = ToolDefinition.scenario
        if let kind = call.operands.first.flatMap(EditorSchema.init) {
            call.console.output(HelpText.text(for: kind.keys, width: call.console.width))
        } else if let name = call.operands.first {
            let command = try tool.command(named: name)
            call.console.output(HelpText.text(for: command, of: tool, width: call.console.width))
        } else {
            call.console.output(HelpText.text(for: tool, width: call.console.width))
        }
        return .success
    }
}
