internal import Documents

/// Keeps a command line within some folders: for whoever may ask, but not everything.
enum ConfinedArguments {
    /// Refuses a command line that names a file outside, writes one, or reads standard input.
    ///
    /// - Throws: For the first such file.
    static func check(_ arguments: ParsedArguments) throws(CommandFailure) {
        var paths = arguments.operandFiles
        for option in arguments.command.options {
            if option.shape?.file == .writes, arguments.isSet(option) {
                throw .usage("`\(option.name)` writes a file, and nothing may be written here")
            }
            paths += arguments.files(of: option)
        }
        let boundary = arguments.reach
        for path in paths where path == "-" || !boundary.contains(path) {
            throw .usage(
                "\(path.asTyped) is outside the folders that may be read here",
                hint: arguments.folders.map(advice))
        }
    }

    /// The advice for somebody who does not know the folders.
    static func advice(_ folders: [String]) -> String {
        "name files in \(folders.map(\.asTyped).joined(separator: ", ")) by their full paths"
    }
}
