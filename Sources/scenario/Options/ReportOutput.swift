internal import Documents
internal import Replay
internal import Reports

/// Writes a report to where it was asked for.
enum ReportOutput {
    /// The style in which a text stresses words: plain if it is written to a file.
    static func style(_ arguments: ParsedArguments, _ console: Console) -> TextStyle {
        arguments.isSet(.output) ? .plain : console.style
    }

    /// Writes the bytes of a report to standard output, or to the file that `--output` names, unless they are samples and
    /// too many.
    ///
    /// - Returns: True if they could be written.
    static func writeSamples(of report: Report, arguments: ParsedArguments, console: Console) -> Bool {
        let step = arguments.seconds(of: .step) ?? OpenMetricsReport.usualStep
        let metrics = OpenMetricsReport(report, step: step)
        guard metrics.sampleCount <= OpenMetricsReport.sampleLimit else {
            console.show(
                error: "the report would have \(metrics.sampleCount.grouped) samples, more than "
                    + "\(OpenMetricsReport.sampleLimit.grouped); a longer `\(OptionDefinition.step.name)` makes fewer")
            return false
        }
        return write(metrics.bytes(), arguments: arguments, console: console)
    }

    /// Writes a report to every file that it is asked for, each in its form. A file that cannot be written leaves the others as
    /// they are meant to be.
    ///
    /// - Parameter write: Writes the report that some arguments ask for, with the redaction of the console.
    /// - Returns: True if all could be written.
    static func writeEach(
        _ arguments: ParsedArguments, of command: CommandDefinition, _ console: Console,
        _ write: (ParsedArguments, Console) -> Bool
    ) -> Bool {
        let written = arguments.reports.map { each in
            var console = console
            console.redaction = console.redaction.flatMap { RedactionOptions.hides(each, $0) ? $0 : nil }
            return write(each, console)
        }
        return written.allSatisfy(\.self)
    }

    /// Writes a report in the form that an option names, by default as text.
    ///
    /// - Returns: True if it could be written.
    static func write(
        _ report: some PagedReport, as format: OptionDefinition, _ arguments: ParsedArguments,
        of command: CommandDefinition, _ console: Console
    ) -> Bool {
        let form = arguments.choice(of: format, as: PagedFormat.self) ?? .text
        let redactor = console.redaction?.redactor
        let origin = ReportOrigins.origin(
            arguments, of: command, files: arguments.operands, isNeeded: form == .html, redactor: redactor)
        let bytes = report.bytes(as: form, style: style(arguments, console), origin: origin, redactor: redactor)
        return write(bytes, arguments: arguments, console: console)
    }

    /// Writes the bytes of a report to standard output, or to the file that `--output` names.
    ///
    /// - Parameter isSecret: True if nobody but its owner may read the file.
    /// - Returns: True if they could be written.
    static func write(
        _ bytes: [UInt8], isSecret: Bool = false, arguments: ParsedArguments, console: Console
    ) -> Bool {
        let form = arguments.value(named: ParsedArguments.formatName)
        let named = arguments.defaults?.named(in: bytes, as: form) ?? bytes
        let isRedacted = form == RunFormat.github.rawValue
        let bytes = isRedacted ? named : console.redaction?.redactor.bytes(named) ?? named
        guard let path = arguments.value(of: .output), path != "-" else {
            console.output(String(decoding: bytes, as: UTF8.self))
            return true
        }
        return console.attempt(in: path) { () throws(FileFailure) in
            try OutputFile.write(OutputCompression.packed(bytes, for: path), to: path, isSecret: isSecret)
        } != nil
    }
}
