internal import Documents
internal import Reports

/// Says of a report what it was made from: the command line, and the files that were read.
enum ReportOrigins {
    // What has no influence on the report.
    private static let irrelevant: [OptionDefinition] = [.jobs, .output, .noProgress]

    /// The origin of a report; where its form does not say it, nothing is read.
    ///
    /// - Parameters:
    ///   - arguments: What was typed.
    ///   - command: The command.
    ///   - files: The files that the operands led to.
    ///   - isNeeded: Whether the form says it.
    static func origin(
        _ arguments: ParsedArguments, of command: CommandDefinition, files: [String], isNeeded: Bool
    ) -> ReportOrigin {
        var origin = ReportOrigin()
        guard isNeeded else { return origin }
        origin.command = line(arguments, of: command)
        origin.version = ToolVersion.current
        let options = command.options.filter { option in
            option.value == .file(.reads) || option.value == .file(.readsAccount)
        }
        for path in files + options.flatMap(arguments.values(of:)) {
            let digest = path == "-" ? nil : FileDigest(path: path)
            origin.inputs.append(ReportOrigin.Input(path: path, size: digest?.size ?? 0, digest: digest?.text))
        }
        return origin
    }

    /// The command line as a shell takes it: operands first, then options in the order of the help.
    private static func line(_ arguments: ParsedArguments, of command: CommandDefinition) -> String {
        var words = ["scenario", command.name] + arguments.operands.map(quoted)
        for option in command.options where !irrelevant.contains(where: { $0.name == option.name }) {
            for value in arguments.values(of: option) {
                words.append(option.name)
                if option.value != .nothing { words.append(quoted(value)) }
            }
        }
        return words.joined(separator: " ")
    }

    // Within single quotes a shell takes everything as it stands.
    private static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && word.utf8.allSatisfy { plain.contains($0) }
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,%+=@".utf8)
}
