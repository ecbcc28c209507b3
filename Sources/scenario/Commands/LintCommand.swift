internal import Analysis
internal import Documents
internal import Reports
internal import Scenarios

/// `scenario lint`: errors, and probable mistakes, in accounts, scenarios and captures.
enum LintCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "lint",
        summary: "Check accounts, scenarios and captures before they are used.",
        operands: .files("PATH", "An account, a scenario, a folder of scenarios, or a capture.", minimum: 0),
        options: [explainOption, strictOption, formatOption, Options.output, Options.allowOutside],
        discussion: [
            """
            Errors are those that run and replay would give. Warnings report valid settings that are probably mistakes, \
            each with a code in brackets and the reason. A capture that is given with accounts is replayed through them.
            """,
            """
            A comment `# scenario: allow CODE because REASON` allows a finding in its place; the report counts these. One \
            without a reason, or that allows nothing, is a warning itself.
            """,
            "Exits with 2 when there are errors, with 0 otherwise; with --strict warnings make it 1.",
        ],
        examples: [
            "scenario lint prod.yaml day.jsonl.gz":
                "Probable mistakes in an account, and filters that would reject too many devices.",
            "scenario lint --explain development-key": "Why the finding matters, how to mend it, and how to allow it.",
        ]
    )

    private static let explainOption = Option(
        "--explain", "Say what the code of a warning means, why it matters, and how to mend it; nothing is checked.",
        .text("CODE", words: .words(LintCatalogue.reasons.map(\.code))))

    private static let strictOption = Option("--strict", "Exit with 1 when there are warnings.")

    private static let formatOption = Options.format(
        DiagnosticReport.forms, summary: "Write the errors and warnings in this form; by default text.")

    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        if let code = arguments[explainOption] { return try explain(code, arguments, console) }
        guard !arguments.operands.isEmpty else {
            throw UsageError("`PATH…` is missing", hint: "`--help` shows how it is used")
        }
        var linter = Linter(within: arguments.boundary(), keysWithin: arguments.reach)
        var diagnostics = Diagnostics()
        for path in arguments.operands {
            let files =
                isCapture(path)
                ? [path] : ScenarioFiles.find(at: path, within: arguments.reach, diagnostics: &diagnostics)
            if files.isEmpty, !diagnostics.hasErrors {
                console.show(Diagnostic(file: path, message: "nothing to check in this folder"))
                return .nothingRan
            }
            for file in files { linter.add(file) }
        }
        let result = linter.finish()
        diagnostics.merge(result.diagnostics)
        // Diagnostics are the result of this command.
        let report = DiagnosticReport(diagnostics, allowed: result.allowed, version: ToolVersion.current)
        guard ReportOutput.write(report, arguments, of: definition, console) else { return .invalidInput }
        if diagnostics.hasErrors { return .invalidInput }
        return diagnostics.isEmpty || !arguments.isSet(strictOption) ? .success : .expectationFailed
    }

    private static func explain(
        _ code: String, _ arguments: ParsedArguments, _ console: Console
    ) throws(UsageError) -> ExitStatus {
        guard arguments.operands.isEmpty else {
            throw UsageError("`\(explainOption.name)` explains a code, and checks no file")
        }
        guard let information = LintCatalogue.information(on: code) else {
            let codes = LintCatalogue.reasons.map(\.code)
            throw UsageError(
                "no check has the code \(UsageError.quote(code))",
                hint: Suggestion.hint(for: code, among: codes) ?? "there are " + codes.joined(separator: ", "))
        }
        let page = Array(LintPages.text(on: information).utf8)
        return ReportOutput.write(page, arguments: arguments, console: console) ? .success : .invalidInput
    }

    private static func isCapture(_ path: String) -> Bool {
        path == "-" || [".jsonl", ".txt", ".gz", ".zst"].contains { path.hasSuffix($0) }
    }
}
