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
    /// - Returns: Whether it could be written.
    static func write(
        _ report: Report, format: ReportFormat, arguments: ParsedArguments, isVerbose: Bool = false,
        console: Console
    ) -> Bool {
        let style = style(arguments, console)
        let bytes = format.bytes(of: report, style: style, isVerbose: isVerbose)
        return write(bytes, arguments: arguments, console: console)
    }

    /// Writes the report of a run likewise.
    ///
    /// - Returns: Whether it could be written.
    static func write(
        _ report: Report, format: RunFormat, arguments: ParsedArguments, isVerbose: Bool, console: Console
    ) -> Bool {
        let style = arguments.value(of: .output) == nil ? console.style : .plain
        let bytes = format.bytes(of: report, style: style, isVerbose: isVerbose)
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
        return console.attempt(in: path) { () throws(FileFailure) in try OutputFile.write(bytes, to: path) } != nil
    }
}
