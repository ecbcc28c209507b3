internal import Documents

/// A command of the tool: its arguments, and its run.
///
/// A command is one type in the folder `Commands`, and one line of `ToolDefinition.scenario`.
protocol ToolCommand: SendableMetatype {
    /// The operands and options, and which files they make the command read and write.
    static var definition: CommandDefinition { get }

    /// Runs the command.
    ///
    /// - Parameters:
    ///   - arguments: The typed arguments, of the form that `definition` asks for; no file is to be written that is read.
    ///   - console: The console that output is written to.
    /// - Returns: The status to exit with, after the reason for any but success was shown.
    /// - Throws: For what is wrong with the command line; nothing was read or written then.
    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus
}

/// The tool as a whole: its name and its commands.
struct ToolDefinition: Sendable {
    /// The name as it is typed: `scenario`.
    let name: String
    /// One sentence for the help.
    let summary: String
    /// The groups of commands in the order of the help.
    let groups: [CommandGroup]

    /// The commands in the order of the help.
    var commands: [any ToolCommand.Type] { groups.flatMap(\.commands) }

    /// The commands for people.
    var listed: [CommandDefinition] { groups.flatMap(\.listed) }

    /// The options that may be typed instead of a command.
    static let options = [Options.help, Options.version, Options.dumpHelp].map(\.definition)

    /// Finds a command by its name.
    ///
    /// - Parameter word: The first argument.
    /// - Returns: The command of that name.
    /// - Throws: When no command has that name, with the closest one as a hint.
    func command(named word: String) throws(UsageError) -> any ToolCommand.Type {
        if let command = commands.first(where: { $0.definition.name == word }) { return command }
        let otherwise = "`\(name) --help` lists the commands"
        guard word.utf8.first == UInt8(ascii: "-") else {
            let near = Suggestion.closest(to: word, among: listed.map(\.name))
            throw UsageError(
                "unknown command \(UsageError.quote(word))", hint: near.map(UsageError.didYouMean) ?? otherwise)
        }
        // One that a command has was typed too early.
        if let option = listed.lazy.compactMap({ $0.option(called: word) }).first {
            throw UsageError("`\(option.name)` comes after the name of a command", hint: otherwise)
        }
        throw .unknownOption(word, among: Self.options, otherwise: otherwise)
    }
}

/// Commands that the help lists together.
struct CommandGroup: Sendable {
    /// The purpose of the commands: `Try a change`.
    let title: String
    let commands: [any ToolCommand.Type]

    /// The commands for people.
    var listed: [CommandDefinition] { commands.map { $0.definition }.filter { !$0.isHidden } }
}
