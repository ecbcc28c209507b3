internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports

/// A call of a command: what was typed, and where its answer goes.
struct CommandCall {
    var arguments: ParsedArguments
    var console: Console

    /// The value of an option.
    subscript<Value>(option: Option<Value>) -> Value { arguments[option] }

    /// True if an option was given.
    func isSet(_ option: any CommandOption) -> Bool { arguments.isSet(option) }

    /// The arguments beside the options.
    var operands: [String] { arguments.operands }

    /// Hides devices and people; `nil` shows them.
    var redactor: Redactor? { console.redaction?.redactor }

    /// Does something under a line that says how far it is, unless `--no-progress` was given, and removes the line. Of captures
    /// that were read before, their reader shows it.
    func following<Result>(_ work: (Progress) -> Result) -> Result {
        if let captures = arguments.captures { return work(captures.progress) }
        let line = ProgressLine(console: console, isShown: !self[Options.noProgress])
        defer { line.clear() }
        return work(line.progress)
    }
}

// MARK: Failures

extension CommandCall {
    /// Shows what is wrong as a whole, and makes the failure that ends the command.
    func failure(_ message: String, _ status: ExitStatus = .invalidInput) -> CommandFailure {
        console.show(error: message)
        return .shown(status)
    }

    /// Shows diagnostics.
    ///
    /// - Throws: If there are errors among them.
    func require(_ diagnostics: Diagnostics) throws(CommandFailure) {
        console.show(diagnostics)
        if diagnostics.hasErrors { throw .shown(.invalidInput) }
    }

    /// The instant that an option gives; `nil` where it was not given.
    func instant(of option: Option<String?>) throws(CommandFailure) -> Instant? {
        guard let text = self[option] else { return nil }
        guard let instant = Instant(rfc3339: text) else {
            throw .usage(
                "`\(option.name)` takes an instant, not \(text.asTyped)", hint: "such as `2020-07-23T10:00:00Z`")
        }
        return instant
    }

    /// Carries out a step that notes what is wrong, and shows that.
    ///
    /// - Throws: If the step has no result, or notes errors.
    func reading<Value>(_ step: (inout Diagnostics) -> Value?) throws(CommandFailure) -> Value {
        var diagnostics = Diagnostics()
        let value = step(&diagnostics)
        try require(diagnostics)
        guard let value else { throw .shown(.invalidInput) }
        return value
    }

    /// Carries out a step; an error of it is shown, and ends the command.
    ///
    /// - Parameter file: The file that the step is about, or the option.
    func attempt<Value, Failure: DescribedError>(
        in file: String, hint: String? = nil, _ step: () throws(Failure) -> Value
    ) throws(CommandFailure) -> Value {
        guard let value = console.attempt(in: file, hint: hint, step) else { throw .shown(.invalidInput) }
        return value
    }
}
