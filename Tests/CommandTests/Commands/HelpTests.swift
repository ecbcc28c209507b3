import Testing

@testable import scenario

@Suite struct HelpTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let output: String
        var testDescription: String { arguments.joined(separator: " ") }
    }

    private static let run = HelpText.text(for: RunCommand.definition, of: ScenarioTool.definition)
    private static let replay = HelpText.text(for: ReplayCommand.definition, of: ScenarioTool.definition)
    private static let approov = HelpText.text(for: ApproovCommand.definition, of: ScenarioTool.definition)
    private static let arc = HelpText.text(for: ArcCommand.definition, of: ScenarioTool.definition)

    private static let generate = HelpText.text(for: GenerateCommand.definition, of: ScenarioTool.definition)

    static let rows = [
        Row(arguments: ["generate", "--help"], output: generate),
        Row(arguments: ["--help"], output: HelpText.text(for: ScenarioTool.definition)),
        Row(arguments: ["--version"], output: "scenario 0.1.0\n"), Row(arguments: ["run", "--help"], output: run),
        Row(arguments: ["replay", "--help"], output: replay), Row(arguments: ["arc", "--help"], output: arc),
        Row(arguments: ["approov", "--help"], output: approov),
        Row(arguments: ["approov", "--account", "x.yaml", "--help", "policy", "-get"], output: approov),
        Row(arguments: ["replay", "missing.txt", "--nonsense", "--help"], output: replay),
    ]

    @Test(arguments: rows) func goesToStandardOutput(_ row: Row) throws {
        let run = try ToolRun(row.arguments)
        #expect(run.status == .success)
        #expect(run.output == row.output)
        #expect(run.error == "")
    }

    @Test func everyCommandIsListed() throws {
        let help = try ToolRun(["--help"]).output
        for command in ScenarioTool.definition.commands { #expect(help.contains("\n  \(command.name) ")) }
    }
}
