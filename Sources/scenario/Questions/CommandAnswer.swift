internal import Documents
internal import PolicyEngine
internal import Replay
internal import Reports

// The end of a command: its answer in the forms that are asked for, and the exit status.
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
        if !isSet(Options.output) { (setting.style, setting.width) = (console.style, console.reportWidth) }
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
        // Records and scenarios that a command writes are no report.
        let defaults = arguments.command.reports.isEmpty ? nil : arguments.defaults
        let named = defaults?.named(in: bytes, as: form) ?? bytes
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
