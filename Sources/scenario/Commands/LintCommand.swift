internal import Analysis
internal import Documents
internal import Reports
internal import Scenarios

/// `scenario lint`: errors, and probable mistakes, in accounts, scenarios and captures.
enum LintCommand: ToolCommand {
    /// The operands and options of `lint`.
    static let definition = CommandDefinition(
        name: "lint",
        summary: "Check accounts, scenarios and captures before they are used.",
        operands: OperandDefinition(
            placeholder: "PATH",
            summary: "An account, a scenario, a folder of scenarios, or a capture.",
            kind: .files,
            minimum: 1,
            maximum: nil
        ),
        options: [strictOption, formatOption, .output, .allowOutside],
        discussion: [
            """
            Errors are those that run and replay would give. Warnings report valid settings that are probably mistakes, \
            each with a code in brackets and the reason. A capture that is given with accounts is replayed through them.
            """,
            "Exits with 2 when there are errors, with 0 otherwise; with --strict warnings make it 1.",
        ],
        examples: [
            CommandExample(
                line: "scenario lint prod.yaml day.jsonl.gz",
                summary: "Probable mistakes in an account, and filters that would reject too many devices."
            )
        ]
    )

    /// Makes warnings count.
    private static let strictOption = OptionDefinition(
        name: "--strict", summary: "Exit with 1 when there are warnings.")

    /// The form of what was found.
    private static let formatOption = OptionDefinition.format(
        DiagnosticFormat.self, summary: "Write the errors and warnings in this form; by default text.")

    /// Runs the command.
    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        var linter = Linter(within: arguments.boundary())
        var diagnostics = Diagnostics()
        for path in arguments.operands {
            let files = isCapture(path) ? [path] : ScenarioFiles.find(at: path, diagnostics: &diagnostics)
            if files.isEmpty, !diagnostics.hasErrors {
                console.show(Diagnostic(file: path, message: "nothing to check in this folder"))
                return .nothingRan
            }
            for file in files { linter.add(file) }
        }
        diagnostics.merge(linter.finish())
        // Diagnostics are the result of this command.
        let format = arguments.choice(of: formatOption, as: DiagnosticFormat.self) ?? .text
        let bytes = format.bytes(of: diagnostics, version: ToolVersion.current)
        guard ReportOutput.write(bytes, arguments: arguments, console: console) else { return .invalidInput }
        if diagnostics.hasErrors { return .invalidInput }
        return diagnostics.isEmpty || !arguments.isSet(strictOption) ? .success : .expectationFailed
    }

    private static func isCapture(_ path: String) -> Bool {
        path == "-" || [".jsonl", ".txt", ".gz", ".zst"].contains { path.hasSuffix($0) }
    }
}
