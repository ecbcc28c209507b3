internal import Documents
internal import PolicyEngine
internal import Replay
internal import Reports
internal import Scenarios

/// What a command line says of what is to be hidden.
enum RedactionOptions {
    /// Hides everywhere.
    static let redact = OptionDefinition(
        name: "--redact",
        summary:
            "Write short names for device IDs, addresses and user properties, in everything; equal ones stay equal."
    )

    /// Makes names that are the same in other runs.
    static let key = OptionDefinition(
        name: "--redact-key",
        value: .file(.reads),
        summary: "Make those names with the secret in FILE, 16 bytes or more; without it, with what the inputs hold."
    )

    /// Shows what some forms hide.
    static let show = OptionDefinition(
        name: "--no-redact",
        summary: "Show device IDs and addresses in Markdown, SARIF and HTML, too."
    )

    /// What commands take that may hide everything.
    static let all = [redact, key]

    private static let leastKey = 16
    // What shows whose something is, or nothing at all.
    private static let refused = ["--tokens", "--malformed", "--printed", "--verbose", "--partial"]
    // Bytes of an input, at its start and at its end, from which the key follows.
    private static let sample = 65_536

    /// What is to be hidden; `nil` for nothing.
    ///
    /// - Parameters:
    ///   - arguments: What was typed.
    ///   - command: The command.
    static func redaction(
        _ arguments: ParsedArguments, of command: CommandDefinition
    ) throws(UsageError) -> Redaction? {
        guard command.options.contains(redact) else { return nil }
        let isEverywhere = all.contains(where: arguments.isSet)
        if isEverywhere { try check(arguments, of: command) }
        let isOfReport =
            command.options.contains(show) && !arguments.isSet(show)
            && hidingForms.contains(form(arguments, of: command))
        guard isEverywhere || isOfReport else { return nil }
        let fallback = [command.operands?.fallback].compactMap(\.self)
        let inputs = arguments.operands.isEmpty ? fallback : arguments.operands
        return Redaction(redactor: Redactor(try pseudonymKey(arguments, inputs)), isEverywhere: isEverywhere)
    }

    // What is put where others see it.
    private static let hidingForms = ["markdown", "sarif", "html"]

    private static func form(_ arguments: ParsedArguments, of command: CommandDefinition) -> String {
        command.options.first { $0.name == "--format" }.flatMap(arguments.value(of:)) ?? "text"
    }

    private static func check(_ arguments: ParsedArguments, of command: CommandDefinition) throws(UsageError) {
        if arguments.isSet(show) { throw UsageError("`\(show.name)` cannot go with `\(redact.name)`") }
        guard let other = command.options.first(where: { refused.contains($0.name) && arguments.isSet($0) }) else {
            return
        }
        throw UsageError("`\(other.name)` cannot go with `\(redact.name)`", hint: "what it shows cannot be hidden")
    }

    private static func pseudonymKey(
        _ arguments: ParsedArguments, _ inputs: [String]
    ) throws(UsageError) -> PseudonymKey {
        guard let path = arguments.value(of: key) else { return inputKey(inputs) }
        guard let bytes = try? TextFile.bytes(path: path), bytes.count >= leastKey else {
            throw UsageError("`\(key.name)` takes a file of \(leastKey) bytes or more")
        }
        return PseudonymKey(from: bytes)
    }

    // Whoever lacks the inputs cannot make it; the same inputs give the same names.
    private static func inputKey(_ paths: [String]) -> PseudonymKey {
        var (bytes, ignored) = ([UInt8](), Diagnostics())
        for path in paths {
            let files = path == "-" ? [path] : ScenarioFiles.find(at: path, diagnostics: &ignored)
            for file in files.isEmpty ? [path] : files {
                // What can be read once only is not read here.
                guard file != "-", let ends = FileDigest.ends(of: file, count: sample) else { return .random() }
                bytes += ends
            }
        }
        return PseudonymKey(from: bytes)
    }
}
