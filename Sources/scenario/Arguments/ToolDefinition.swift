internal import Documents
internal import Reports

/// The tool as a whole: its name and its commands.
struct ToolDefinition: Sendable {
    /// The name as it is typed: `scenario`.
    let name: String
    /// One sentence for the help.
    let summary: String
    /// The groups of commands in the order of the help.
    let groups: [CommandGroup]

    /// The commands in the order of the help.
    var commands: [Command] { groups.flatMap(\.commands) }

    /// The commands for people.
    var listed: [Command] { groups.flatMap(\.listed) }

    /// The JSON Schema of all reports as JSON: each kind that a command names, once.
    var reportSchema: String {
        let settled = Set(commands.filter(\.takesSettings).flatMap(\.reports).map(\.name))
        var names: Set<String> = []
        let kinds = commands.flatMap(\.reports).filter { names.insert($0.name).inserted }
        return ReportKind.document(
            of: kinds.map { ($0, settings: settled.contains($0.name) ? AppliedSettings.member : nil) })
    }

    /// The options that may be typed instead of a command.
    static let options = [Options.help, Options.version, Options.dumpHelp].map(\.definition)

    /// Finds a command by its name.
    ///
    /// - Parameter word: The first argument.
    /// - Throws: When no command has that name, with the closest one as a hint.
    func command(named word: String) throws(CommandFailure) -> Command {
        if let command = commands.first(where: { $0.name == word }) { return command }
        let otherwise = "`\(name) --help` lists the commands"
        guard word.utf8.first == UInt8(ascii: "-") else {
            let near = Suggestion.closest(to: word, among: listed.map(\.name))
            throw .usage("unknown command \(word.asTyped)", hint: near.map(CommandFailure.didYouMean) ?? otherwise)
        }
        // One that a command has was typed too early.
        if let option = listed.lazy.compactMap({ $0.option(called: word) }).first {
            throw .usage("`\(option.name)` comes after the name of a command", hint: otherwise)
        }
        throw .unknownOption(word, among: Self.options, otherwise: otherwise)
    }
}

/// Commands that the help lists together.
struct CommandGroup: Sendable {
    /// The purpose of the commands: `Try a change`.
    let title: String
    let commands: [Command]

    init(_ title: String, _ commands: [Command]) {
        (self.title, self.commands) = (title, commands)
    }

    /// The commands for people.
    var listed: [Command] { commands.filter { !$0.isHidden } }
}
