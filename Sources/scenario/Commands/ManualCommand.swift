/// `scenario manual`: the manual pages.
extension Command {
    static let manual = Command(
        "manual", "Write a manual page.",
        .words(
            "COMMAND", "The command that the page is about; by default the tool as a whole.", minimum: 0,
            completing: .commands),
        options: [namesOption],
        discussion: """
            The page is in the language of man. `make install` puts all pages into the folder where man looks.
            """,
        examples: [
            "scenario manual diff | man -l -": "Shows the page of `diff`.",
            "scenario manual --names": "The names of all pages.",
        ],
        answer: answer)

    private static let namesOption = Option("--names", "Write the names of all pages, a line each, as man knows them.")

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        let tool = ToolDefinition.scenario
        if call[namesOption] {
            guard call.operands.isEmpty else { throw .usage("`--names` takes no command") }
            call.console.output(ManualPage.names(of: tool).map { $0 + "\n" }.joined())
        } else if let name = call.operands.first {
            call.console.output(ManualPage.text(of: try tool.command(named: name), tool: tool))
        } else {
            call.console.output(ManualPage.text(of: tool))
        }
        return .success
    }
}
