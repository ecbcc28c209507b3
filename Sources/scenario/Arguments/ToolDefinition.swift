internal import Documents

/// The tool as a whole: its name and its commands.
struct ToolDefinition: Hashable, Sendable {
    /// The name as it is typed: `scenario`.
    let name: String
    /// One sentence for the help.
    let summary: String
    /// The commands in the order of the help.
    let commands: [CommandDefinition]

    /// The options that stand in place of a command.
    static let options = [
        OptionDefinition.help,
        OptionDefinition(name: "--version", summary: "Show the version."),
    ]

    /// Finds a command by what was typed in its place.
    ///
    /// - Parameter word: The first argument.
    /// - Returns: The command of that name.
    /// - Throws: When no command has that name, with the closest one as a hint.
    func command(named word: String) throws(UsageError) -> CommandDefinition {
        if let command = commands.first(where: { $0.name == word }) { return command }
        let isOption = word.utf8.first == UInt8(ascii: "-")
        let known = isOption ? Self.options.map(\.name) : commands.map(\.name)
        let suggestion = Suggestion.closest(to: word, among: known).map { "did you mean \(UsageError.quote($0))?" }
        throw UsageError(
            "unknown \(isOption ? "option" : "command") \(UsageError.quote(word))",
            hint: suggestion ?? "`\(name) --help` lists the commands"
        )
    }
}
