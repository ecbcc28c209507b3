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

    /// Does something under a line that says how far it is, unless `--no-progress` was given, and removes the line.
    func following<Result>(_ work: (Progress) -> Result) -> Result {
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

// MARK: Answers

extension CommandCall {
    /// Writes an answer to every file that it is asked for, each in its form and with what that form hides. A file that cannot be
    /// written leaves the others as they are meant to be.
    ///
    /// - Parameters:
    ///   - source: What the reports say of their origin.
    ///   - answer: The answer to the call that asks for one of the files alone; `nil` leaves the file as it is.
    func write(_ source: ReportSource = ReportSource(), _ answer: (CommandCall) -> (any Answer)?) throws(CommandFailure)
    {
        var isWritten = true
        for arguments in arguments.reports {
            var call = CommandCall(arguments: arguments, console: console)
            call.console.redaction = console.redaction.flatMap { RedactionOptions.hides(arguments, $0) ? $0 : nil }
            do throws(CommandFailure) {
                if let answer = answer(call) { try call.writeOne(source, answer) }
            } catch {
                isWritten = false
            }
        }
        if !isWritten { throw .shown(.invalidInput) }
    }

    private func writeOne(_ source: ReportSource, _ answer: any Answer) throws(CommandFailure) {
        let form = arguments.form
        var setting = ReportSetting()
        setting.style = isSet(Options.output) ? .plain : console.style
        (setting.redactor, setting.isVerbose, setting.step) = (redactor, source.isVerbose, self[Options.step])
        if form == .openmetrics, let report = answer as? Report {
            let count = OpenMetricsReport(report, step: setting.step).sampleCount
            guard count <= OpenMetricsReport.sampleLimit else {
                throw failure(
                    "the report would have \(count.grouped) samples, more than "
                        + "\(OpenMetricsReport.sampleLimit.grouped); a longer `\(Options.step.name)` makes fewer")
            }
        }
        setting.origin = source.origin(in: self)
        try write(answer.bytes(as: form, in: setting), isSecret: source.isSecret)
    }

    /// Writes the bytes of a result to standard output, or to the file that `--output` names.
    ///
    /// - Parameter isSecret: True if nobody but its owner may read the file.
    func write(_ bytes: [UInt8], isSecret: Bool = false) throws(CommandFailure) {
        let form = arguments.words(named: Options.formatName).first
        let named = arguments.defaults?.named(in: bytes, as: form) ?? bytes
        let isRedacted = form == ReportForm.github.rawValue
        let bytes = isRedacted ? named : redactor?.bytes(named) ?? named
        guard let path = self[Options.output], path != "-" else {
            return console.output(String(decoding: bytes, as: UTF8.self))
        }
        try attempt(in: path) { () throws(FileFailure) in
            try OutputFile.write(OutputCompression.packed(bytes, for: path), to: path, isSecret: isSecret)
        }
    }

    /// Says which limits are exceeded, and what a report that was written cannot say of itself.
    ///
    /// - Parameters:
    ///   - limits: The limits that were set.
    ///   - warnings: What no limit counts.
    ///   - nothing: Why nothing was evaluated; `nil` where something was.
    /// - Returns: The status to exit with.
    func end(limits: [CheckedLimit] = [], warnings: [String] = [], nothing: String? = nil) -> ExitStatus {
        let exceeded = limits.filter { $0.show(console) }
        for warning in warnings { console.show(warning: warning) }
        if let nothing { console.show(error: nothing) }
        return !exceeded.isEmpty ? .limitExceeded : nothing == nil ? .success : .nothingRan
    }
}
