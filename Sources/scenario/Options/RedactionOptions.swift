internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Scenarios

/// The options on redaction.
enum RedactionOptions {
    /// Hides everywhere.
    static let redact = Option(
        "--redact",
        "Write short names for device IDs, addresses and user properties, in everything; equal ones stay equal.",
        in: .output, relations: relations)

    /// Makes names that are the same in other runs.
    static let key = Option(
        "--redact-key",
        "Make those names with the secret in FILE, 16 bytes or more; without it, with what the inputs hold.",
        .file(.reads), in: .output, relations: relations)

    /// Shows what some forms hide.
    static let show = Option(
        "--no-redact", "Show device IDs and addresses in Markdown, SARIF, HTML and annotations, too.", in: .output)

    /// The options that redact all output.
    static let all: [any CommandOption] = [redact, key]

    private static let leastKey = 16
    // The second holds for options whose output shows people, or is nothing without them.
    private static let relations: [OptionRelation] = [
        .excludes([show.given]),
        .excludes(
            ["--tokens", "--malformed", "--printed", "--verbose", "--partial"].map { OptionUse($0) },
            hint: "what it shows cannot be hidden"),
    ]

    /// The redaction of a command; `nil` if nothing is hidden.
    ///
    /// - Parameters:
    ///   - arguments: The typed arguments.
    ///   - captures: The captures that parts were made from, according to them; `nil` looks at the operands.
    static func redaction(
        _ arguments: ParsedArguments, captures: [CaptureIdentity]? = nil
    ) throws(CommandFailure) -> Redaction? {
        guard arguments.command.has(redact) else { return nil }
        let isEverywhere = all.contains(where: arguments.isSet)
        // Nobody parsed the arguments that parts of a replay had.
        for option in all { try arguments.checkRelations(of: option) }
        let isOfReport =
            arguments.command.has(show) && !arguments.isSet(show)
            && !hidingForms.isDisjoint(with: arguments.words(named: Options.formatName))
        guard isEverywhere || isOfReport else { return nil }
        let captures = captures ?? inputs(arguments)
        let known = try reproducibleKey(arguments, captures)
        return Redaction(
            redactor: Redactor(known ?? .random()), isEverywhere: isEverywhere, isReproducible: known != nil)
    }

    /// The redactor that `--redact` has, or would have, for the inputs of a command.
    static func redactor(_ arguments: ParsedArguments) throws(CommandFailure) -> Redactor {
        Redactor(try reproducibleKey(arguments, inputs(arguments)) ?? .random())
    }

    // The files that the operands name.
    private static func inputs(_ arguments: ParsedArguments) -> [CaptureIdentity] {
        if let read = arguments.captures { return read.image.captures }
        var ignored = Diagnostics()
        let fallback = [arguments.command.operands?.fallback].compactMap(\.self)
        let paths = (arguments.operands.isEmpty ? fallback : arguments.operands).flatMap { path in
            let files = path == "-" ? [] : ScenarioFiles.find(at: path, within: arguments.reach, diagnostics: &ignored)
            return files.isEmpty ? [path] : files
        }
        return CaptureIdentity.all(paths, digestedUpTo: 0)
    }

    // The forms of reports that are put where others see them.
    private static let hidingForms: Set = ["markdown", "sarif", "html", "github"]

    /// True if a redaction applies to the report of some arguments, which have one form.
    static func hides(_ arguments: ParsedArguments, _ redaction: Redaction) -> Bool {
        redaction.isEverywhere || !hidingForms.isDisjoint(with: arguments.words(named: Options.formatName))
    }

    /// The key of names: that of `--redact-key`, or the one that follows from the inputs. Whoever lacks the inputs cannot make
    /// it, and the same inputs give the same names; `nil` where an input can be read once only.
    static func reproducibleKey(
        _ arguments: ParsedArguments, _ captures: [CaptureIdentity]
    ) throws(CommandFailure) -> PseudonymKey? {
        guard let path = arguments[key] else {
            let samples = captures.compactMap(\.sample)
            // Input that can be read once only is not read here.
            return samples.count == captures.count ? PseudonymKey(from: samples.flatMap(\.utf8)) : nil
        }
        guard let bytes = try? TextFile.secretBytes(path: path), bytes.count >= leastKey else {
            throw .usage("`\(key.name)` takes a file of \(leastKey) bytes or more")
        }
        return PseudonymKey(from: bytes)
    }
}
