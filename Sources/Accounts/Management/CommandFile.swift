/// A file that a command writes beside the account.
package struct CommandFile: Hashable, Sendable {
    /// The path, as it was typed.
    package let path: String
    /// What stands in it.
    package let text: String
    /// Whether nobody but its owner may read it.
    package let isSecret: Bool
}

extension CommandEffect {
    /// Notes a file to write.
    ///
    /// - Throws: ``CommandError`` where commands do not write files.
    mutating func write(
        _ text: String, to path: String, isSecret: Bool, in context: CommandContext
    ) throws(CommandError) {
        guard !path.isEmpty else { throw CommandError("the name of the file is empty") }
        guard context.writesFiles else {
            throw CommandError("the command writes a file, which is left to `scenario approov`")
        }
        files.append(CommandFile(path: path, text: text, isSecret: isSecret))
    }
}
