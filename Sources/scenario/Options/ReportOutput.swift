internal import Documents
internal import Reports

/// Writes a report to where it was asked for.
enum ReportOutput {
    /// Refuses `--series` where the form of the report has no field for it, rather than leave it out.
    ///
    /// - Parameter format: The option that says the form of the report.
    static func checkSeries(_ arguments: ParsedArguments, format: OptionDefinition) throws(UsageError) {
        guard arguments.isSet(.series), arguments.value(of: format) != ReportFormat.json.rawValue else { return }
        throw UsageError("`\(OptionDefinition.series.name)` needs `\(format.name) json`")
    }

    /// How a text stresses words: not at all where it goes to a file.
    static func style(_ arguments: ParsedArguments, _ console: Console) -> TextStyle {
        arguments.isSet(.output) ? .plain : console.style
    }

    /// Writes a report to standard output, or to the file that `--output` names.
    ///
    /// - Parameter origin: What it was made from.
    /// - Returns: Whether it could be written.
    static func write(
        _ report: Report, format: ReportFormat, arguments: ParsedArguments, origin: ReportOrigin, console: Console
    ) -> Bool {
        let style = style(arguments, console)
        let bytes = format.bytes(of: report, style: style, origin: origin)
        return write(bytes, arguments: arguments, console: console)
    }

    /// Writes the report of a run likewise.
    ///
    /// - Returns: Whether it could be written.
    static func write(
        _ report: Report, format: RunFormat, arguments: ParsedArguments, isVerbose: Bool, origin: ReportOrigin,
        console: Console
    ) -> Bool {
        let style = style(arguments, console)
        let bytes = format.bytes(of: report, style: style, isVerbose: isVerbose, origin: origin)
        return write(bytes, arguments: arguments, console: console)
    }

    /// Writes the bytes of a report likewise.
    ///
    /// - Returns: Whether they could be written.
    static func write(_ bytes: [UInt8], arguments: ParsedArguments, console: Console) -> Bool {
        guard let path = arguments.value(of: .output), path != "-" else {
            console.output(String(decoding: bytes, as: UTF8.self))
            return true
        }
        do throws(FileFailure) {
            var file = try OutputFile(path: path)
            try file.write(bytes)
            try file.finish()
            return true
        } catch {
            console.show(Diagnostics(Diagnostic(error, in: path)))
            return false
        }
    }
}
