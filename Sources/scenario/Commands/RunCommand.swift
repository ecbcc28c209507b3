internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports
internal import Scenarios

/// `scenario run`: scenarios and what they expect.
extension Command {
    static let run = Command(
        "run", "Run scenarios and check their expectations.",
        .files(
            "PATH", "A scenario, or a folder that is searched for scenarios; by default Scenarios/.", minimum: 0,
            fallback: defaultPath
        ),
        options: [
            nameOption, tagOption, RunAffected.option, RunAffected.base, RunFailed.option, RunWatch.option,
            formatOption, timingsOption, Options.outputs, Options.decisions, printedOption, outboxOption,
            coverageOption, minimumCoverage.option, RunMutants.option, RunMutants.minimum.option, RunUpdate.option,
            allowEmptyOption, Options.series, Options.step, Options.shownTimezone, Options.jobs, Options.seed,
            Options.allowOutside, verboseOption, totalsOption, Options.noProgress,
        ] + RedactionOptions.all,
        discussion: """
            Exits with 0 when all expectations held, 1 when an expectation failed, 2 when a scenario is invalid, 4
            when the coverage is below --min-coverage or the share of noticed mutants below --min-mutants, and 5
            when no scenario was selected or none expects anything.
            """,
        examples: [
            "scenario run": "Every scenario below Scenarios/.",
            "scenario run --tag rooted --verbose Scenarios/policy.yaml":
                "The scenarios of one file that carry a tag, with every step they take.",
            "scenario run --format json --output report.json": "The same report for a program to read.",
        ],
        reports: [Report.kind], answer: answer)

    private static let nameOption = Option("--name", "Run only scenarios in whose name REGEX is found.", .text("REGEX"))
    private static let tagOption = Option(
        "--tag", "Run only scenarios that carry the tag T, which some scenario must carry.", .texts("T"))
    private static let formatOption = Options.format(Report.formsOfRuns)
    private static let printedOption = Option(
        "--printed", "Write the output of the scenarios' management commands to FILE, such as a capture for `replay`.",
        .file(.writes), in: .output)
    private static let outboxOption = Option(
        "--outbox", "Write the mail that the accounts of the scenarios would send to FILE, as a mailbox.",
        .file(.writes), in: .output)
    private static let timingsOption = Option(
        "--timings", "Report the time that each scenario took, in forms that have a field for it.", in: .output)
    private static let coverageOption = Option(
        "--coverage", "Report which presets, flags, filters and entries were exercised.")
    private static let minimumCoverage = Limit<Coverage>(
        "--min-coverage", .least,
        summary: "Exit with 4 when a smaller share of them was exercised; includes --coverage."
    ) { LimitedFigure(count: $0.covered, all: $0.total, unit: "were exercised") }
    private static let allowEmptyOption = Option(
        "--allow-empty", "Exit with 0 even if no scenario expects anything, none failed last, or none is affected.")
    private static let totalsOption = Option(
        "--totals", "Show the figures of all scenarios, added up, though their accounts may have nothing in common.",
        in: .output)
    private static let verboseOption = Option("--verbose", "Show every step of every scenario.", in: .output)

    /// The path that is searched for scenarios if none is given.
    private static let defaultPath = "Scenarios"

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        _ = try call.arguments.shownZone()
        try DecisionOptions.checkLines(call.arguments)
        let selection = try selection(call.arguments)
        try RunUpdate.check(call)
        try RunWatch.check(call)
        return try RunWatch.run(call, fallback: defaultPath) { () throws(CommandFailure) in try run(selection, call) }
    }

    private static func run(_ selection: ScenarioSelection, _ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        var diagnostics = Diagnostics()
        var files = try find(call, &diagnostics)
        if call[RunFailed.option] {
            files = RunFailed.failed(among: call.operands.isEmpty ? nil : files, call.console)
            guard !files.isEmpty else { return nothing("no scenario failed last", call) }
        }
        let missing = ScenarioResult.invalid(diagnostics.errors)
        let selected = SelectedScenarios(
            selection, among: files, within: call.arguments.boundary(fallback: defaultPath),
            zone: try call.arguments.shownZone(), jobs: call.arguments.jobs, diagnostics: &diagnostics)
        guard !diagnostics.hasErrors else {
            call.console.show(diagnostics)
            try? writeInvalid(missing + selected.invalid, leavingOut: selected.scenarios, call)
            throw .shown(.invalidInput)
        }
        guard selected.refusals.isEmpty else {
            call.console.show(diagnostics)
            for refusal in selected.refusals { call.console.show(error: refusal) }
            throw .shown(.nothingRan)
        }
        guard let affected = RunAffected.select(among: selected.scenarios, call.arguments, &diagnostics) else {
            call.console.show(diagnostics)
            throw .shown(.invalidInput)
        }
        return try run(affected, call, &diagnostics)
    }

    // Says that nothing ran, unless that is meant.
    private static func nothing(_ reason: String, _ call: CommandCall) -> ExitStatus {
        call.end(
            nothing: call[allowEmptyOption] ? nil : "\(reason); `\(allowEmptyOption.name)` is for those who mean it")
    }

    // The files of scenarios, of which each folder has one. Those that failed last need not be looked for.
    private static func find(_ call: CommandCall, _ diagnostics: inout Diagnostics) throws(CommandFailure) -> [String] {
        if call.operands.isEmpty, call[RunFailed.option] { return [] }
        let paths = call.operands.isEmpty ? [defaultPath] : call.operands
        if call.operands.isEmpty, !FileLocation(defaultPath).isThere {
            diagnostics.add(
                Diagnostic(
                    file: defaultPath, message: "there is no such folder here, and no other was given",
                    hint: InstalledExamples.hint(of: InstalledExamples.program)))
            return []
        }
        let found = paths.map { ScenarioFiles.find(at: $0, within: call.arguments.reach, diagnostics: &diagnostics) }
        if !diagnostics.hasErrors, let empty = zip(paths, found).first(where: { $0.1.isEmpty }) {
            let hint = "scenarios are .yaml files"
            call.console.show(Diagnostic(file: empty.0, message: "no scenario in this folder", hint: hint))
            throw .shown(.nothingRan)
        }
        return found.flatMap(\.self)
    }

    private static func run(
        _ selection: AffectedScenarios, _ call: CommandCall, _ diagnostics: inout Diagnostics
    ) throws(CommandFailure) -> ExitStatus {
        let scenarios = selection.scenarios
        var runner = ScenarioRunner(seed: call[Options.seed])
        (runner.isVerbose, runner.measuresTime) = (call[verboseOption], call[timingsOption])
        (runner.decisionsPath, runner.printedPath) = (call[Options.decisions], call[printedOption])
        runner.coversRules = call[coverageOption] || call.isSet(minimumCoverage.option)
        runner.keepsSeries = call[Options.series] || call.arguments.reports.contains(where: \.form.needsSeries)
        (runner.jobs, runner.redactor) = (call.arguments.jobs, call.redactor)
        let results = call.following { progress in
            runner.progress = progress
            return runner.run(scenarios, diagnostics: &diagnostics)
        }
        call.console.show(diagnostics)
        guard !diagnostics.hasErrors else {
            try? writeInvalid(ScenarioResult.invalid(diagnostics.errors), leavingOut: [], call)
            throw .shown(.invalidInput)
        }
        let figures = results.reduce(into: Figures()) { $0.merge($1.figures) }
        var report = Report(figures: figures, scenarios: results)
        report.leftOut = selection.leftOut
        report.summaries = results.flatMap(\.summaries)
        report.coverage = Coverage(merging: results.compactMap(\.coverage))
        report.mutants = RunMutants.report(on: scenarios, results, call.arguments)
        try write(report, files: scenarios.map(\.file), call)
        try writeOutbox(results, call)
        RunFailed.remember(results, call.console)
        guard !scenarios.isEmpty else { return nothing("no scenario is affected", call) }
        if let status = try RunUpdate.run(results, call) { return status }
        return try status(of: results, report, call)
    }

    // Reports that a CI server keeps say what is invalid, rather than being those of an earlier run.
    private static func writeInvalid(
        _ invalid: [ScenarioResult], leavingOut others: [Scenario], _ call: CommandCall
    ) throws(CommandFailure) {
        guard !invalid.isEmpty else { return }
        var report = Report(figures: Figures(), scenarios: invalid)
        report.leftOut = others.map { LeftOutScenario($0, reason: "another scenario is invalid") }
        try write(report, files: invalid.map(\.file), in: [.junit, .tap, .json, .github], call)
    }

    private static func write(
        _ report: Report, files: [String], in forms: [ReportForm] = ReportForm.allCases, _ call: CommandCall
    ) throws(CommandFailure) {
        var source = ReportSource(files: files, isVerbose: call[verboseOption])
        // The output of commands is in the report then, and may be a key or a token.
        source.isSecret = source.isVerbose && report.scenarios.contains { !$0.printed.isEmpty }
        try call.write(source) { call in
            let form = call.arguments.form
            guard forms.contains(form) else { return nil }
            var report = report
            (report.version, report.showsTotals) = (ToolVersion.current, call[totalsOption])
            report.explanationOptions = ExplanationLine.options(
                call.arguments, call.console.redaction, scenarios: files.count)
            // Another report may need them.
            if !call[Options.series], !form.needsSeries { report.figures.series = nil }
            // Lines of a scenario name devices and their attributes.
            if form == .html, call.redactor == nil { report.sources = sources(of: report.scenarios) }
            return report
        }
    }

    // R24.2, R25.2: what the commands and the monitoring of all scenarios would send.
    private static func writeOutbox(_ results: [ScenarioResult], _ call: CommandCall) throws(CommandFailure) {
        guard let path = call[outboxOption] else { return }
        let mail = results.flatMap(\.mail).map { mail in call.redactor.map { mail.mapping($0.text) } ?? mail }
        try call.attempt(in: path) { () throws(FileFailure) in
            try OutputFile.write(Mailbox.bytes(of: mail), to: path)
        }
    }

    // The files of what failed.
    private static func sources(of results: [ScenarioResult]) -> [String: SourceFile] {
        var sources: [String: SourceFile] = [:]
        for result in results where !result.passed {
            guard let bytes = try? TextFile.bytes(path: result.file) else { continue }
            sources[result.file] = SourceFile(path: result.file, text: String(decoding: bytes, as: UTF8.self))
        }
        return sources
    }

    // The exit status of a run whose report is written.
    private static func status(
        of results: [ScenarioResult], _ report: Report, _ call: CommandCall
    ) throws(CommandFailure) -> ExitStatus {
        guard results.allSatisfy(\.passed) else { return .expectationFailed }
        guard call[allowEmptyOption] || results.contains(where: { !$0.expectations.isEmpty }) else {
            return nothing("nothing was asserted: no scenario expects anything", call)
        }
        let unnoticed = RunMutants.showExceeded(report.mutants, allowsEmpty: call[allowEmptyOption], call)
        let uncovered = report.coverage.flatMap { minimumCoverage.check($0, call.arguments) }
        let status = call.end(limits: [uncovered].compactMap(\.self))
        return status == .success ? unnoticed ?? .success : status
    }

    private static func selection(_ arguments: ParsedArguments) throws(CommandFailure) -> ScenarioSelection {
        var selection = ScenarioSelection(tags: arguments[tagOption])
        guard let source = arguments[nameOption] else { return selection }
        do throws(PatternError) {
            selection.name = try Pattern(source)
        } catch {
            throw .usage(error.message(about: nameOption.name.quoted))
        }
        return selection
    }
}

/// `scenario run --mutants`: checks that the scenarios notice when an account is changed.
enum RunMutants {
    static let option = Option(
        "--mutants", "Make one change at a time to the accounts, and report the changes that no expectation notices.")
    static let minimum = Limit<MutationReport>(
        "--min-mutants", .least,
        summary: "Exit with 4 when a smaller share of these changes is noticed; includes --mutants."
    ) { LimitedFigure(count: $0.noticed, all: $0.effective, unit: "changes are noticed") }

    /// Changes the accounts of scenarios, if that was asked for and all of them pass.
    static func report(
        on scenarios: [Scenario], _ results: [ScenarioResult], _ arguments: ParsedArguments
    ) -> MutationReport? {
        guard arguments[option] || arguments.isSet(minimum.option), results.allSatisfy(\.passed) else {
            return nil
        }
        return MutationReport(on: scenarios, seed: arguments[Options.seed], jobs: arguments.jobs)
    }

    /// Shows that fewer changes are noticed than the limit asks for, or that none had any effect.
    ///
    /// - Parameter allowsEmpty: True if it is no error that there was nothing to notice.
    /// - Returns: The exit status for that; `nil` if the limit is kept.
    static func showExceeded(_ report: MutationReport?, allowsEmpty: Bool, _ call: CommandCall) -> ExitStatus? {
        guard let report, let checked = minimum.check(report, call.arguments) else { return nil }
        guard report.effective > 0 else {
            if allowsEmpty { return nil }
            call.console.show(
                error: "nothing was exercised: no change of an account affects a client, so "
                    + "`\(minimum.option.name)` has nothing to check")
            return .nothingRan
        }
        return checked.show(call.console) ? .limitExceeded : nil
    }
}
