internal import Documents
internal import Reports

/// A run of a command whose output is kept, for whoever asks in another way than by a terminal.
struct CollectedRun {
    /// The report.
    let output: String
    /// The messages, a line each.
    let remarks: String
    let status: ExitStatus

    /// Runs a command as the tool does, but without defaults of a file.
    ///
    /// - Throws: ``UsageError`` for what is wrong with the arguments.
    init(_ command: any ToolCommand.Type, _ arguments: ParsedArguments) throws(UsageError) {
        let (output, remarks) = (CollectedText(), CollectedText())
        var console = Console(
            output: { output.add($0) }, error: { remarks.add($0) }, style: .plain, showsProgress: false)
        console.redaction = try RedactionOptions.redaction(arguments, of: command.definition)
        status = try command.run(arguments, console: console)
        (self.output, self.remarks) = (output.text, remarks.text)
    }
}

/// A text that a command writes, from whatever thread.
private final class CollectedText: Sendable {
    private let collected = Lock("")

    func add(_ more: String) { collected.withLock { $0 += more } }

    var text: String { collected.withLock { $0 } }
}
