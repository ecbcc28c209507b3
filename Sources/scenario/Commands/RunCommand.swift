internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports
internal import Scenarios

/// `scenario run`: scenarios and what they expect.
enum RunCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "run",
        summary: "Run scenarios and check their expectations.",
        operands: .files(
            "PATH", "A scenario, or a folder that is searched for scenarios; by default Scenarios/.", minimum: 0,
            fallback: defaultPath
        ),
        options: [
            nameOption, tagOption, RunAffected.option, RunAffected.base, RunFailed.option, RunWatch.option,
            formatOption, timingsOption, Options.outputs, Options.decisions, printedOption, outboxOption,
            coverageOption,
            minimumCoverage.option, RunMutants.option, RunMutants.minimum.option, RunUpdate.option, allowEmptyOption,
            Options.series, Options.step, Options.shownTimezone, Options.jobs, Options.seed, Options.allowOutside,
            verboseOption, Options.noProgress,
        ] + RedactionOptions.all,
        discussion: [
            """
            Exits with 0 when all expectations held, 1 when an expectation failed, 2 when a scenario is invalid, 4 when \
            the coverage is below --min-coverage or the share of noticed mutants below --min-mutants, and 5 when no \
            scenario was selected or none expects anything.
            """
        ],
        examples: [
            "scenario run": "Every scenario below Scenarios/.",
            "scenario run --tag rooted --verbose Scenarios/policy.yaml":
                "The scenarios of one file that carry a tag, with every step they take.",
            "scenario run --format json --output report.json": "The same report for a program to read.",
        ]
    )

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

    private static let verboseOption = Option("--verbose", "Show every step of every scenario.", in: .output)

    /// The path that is searched for scenarios if none is given.
    private static let defaultPath = "Scenarios"

    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        _ = try arguments.shownZone()
        try DecisionOptions.checkLines(arguments)
        let selection = try selection(arguments)
        try RunUpdate.check(arguments, console)
        try RunWatch.check(arguments, console)
        return RunWatch.run(arguments, fallback: defaultPath, console) {
            run(arguments, selection, console)
        }
    }

    private static func run(
        _ arguments: ParsedArguments, _ selection: ScenarioSelection, _ console: Console
    ) -> ExitStatus {
        var diagnostics = Diagnostics()
        guard var files = find(arguments, &diagnostics, console) else { return .nothingRan }
        if arguments.isSet(RunFailed.option) {
            files = RunFailed.failed(among: arguments.operands.isEmpty ? nil : files, console)
            guard !files.isEmpty else { return nothing("no scenario failed last", arguments, console) }
        }
        let missing = ScenarioResult.invalid(diagnostics.errors)
        let selected = SelectedScenarios(
            selection, among: files, within: arguments.boundary(fallback: defaultPath),
            zone: (try? arguments.shownZone()) ?? .utc, jobs: arguments.jobs, diagnostics: &diagnostics)
        guard !diagnostics.hasErrors else {
            console.show(diagnostics)
            writeInvalid(missing + selected.invalid, leavingOut: selected.scenarios, arguments, console)
            return .invalidInput
        }
        guard selected.refusals.isEmpty else {
            console.show(diagnostics)
            for refusal in selected.refusals { console.show(error: refusal) }
            return .nothingRan
        }
        guard let affected = RunAffected.select(among: selected.scenarios, arguments, &diagnostics) else {
            console.show(diagnostics)
            return .invalidInput
        }
        return run(affected, arguments, &diagnostics, console)
    }

    // Says that nothing ran, unless that is meant.
    private static func nothing(_ reason: String, _ arguments: ParsedArguments, _ console: Console) -> ExitStatus {
        guard !arguments.isSet(allowEmptyOption) else { return .success }
        console.show(error: "\(reason); `\(allowEmptyOption.name)` is for those who mean it")
        return .nothingRan
    }

    // The files of scenarios; `nil` after showing which folder has none. Those that failed last need not be looked for.
    private static func find(
        _ arguments: ParsedArguments, _ diagnostics: inout Diagnostics, _ console: Console
    ) -> [String]? {
        if arguments.operands.isEmpty, arguments.isSet(RunFailed.option) { return [] }
        let paths = arguments.operands.isEmpty ? [defaultPath] : arguments.operands
        if arguments.operands.isEmpty, !FileLocation(defaultPath).isThere {
            diagnostics.add(
                Diagnostic(
                    file: defaultPath, message: "there is no such folder here, and no other was given",
                    hint: InstalledExamples.hint(of: InstalledExamples.program)))
            return []
        }
        let found = paths.map { ScenarioFiles.find(at: $0, within: arguments.reach, diagnostics: &diagnostics) }
        if !diagnostics.hasErrors, let empty = zip(paths, found).first(where: { $0.1.isEmpty }) {
            let hint = "scenarios are .yaml files"
            console.show(Diagnostic(file: empty.0, message: "no scenario in this folder", hint: hint))
            return nil
        }
        return found.flatMap(\.self)
    }

    private static func run(
        _ selection: AffectedScenarios, _ arguments: ParsedArguments, _ diagnostics: inout Diagnostics,
        _ console: Console
    ) -> ExitStatus {
        let (scenarios, isVerbose) = (selection.scenarios, arguments.isSet(verboseOption))
        let line = ProgressLine(console: console, isShown: !arguments[Options.noProgress])
        let runner = ScenarioRunner(
            seed: arguments[Options.seed], isVerbose: isVerbose,
            decisionsPath: arguments[Options.decisions], printedPath: arguments[printedOption],
            coversRules: arguments.isSet(coverageOption) || arguments.isSet(minimumCoverage.option),
            keepsSeries: arguments[Options.series] || arguments.reports.contains(where: \.form.needsSeries),
            measuresTime: arguments.isSet(timingsOption), jobs: arguments.jobs,
            progress: line.progress, redactor: console.redaction?.redactor)
        let results = runner.run(scenarios, diagnostics: &diagnostics)
        line.clear()
        console.show(diagnostics)
        guard !diagnostics.hasErrors else {
            writeInvalid(ScenarioResult.invalid(diagnostics.errors), leavingOut: [], arguments, console)
            return .invalidInput
        }
        let figures = results.reduce(into: Figures()) { $0.merge($1.figures) }
        var report = Report(figures: figures, scenarios: results)
        report.leftOut = selection.leftOut
        report.summaries = results.flatMap(\.summaries)
        report.coverage = Coverage(merging: results.compactMap(\.coverage))
        report.mutants = RunMutants.report(on: scenarios, results, arguments)
        let isWritten = ReportOutput.writeEach(arguments, of: definition, console) {
            write(report, files: scenarios.map(\.file), $0, $1)
        }
        guard isWritten,
            writeOutbox(results, arguments, console)
        else { return .invalidInput }
        RunFailed.remember(results, console)
        guard !scenarios.isEmpty else { return nothing("no scenario is affected", arguments, console) }
        return RunUpdate.run(results, arguments, console)
            ?? status(of: results, report, arguments, console)
    }

    // Reports that a CI server keeps say what is invalid, rather than being those of an earlier run.
    private static func writeInvalid(
        _ invalid: [ScenarioResult], leavingOut others: [Scenario], _ arguments: ParsedArguments, _ console: Console
    ) {
        guard !invalid.isEmpty else { return }
        var report = Report(figures: Figures(), scenarios: invalid)
        report.leftOut = others.map { LeftOutScenario($0, reason: "another scenario is invalid") }
        _ = ReportOutput.writeEach(arguments, of: definition, console) { arguments, console in
            guard [.junit, .tap, .json, .github].contains(arguments.form) else { return true }
            return write(report, files: invalid.map(\.file), arguments, console)
        }
    }

    private static func write(
        _ report: Report, files: [String], _ arguments: ParsedArguments, _ console: Console
    ) -> Bool {
        let form = arguments.form
        var report = report
        report.version = ToolVersion.current
        report.explanationOptions = ExplanationLine.options(arguments, console.redaction, scenarios: files.count)
        // Another report may need them.
        if !arguments[Options.series], !form.needsSeries { report.figures.series = nil }
        if form == .openmetrics {
            return ReportOutput.writeSamples(of: report, arguments: arguments, console: console)
        }
        // Lines of a scenario name devices and their attributes.
        if form == .html, console.redaction == nil { report.sources = sources(of: report.scenarios) }
        var setting = ReportOutput.setting(arguments, console)
        setting.isVerbose = arguments.isSet(verboseOption)
        setting.origin = ReportOrigins.origin(
            arguments, of: definition, files: files, isNeeded: form == .html, redactor: setting.redactor)
        // The output of commands is in the report then, and may be a key or a token.
        let isSecret = setting.isVerbose && report.scenarios.contains { !$0.printed.isEmpty }
        return ReportOutput.write(
            report.bytes(as: form, in: setting), isSecret: isSecret, arguments: arguments, console: console)
    }

    // R24.2, R25.2: what the commands and the monitoring of all scenarios would send.
    private static func writeOutbox(
        _ results: [ScenarioResult], _ arguments: ParsedArguments, _ console: Console
    ) -> Bool {
        guard let path = arguments[outboxOption] else { return true }
        let redactor = console.redaction?.redactor
        let mail = results.flatMap(\.mail).map { mail in redactor.map { mail.mapping($0.text) } ?? mail }
        return console.attempt(in: path) { () throws(FileFailure) in
            try OutputFile.write(Mailbox.bytes(of: mail), to: path)
        } != nil
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
        of results: [ScenarioResult], _ report: Report, _ arguments: ParsedArguments, _ console: Console
    ) -> ExitStatus {
        guard results.allSatisfy(\.passed) else { return .expectationFailed }
        guard arguments.isSet(allowEmptyOption) || results.contains(where: { !$0.expectations.isEmpty }) else {
            console.show(
                error: "nothing was asserted: no scenario expects anything; "
                    + "`\(allowEmptyOption.name)` is for those who mean it")
            return .nothingRan
        }
        let unnoticed = RunMutants.showExceeded(
            report.mutants, arguments, allowsEmpty: arguments.isSet(allowEmptyOption), console)
        let uncovered = report.coverage.flatMap { minimumCoverage.check($0, arguments) }
        return uncovered?.show(console) == true ? .limitExceeded : unnoticed ?? .success
    }

    private static func selection(_ arguments: ParsedArguments) throws(UsageError) -> ScenarioSelection {
        var selection = ScenarioSelection(tags: arguments.words(of: tagOption))
        guard let source = arguments[nameOption] else { return selection }
        do throws(PatternError) {
            selection.name = try Pattern(source)
        } catch {
            throw UsageError(error.message(about: nameOption.name.quoted))
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
        guard arguments.isSet(option) || arguments.isSet(minimum.option), results.allSatisfy(\.passed) else {
            return nil
        }
        return MutationRunner(seed: arguments[Options.seed], jobs: arguments.jobs).run(scenarios)
    }

    /// Shows that fewer changes are noticed than the limit asks for, or that none had any effect.
    ///
    /// - Parameter allowsEmpty: True if it is no error that there was nothing to notice.
    /// - Returns: The exit status for that; `nil` if the limit is kept.
    static func showExceeded(
        _ report: MutationReport?, _ arguments: ParsedArguments, allowsEmpty: Bool, _ console: Console
    ) -> ExitStatus? {
        guard let report, let checked = minimum.check(report, arguments) else { return nil }
        guard report.effective > 0 else {
            if allowsEmpty { return nil }
            console.show(
                error: "nothing was exercised: no change of an account affects a client, so "
                    + "`\(minimum.option.name)` has nothing to check")
            return .nothingRan
        }
        return checked.show(console) ? .limitExceeded : nil
    }
}
