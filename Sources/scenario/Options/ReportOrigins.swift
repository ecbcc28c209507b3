internal import Documents
internal import Replay
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
    ///   - redactor: What hides people; `nil` shows them.
    static func origin(
        _ arguments: ParsedArguments, of command: CommandDefinition, files: [String], isNeeded: Bool,
        redactor: Redactor? = nil
    ) -> ReportOrigin {
        var origin = ReportOrigin()
        guard isNeeded else { return origin }
        origin.command = line(arguments, of: command, redactor)
        origin.version = ToolVersion.current
        let options = command.options.filter { option in
            // A digest of a key would help to guess it.
            option.name != RedactionOptions.key.name
                && (option.value == .file(.reads) || option.value == .file(.readsAccount))
        }
        let paths = files + options.flatMap(arguments.values(of:))
        origin.inputs = inputs(paths, budget: arguments.isSet(digests) ? .max : digestBytes)
        return origin
    }

    /// What the files are: the small ones, which people write, with their digests before the large ones.
    ///
    /// - Parameters:
    ///   - paths: As they were named; `-` is standard input.
    ///   - budget: How many bytes are read again for digests.
    static func inputs(_ paths: [String], budget: Int) -> [ReportOrigin.Input] {
        let sizes = paths.map { $0 == "-" ? nil : FileDigest.size(of: $0) }
        var (digests, left) = ([Int: String](), budget)
        for index in paths.indices.sorted(by: { (sizes[$0] ?? 0, $0) < (sizes[$1] ?? 0, $1) }) {
            guard let size = sizes[index], size <= left, let digest = FileDigest(path: paths[index]) else { continue }
            digests[index] = digest.text
            left -= size
        }
        return paths.indices.map {
            ReportOrigin.Input(path: paths[$0], size: sizes[$0], digest: digests[$0])
        }
    }

    /// Works out digests of large files, too.
    static let digests = OptionDefinition(
        name: "--digests",
        summary: "Name inputs by their SHA-256, whatever their size; without it, up to 48 MiB of them are read again."
    )

    // So much takes some 30 ms.
    private static let digestBytes = 48 * 1024 * 1024

    /// The command line as a shell takes it: operands first, then options in the order of the help.
    private static func line(
        _ arguments: ParsedArguments, of command: CommandDefinition, _ redactor: Redactor?
    ) -> String {
        var words = ["scenario", command.name] + arguments.operands.map(quoted)
        for option in command.options where !irrelevant.contains(where: { $0.name == option.name }) {
            for value in arguments.values(of: option) {
                words.append(option.name)
                let isCommand = option.name == OptionDefinition.change.name
                let shown = redactor.map { isCommand ? RedactedCommand.text(value, by: $0) : value } ?? value
                if option.value != .nothing { words.append(quoted(shown)) }
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
