internal import Documents
internal import Replay

/// The command line that explains a device of a report: with the same captures, account and change.
enum ExplanationLine {
    /// The line up to the device.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the command that makes the report.
    ///   - redaction: The redaction of the report; `nil` shows devices as they are.
    /// - Returns: `nil` where the report names devices by names that nobody can make again, or a file can be read once only.
    static func beginning(_ arguments: ParsedArguments, _ redaction: Redaction?) -> String? {
        let files = arguments.operands + [account(arguments), arguments[Options.changes]].compactMap(\.self)
        // No command explains a device by a part of captures.
        guard redaction?.isReproducible ?? true, !files.contains(where: isReadOnce), arguments.captures?.part == nil
        else { return nil }
        var words = ["scenario", Command.explain.name] + arguments.operands.map(Escape.shell(operand:))
        if let account = account(arguments) {
            words.append(Escape.shell(option: Options.account.name, account))
        }
        words += ReportOrigins.words(arguments, of: taken, redaction?.redactor)
        return (words + [Options.device.name]).joined(separator: " ")
    }

    /// The options of the line for a device of a scenario that was run.
    ///
    /// - Parameter scenarios: The number of scenarios that were run: together they make the key of names.
    static func options(_ arguments: ParsedArguments, _ redaction: Redaction?, scenarios: Int) -> String? {
        let isKnown = arguments.isSet(RedactionOptions.key) || scenarios == 1
        guard redaction == nil || isKnown else { return nil }
        return [Options.seed, RedactionOptions.key].flatMap { (option: any CommandOption) in
            arguments.words(of: option).map { " " + Escape.shell(option: option.name, $0) }
        }.joined()
    }

    // The options that have the same meaning for `explain`, beside that on the account.
    private static let taken: [any CommandOption] = [
        Options.policy, Options.change, Options.changes, NarrowingOptions.between, RedactionOptions.key,
        Options.skipMalformed, Options.sort, Options.timezone, Options.rename,
        Options.inputFormat, Options.seed,
    ]

    // The account after the change, or the one that is changed. Of a commit it is the file that is checked out, so that the same
    // comparison of another commit has the same report.
    private static func account(_ arguments: ParsedArguments) -> String? {
        arguments[ChangeOptions.candidate] ?? arguments[Options.account]
    }

    private static func isReadOnce(_ path: String) -> Bool { path == "-" || FileLocation(path).isOpenPipe }
}
