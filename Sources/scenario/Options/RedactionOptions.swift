internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports
internal import Scenarios

/// The options on redaction.
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

    /// The options that redact all output.
    static let all = [redact, key]

    private static let leastKey = 16
    // The options whose output shows people, or is nothing without them.
    private static let refused = ["--tokens", "--malformed", "--printed", "--verbose", "--partial"]

    /// The redaction of a command; `nil` if nothing is hidden.
    ///
    /// - Parameters:
    ///   - arguments: The typed arguments.
    ///   - command: The command.
    ///   - captures: The captures that parts were made from, according to them; `nil` looks at the operands.
    static func redaction(
        _ arguments: ParsedArguments, of command: CommandDefinition, captures: [CaptureIdentity]? = nil
    ) throws(UsageError) -> Redaction? {
        guard command.options.contains(redact) else { return nil }
        let isEverywhere = all.contains(where: arguments.isSet)
        if isEverywhere { try check(arguments, of: command) }
        let isOfReport =
            command.options.contains(show) && !arguments.isSet(show)
            && hidingForms.contains(form(arguments, of: command))
        guard isEverywhere || isOfReport else { return nil }
        let key = try pseudonymKey(arguments, captures ?? inputs(arguments, of: command))
        return Redaction(redactor: Redactor(key), isEverywhere: isEverywhere)
    }

    // The files that the operands name.
    private static func inputs(_ arguments: ParsedArguments, of command: CommandDefinition) -> [CaptureIdentity] {
        var ignored = Diagnostics()
        let fallback = [command.operands?.fallback].compactMap(\.self)
        let paths = (arguments.operands.isEmpty ? fallback : arguments.operands).flatMap { path in
            let files = path == "-" ? [] : ScenarioFiles.find(at: path, diagnostics: &ignored)
            return files.isEmpty ? [path] : files
        }
        return CaptureIdentity.all(paths, digestedUpTo: 0)
    }

    /// The key of names that a report has without being redacted: that of `--redact-key`, or the one that follows from the
    /// inputs; `nil` where an input can be read once only.
    static func reproducibleKey(
        _ arguments: ParsedArguments, _ captures: [CaptureIdentity]
    ) throws(UsageError) -> PseudonymKey? {
        guard arguments.isSet(key) || captures.allSatisfy({ $0.sample != nil }) else { return nil }
        return try pseudonymKey(arguments, captures)
    }

    // The forms of reports that are put where others see them.
    private static let hidingForms = ["markdown", "sarif", "html"]

    private static func form(_ arguments: ParsedArguments, of command: CommandDefinition) -> String {
        command.options.first { $0.name == "--format" }.flatMap(arguments.value(of:)) ?? "text"
    }

    private static func check(_ arguments: ParsedArguments, of command: CommandDefinition) throws(UsageError) {
        if arguments.isSet(show) { throw UsageError("`\(show.name)` cannot be combined with `\(redact.name)`") }
        guard let other = command.options.first(where: { refused.contains($0.name) && arguments.isSet($0) }) else {
            return
        }
        throw UsageError(
            "`\(other.name)` cannot be combined with `\(redact.name)`", hint: "what it shows cannot be hidden")
    }

    // Whoever lacks the inputs cannot make it; the same inputs give the same names.
    private static func pseudonymKey(
        _ arguments: ParsedArguments, _ captures: [CaptureIdentity]
    ) throws(UsageError) -> PseudonymKey {
        guard let path = arguments.value(of: key) else {
            let samples = captures.compactMap(\.sample)
            // Input that can be read once only is not read here.
            return samples.count == captures.count ? PseudonymKey(from: samples.flatMap(\.utf8)) : .random()
        }
        guard let bytes = try? TextFile.bytes(path: path), bytes.count >= leastKey else {
            throw UsageError("`\(key.name)` takes a file of \(leastKey) bytes or more")
        }
        return PseudonymKey(from: bytes)
    }
}
