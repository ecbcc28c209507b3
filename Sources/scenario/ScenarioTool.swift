/// The command as a whole: finds the command that is asked for and runs it.
enum ScenarioTool {
    /// Grows with every change that users can see; CHANGELOG.md tells what changed.
    static let version = "0.1.0"

    /// The commands, and what help says of them.
    static let definition = ToolDefinition(
        name: "scenario",
        summary: "Says what a device-attestation policy does, before it is set.",
        commands: [
            RunCommand.definition, ReplayCommand.definition, DiffCommand.definition, ExplainCommand.definition,
            LintCommand.definition, PolicyCommand.definition, ApproovCommand.definition, ArcCommand.definition,
            GenerateCommand.definition,
        ]
    )

    /// Runs the tool.
    ///
    /// - Parameters:
    ///   - arguments: What was typed behind the tool's name.
    ///   - console: Where output goes.
    /// - Returns: The status to exit with.
    static func run(_ arguments: [String], console: Console) -> ExitStatus {
        do throws(UsageError) {
            return try dispatch(arguments, console: console)
        } catch {
            console.error("scenario: error: \(error)\n")
            return .usage
        }
    }

    private static func dispatch(_ arguments: [String], console: Console) throws(UsageError) -> ExitStatus {
        guard let first = arguments.first else {
            console.error(HelpText.text(for: definition))
            return .usage
        }
        if first == "--help" {
            console.output(HelpText.text(for: definition))
            return .success
        }
        if first == "--version" {
            console.output("scenario \(version)\n")
            return .success
        }
        let command = try definition.command(named: first)
        let parsed = try ArgumentParser.parse(Array(arguments.dropFirst()), for: command)
        if parsed.isHelpRequested {
            console.output(HelpText.text(for: command, of: definition))
            return .success
        }
        try FileConflicts.check(parsed)
        switch command.name {
        case RunCommand.definition.name: return try RunCommand.run(parsed, console: console)
        case ReplayCommand.definition.name: return try ReplayCommand.run(parsed, console: console)
        case DiffCommand.definition.name: return try DiffCommand.run(parsed, console: console)
        case ExplainCommand.definition.name: return try ExplainCommand.run(parsed, console: console)
        case LintCommand.definition.name: return try LintCommand.run(parsed, console: console)
        case PolicyCommand.definition.name: return try PolicyCommand.run(parsed, console: console)
        case ApproovCommand.definition.name: return try ApproovCommand.run(parsed, console: console)
        case GenerateCommand.definition.name: return try GenerateCommand.run(parsed, console: console)
        default: return try ArcCommand.run(parsed, console: console)
        }
    }
}
