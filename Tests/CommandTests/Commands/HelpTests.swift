import Testing

@testable import scenario

@Suite struct HelpTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let output: String
        var testDescription: String { arguments.joined(separator: " ") }
    }

    private static func help(_ command: any ToolCommand.Type) -> String {
        HelpText.text(for: command.definition, of: ScenarioTool.definition)
    }

    static let rows =
        ScenarioTool.commands.map { Row(arguments: [$0.definition.name, "--help"], output: help($0)) } + [
            Row(arguments: ["--help"], output: HelpText.text(for: ScenarioTool.definition)),
            Row(arguments: ["--version"], output: "scenario 0.1.0\n"),
            Row(
                arguments: ["approov", "--account", "x.yaml", "--help", "policy", "-get"],
                output: help(ApproovCommand.self)),
            Row(arguments: ["replay", "missing.txt", "--nonsense", "--help"], output: help(ReplayCommand.self)),
        ]

    @Test(arguments: rows) func goesToStandardOutput(_ row: Row) throws {
        let run = try ToolRun(row.arguments)
        #expect(run.status == .success)
        #expect(run.output == row.output)
        #expect(run.error == "")
    }

    @Test func everyCommandIsListed() throws {
        let help = try ToolRun(["--help"]).output
        for command in ScenarioTool.commands { #expect(help.contains("\n  \(command.definition.name) ")) }
    }
}
