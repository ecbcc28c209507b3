internal import Analysis
internal import Documents
internal import Reports
internal import Scenarios

/// `scenario lint`: errors, and probable mistakes, in accounts, scenarios and captures.
extension Command {
    static let lint = Command(
        "lint", "Check accounts, scenarios and captures before they are used, and find what an account can do without.",
        .files("PATH", "An account, a scenario, a folder of them, or a capture.", minimum: 0),
        options: [
            explainOption, AccountTidying.account, AccountTidying.maximumDead.option, instantOption, strictOption,
            formatOption,
            Options.output, Options.allowOutside,
        ] + AccountTidying.reading + [Options.noProgress],
        discussion: """
            Errors are those that run and replay would give. Warnings report valid settings that are probably
            mistakes, each with a code in brackets and the reason. A capture that is given with accounts is replayed
            through them.

            A comment `# scenario: allow CODE because REASON` allows a finding in its place; the report counts
            these. One without a reason, or that allows nothing, is a warning itself.

            A comment `# scenario: expires INSTANT` says until when something is meant to be in an account, such as an
            exemption; with --at what has expired is a warning.

            Exits with 2 when there are errors, with 0 otherwise; with --strict warnings make it 1.

            With --account, the captures are replayed through that account alone, and the report says which of its
            filters, device entries and added reject flags decided nothing, which ones others make superfluous,
            and which regexes match more than they say. All that it names for removal can go together: a replay
            without these parts gave the same decisions. Parts to remove and such regexes count as warnings.
            """,
        examples: [
            "scenario lint prod.yaml day.jsonl.gz":
                "Probable mistakes in an account, and filters that would reject too many devices.",
            "scenario lint month.jsonl.gz --account prod.yaml":
                "The filters, entries and flags that decided nothing in a month, and the commands that remove them.",
            "scenario lint --explain development-key": "Why the finding matters, how to mend it, and how to allow it.",
        ],
        reports: [DiagnosticReport.kind, IdlePartsReport.kind], answer: answer)

    private static let explainOption = Option(
        "--explain", "Say what the code of a warning means, why it matters, and how to mend it; nothing is checked.",
        .text("CODE", words: .words(LintCatalogue.reasons.map(\.code))))
    private static let instantOption = Option(
        "--at", "Warn about what was to expire before INSTANT, such as 2020-07-23T10:00:00Z.", .text("INSTANT"),
        relations: [.excludes([AccountTidying.account.given])])
    private static let strictOption = Option("--strict", "Exit with 1 when there are warnings.")
    private static let formatOption = Options.format(
        DiagnosticReport.forms, summary: "Write the errors and warnings in this form; by default text.")

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        if let code = call[explainOption] { return try explain(code, call) }
        guard !call.operands.isEmpty else {
            throw .usage("`PATH…` is missing", hint: "`--help` shows how it is used")
        }
        if call.isSet(AccountTidying.account) { return try AccountTidying.answer(call, isStrict: call[strictOption]) }
        try AccountTidying.refuseOptions(call)
        var linter = Linter(
            within: call.arguments.boundary(), keysWithin: call.arguments.reach, at: try call.instant(of: instantOption)
        )
        var diagnostics = Diagnostics()
        var added: Set<String> = []
        for path in call.operands {
            let files =
                isCapture(path)
                ? [path]
                : ScenarioFiles.find(
                    at: path, includingAccounts: true, within: call.arguments.reach, diagnostics: &diagnostics)
            if files.isEmpty, !diagnostics.hasErrors {
                call.console.show(Diagnostic(file: path, message: "nothing to check in this folder"))
                return .nothingRan
            }
            // An account may be given beside the folder that it is in.
            for file in files where added.insert(FileLocation(file).path).inserted {
                diagnostics.place(file)
                linter.add(file)
            }
        }
        let result = linter.finish()
        diagnostics.merge(result.diagnostics)
        // Diagnostics are the result of this command.
        let report = DiagnosticReport(diagnostics, allowed: result.allowed, version: ToolVersion.current)
        try call.write { _ in report }
        if diagnostics.hasErrors { return .invalidInput }
        return diagnostics.isEmpty || !call[strictOption] ? .success : .expectationFailed
    }

    private static func explain(_ code: String, _ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        guard call.operands.isEmpty else {
            throw .usage("`\(explainOption.name)` explains a code, and checks no file")
        }
        guard let information = LintCatalogue.information(on: code) else {
            let codes = LintCatalogue.reasons.map(\.code)
            throw .usage(
                "no check has the code \(code.asTyped)",
                hint: Suggestion.hint(for: code, among: codes) ?? "there are " + codes.joined(separator: ", "))
        }
        try call.write(Array(LintPages.text(on: information).utf8))
        return .success
    }

    private static func isCapture(_ path: String) -> Bool {
        path == "-" || [".jsonl", ".txt", ".gz", ".zst"].contains { path.hasSuffix($0) }
    }
}
