internal import Documents
internal import Figures
internal import Replay
internal import Reports

/// `scenario merge`: parts of a replay or a comparison, and the report of the whole.
extension Command {
    static let merge = Command(
        "merge", "Make one report of the partial results of a replay or a comparison.",
        .files("PARTIAL", "A file that `--partial` of `replay` or `diff` wrote, one for each part."),
        options: options,
        discussion: """
            The report is the same as that of one machine, byte for byte, with its command line. The parts must come
            from this version and from captures, accounts and options with the same content, and each part must be
            given once.
            """,
        examples: [
            "scenario replay day.jsonl --account prod.yaml --shard 2/4 --partial part-2.json":
                "The second of four parts of the devices, wherever it runs.",
            "scenario merge part-1.json part-2.json part-3.json part-4.json": "The report of all four.",
        ],
        reports: [Report.kind, ComparisonReport.kind], answer: answer)

    private static let options: [any CommandOption] = [
        [shardsOption, formatOption, Options.outputs, Options.step], [ConfidenceOption.ofParts],
        ChangeLimits.captureOptions,
        comparing,
        [Options.digests],
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

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        try ChangeLimits.checkReason(call.arguments)
        let whole = try call.reading { diagnostics in
            let parts = call.operands.compactMap { read($0, &diagnostics) }
            return diagnostics.hasErrors
                ? nil : PartialMerge.merge(parts, count: call[shardsOption], diagnostics: &diagnostics)
        }
        let typed = whole.origin.typed
        if call[Options.digests], let capture = typed.undigested {
            throw call.failure(
                "the parts do not say the SHA-256 of \(capture.path.asTyped), because it was split; leave out "
                    + "`\(Options.digests.name)`")
        }
        switch whole.content {
        case .replay(let part):
            try checkForm(Report.forms, of: .replay, call.arguments)
            let limiting = ChangeLimits.captureOptions.filter { $0.name != ChangeLimits.unevaluated.option.name }
            for option in limiting + comparing where call.isSet(option) {
                throw .usage("`\(option.name)` is for comparisons, and these are parts of a replay")
            }
            return try report(part, of: whole.origin, try asked(typed, of: .replay, call))
        case .comparison(let part):
            try checkForm(ComparisonReport.forms, of: .diff, call.arguments)
            let asked = try asked(typed, of: .diff, call)
            var comparison = part.comparison
            comparison.hits = GroupOptions.hits(
                part.shown.map { DeviceProfiles($0) }, at: try ConfidenceOption.level(asked.arguments), asked)
            return try finishComparison(comparison, account: whole.origin.accounts.first ?? "", asked, carried: typed)
        }
    }

    // The call of a machine that does all parts, with the redaction that it would have there.
    private static func asked(
        _ typed: PartialResult.TypedCommand, of command: Command, _ call: CommandCall
    ) throws(CommandFailure) -> CommandCall {
        do throws(CommandFailure) {
            for setting in typed.options {
                if let option = command.option(called: setting.name) {
                    try ArgumentParser.check(setting.value, of: option)
                }
            }
        } catch {
            throw call.failure("the options that the parts were made with are wrong: \(error.description)")
        }
        var asked = CommandCall(arguments: ParsedArguments(of: command), console: call.console)
        for capture in typed.captures { asked.arguments.add(operand: capture.path) }
        for option in command.options {
            // Options on the form of the report are given to this command; parts do not have them.
            let isCarried = option.name == ConfidenceOption.option.name && !call.isSet(option)
            let isAskedHere = !isCarried && merge.has(option)
            let values =
                isAskedHere
                ? call.arguments.words(of: option) : typed.options.filter { $0.name == option.name }.map(\.value)
            for value in values { asked.arguments.add(value, to: option) }
        }
        asked.console.redaction = try RedactionOptions.redaction(asked.arguments, captures: typed.captures)
        return asked
    }

    private static func report(
        _ part: ReplayPart, of origin: PartialResult.Origin, _ asked: CommandCall
    ) throws(CommandFailure) -> ExitStatus {
        let figures = part.figures
        if figures.series == nil, asked.arguments.reports.contains(where: \.form.needsSeries) {
            throw asked.failure("the parts have no metrics by minute; `\(Options.series.name)` of `replay` keeps them")
        }
        var report = Report(figures: figures, fetches: part.fetches)
        report.account = origin.account
        report.labelCost = try LabelOptions.cost(asked.arguments)
        return try finishReplay(report, asked, carried: origin.typed)
    }

    private static func checkForm(
        _ forms: [ReportForm], of command: Command, _ arguments: ParsedArguments
    ) throws(CommandFailure) {
        let known = forms.map(\.rawValue)
        guard let form = arguments.words(of: formatOption).first(where: { !known.contains($0) }) else { return }
        throw .usage("`\(formatOption.name) \(form)` is not a form of `\(command.name)`, which made these parts")
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
