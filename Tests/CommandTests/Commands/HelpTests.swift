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

    @Test func anOptionThatIsLongStandsOnALineOfItsOwn() throws {
        let lines = try ToolRun(["run", "--help"]).output.split(separator: "\n").map(String.init)
        let forms = "  --format text|json|html|openmetrics|junit|tap|github|summary-mail"
        let start = try #require(lines.firstIndex(of: forms))
        let seed = try #require(lines.first { $0.hasPrefix("  --seed N ") })
        let column = seed.distance(from: seed.startIndex, to: try #require(seed.firstRange(of: "Draw")).lowerBound)
        // Its summary is below, at the column of the others'.
        #expect(lines[start + 1].hasPrefix(String(repeating: " ", count: column) + "Write the report"))
        #expect(lines.allSatisfy { $0.count <= HelpText.width })
    }

    @Test func everyCommandIsListed() throws {
        let help = try ToolRun(["--help"]).output
        for command in ScenarioTool.definition.listed { #expect(help.contains("\n  \(command.name) ")) }
    }
}
