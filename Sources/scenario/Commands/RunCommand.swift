internal import Simulation

/// `scenario run`: scenarios and what they expect.
enum RunCommand {
    /// Runs the command.
    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        .nothingRan
    }
}
