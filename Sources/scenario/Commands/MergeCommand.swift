internal import Documents
internal import Figures
internal import Replay
internal import Reports

/// `scenario merge`: parts of a replay or a comparison, and the report of the whole.
enum MergeCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "merge",
        summary: "Make one report of the partial results of a replay or a comparison.",
        operands: .files("PARTIAL", "A file that `--partial` of `replay` or `diff` wrote, one for each part."),
        options: options,
        discussion: [
            """
            The report is the same as that of one machine, byte for byte, with its command line. The parts must come \
            from this version and from captures, accounts and options with the same content, and each part must be \
            given once.
            """
        ],
        examples: [
            "scenario replay day.jsonl --account prod.yaml --shard 2/4 --partial part-2.json":
                "The second of four parts of the devices, wherever it runs.",
            "scenario merge part-1.json part-2.json part-3.json part-4.json": "The report of all four.",
        ]
    )

    private static let options: [any CommandOption] = [
        [shardsOption, formatOption, Options.outputs, Options.step], [ConfidenceOption.ofParts],
        ChangeLimits.captureOptions,
        comparing,
        [ReportOrigins.digests],
        RedactionOptions.all, [RedactionOptions.show],
    ].flatMap(\.self)

    // The options that comparisons alone take, beside limits.
    private static let comparing: [any CommandOption] = [Options.allowExcess, ComparisonBaseline.option]

    private static let shardsOption = Option(
        "--shards", "Refuse parts that are not of N; without it each part says how many there are.",
        .integer("N", in: 1...DeviceShard.limit))

    private static let formatOption = Options.format(
        forms,
        summary:
            "Write the report in this form; by default text. Each form is one of the command that made the parts.")

    private static var forms: [ReportForm] {
        // A summary needs the account, which parts do not hold.
        let replays = Report.forms.filter { $0 != .summaryMail }
        return replays + ComparisonReport.forms.filter { !replays.contains($0) }
    }

    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        try ChangeLimits.checkReason(arguments)
        var diagnostics = Diagnostics()
        let parts = arguments.operands.compactMap { read($0, &diagnostics) }
        let whole =
            diagnostics.hasErrors
            ? nil : PartialMerge.merge(parts, count: arguments[shardsOption], diagnostics: &diagnostics)
        console.show(diagnostics)
        guard let whole else { return .invalidInput }
        let typed = whole.origin.typed
        guard hasDigests(typed, arguments, console) else { return .invalidInput }
        switch whole.content {
        case .replay(let part):
            try checkForm(Report.forms, of: "replay", arguments)
            let limiting = ChangeLimits.captureOptions.filter { $0.name != ChangeLimits.unevaluated.option.name }
            for option in limiting + comparing where arguments.isSet(option) {
                throw UsageError("`\(option.name)` is for comparisons, and these are parts of a replay")
            }
            guard areSound(typed.options, of: ReplayCommand.definition, console) else { return .invalidInput }
            let (asked, console) = try asked(typed, arguments, for: ReplayCommand.definition, console)
            return try report(part, of: whole.origin, asked, console)
        case .comparison(let part):
            try checkForm(ComparisonReport.forms, of: "diff", arguments)
            guard areSound(typed.options, of: DiffCommand.definition, console) else { return .invalidInput }
            let (asked, console) = try asked(typed, arguments, for: DiffCommand.definition, console)
            var comparison = part.comparison
            comparison.hits = GroupOptions.hits(
                part.shown.map { DeviceProfiles($0) }, at: try ConfidenceOption.level(asked), asked, console)
            return try DiffReport(
                comparison, nil, account: whole.origin.accounts.first ?? "", asked, console, carried: typed
            ).finish()
        }
    }

    // True if all captures have the digests that are asked for.
    private static func hasDigests(
        _ typed: PartialResult.TypedCommand, _ arguments: ParsedArguments, _ console: Console
    ) -> Bool {
        guard arguments.isSet(ReportOrigins.digests), let capture = typed.undigested else { return true }
        console.show(
            error:
                "the parts do not say the SHA-256 of \(UsageError.quote(capture.path)), because it was split; leave out "
                + "`\(ReportOrigins.digests.name)`")
        return false
    }

    // True if the command could have been given all options that the parts say.
    private static func areSound(
        _ options: [PartialResult.Setting], of command: CommandDefinition, _ console: Console
    ) -> Bool {
        do throws(UsageError) {
            for setting in options {
                if let option = command.option(called: setting.name) {
                    try ArgumentParser.check(setting.value, of: option)
                }
            }
            return true
        } catch {
            console.show(error: "the options that the parts were made with are wrong: \(error.description)")
            return false
        }
    }

    // The arguments of a machine that does all parts, and its console with the same redaction.
    private static func asked(
        _ typed: PartialResult.TypedCommand, _ arguments: ParsedArguments, for command: CommandDefinition,
        _ console: Console
    ) throws(UsageError) -> (ParsedArguments, Console) {
        var (asked, console) = (ParsedArguments(), console)
        for capture in typed.captures { asked.add(operand: capture.path) }
        for option in command.options {
            // Options on the form of the report are given to this command; parts do not have them.
            let isCarried = option.name == ConfidenceOption.option.name && !arguments.isSet(option)
            let isAskedHere = !isCarried && options.contains { $0.name == option.name }
            let values =
                isAskedHere
                ? arguments.words(of: option) : typed.options.filter { $0.name == option.name }.map(\.value)
            for value in values { asked.add(value, to: option) }
        }
        console.redaction = try RedactionOptions.redaction(asked, of: command, captures: typed.captures)
        return (asked, console)
    }

    private static func report(
        _ part: ReplayPart, of origin: PartialResult.Origin, _ asked: ParsedArguments, _ console: Console
    ) throws(UsageError) -> ExitStatus {
        let figures = part.figures
        let forms = asked.reports.map(\.form)
        if figures.series == nil, forms.contains(where: \.needsSeries) {
            console.show(
                error: "the parts have no metrics by minute; `\(Options.series.name)` of `replay` keeps them")
            return .invalidInput
        }
        var report = Report(figures: figures, fetches: part.fetches)
        (report.account, report.version) = (origin.account, ToolVersion.current)
        report.labelCost = try LabelOptions.cost(asked)
        return try ReplayCommand.finish(report, asked, console, carried: origin.typed)
    }

    private static func checkForm(
        _ forms: [ReportForm], of command: String, _ arguments: ParsedArguments
    ) throws(UsageError) {
        let known = forms.map(\.rawValue)
        guard let form = arguments.words(of: formatOption).first(where: { !known.contains($0) }) else { return }
        throw UsageError("`\(formatOption.name) \(form)` is not a form of `\(command)`, which made these parts")
    }

    // A part; `nil` after noting an error. All files are read, so that all errors are reported at once.
    private static func read(_ path: String, _ diagnostics: inout Diagnostics) -> PartialMerge.Part? {
        do {
            return PartialMerge.Part(path: path, result: try PartialResult(try TextFile.bytes(path: path)))
        } catch let failure as PartialFailure {
            diagnostics.add(Diagnostic(file: path, message: failure.message))
        } catch {
            diagnostics.add(Diagnostic(file: path, message: "\(error)"))
        }
        return nil
    }
}
