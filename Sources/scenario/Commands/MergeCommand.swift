internal import Documents
internal import Replay
internal import Reports

/// `scenario merge`: parts of a replay or a comparison, and the report of the whole.
enum MergeCommand: ToolCommand {
    /// What can be typed after `merge`.
    static let definition = CommandDefinition(
        name: "merge",
        summary: "Make one report of the partial results of a replay or a comparison.",
        operands: OperandDefinition(
            placeholder: "PARTIAL",
            summary: "A file that `--partial` of `replay` or `diff` wrote, one for each part.",
            kind: .files,
            minimum: 1,
            maximum: nil
        ),
        options: [
            shardsOption, formatOption, .output, .step, .maximumUnjudged, DiffCommand.maximumRejectedOption,
            DiffCommand.maximumAcceptedOption,
        ] + RedactionOptions.all + [RedactionOptions.show],
        discussion: [
            """
            The report is that of one machine, byte for byte. The parts must be those of the same captures, account \
            and options, made by this version, and each must be there once.
            """
        ],
        examples: [
            CommandExample(
                line: "scenario replay day.jsonl --account prod.yaml --shard 2/4 --partial part-2.json",
                summary: "The second of four parts of the devices, wherever it runs."
            ),
            CommandExample(
                line: "scenario merge part-1.json part-2.json part-3.json part-4.json",
                summary: "The report of all four."
            ),
        ]
    )

    /// Says how many parts there must be.
    private static let shardsOption = OptionDefinition(
        name: "--shards",
        value: .integer(placeholder: "N", in: 1...UInt64(DeviceShard.limit)),
        summary: "Refuse parts that are not of N; without it each part says how many there are."
    )

    /// The form of the report.
    private static let formatOption = OptionDefinition(
        name: "--format",
        value: .choice(forms),
        summary: "Write the report in this form; by default text. Each form is one of the command that made the parts."
    )

    private static var forms: [String] {
        // A summary needs the account, which parts do not hold.
        let replays = ReportFormat.allCases.filter { $0 != .summaryMail }.map(\.rawValue)
        return replays + ComparisonFormat.allCases.map(\.rawValue).filter { !replays.contains($0) }
    }

    /// Runs the command.
    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        let step = try ReportOutput.step(arguments, format: formatOption)
        let limits = try DiffCommand.Limits(arguments)
        var diagnostics = Diagnostics()
        let parts = arguments.operands.compactMap { read($0, &diagnostics) }
        let whole =
            diagnostics.hasErrors
            ? nil : PartialMerge.merge(parts, count: arguments.integer(of: shardsOption), diagnostics: &diagnostics)
        console.show(diagnostics)
        guard let whole else { return .invalidInput }
        switch whole.content {
        case .replay(let part):
            return try report(part, of: whole.origin, step: step, limits, arguments, console)
        case .comparison(let part):
            try checkForm(ComparisonFormat.self, of: "diff", arguments)
            let checked = limits.check(part.comparison.changes, nil, arguments)
            return DiffCommand.finish(part.comparison, nil, checked, arguments, of: definition, console)
        }
    }

    private static func report(
        _ part: ReplayPart, of origin: PartialResult.Origin, step: Int, _ limits: DiffCommand.Limits,
        _ arguments: ParsedArguments, _ console: Console
    ) throws(UsageError) -> ExitStatus {
        try checkForm(ReportFormat.self, of: "replay", arguments)
        for option in [DiffCommand.maximumRejectedOption, DiffCommand.maximumAcceptedOption]
        where arguments.isSet(option) {
            throw UsageError("`\(option.name)` is for comparisons, and these are parts of a replay")
        }
        let figures = part.figures
        let format = arguments.choice(of: formatOption, as: ReportFormat.self) ?? .text
        if format.needsSeries, figures.series == nil {
            console.show(
                error: "the parts have no metrics by minute; `\(OptionDefinition.series.name)` of `replay` keeps them")
            return .invalidInput
        }
        var report = Report(figures: figures, fetches: part.fetches)
        (report.account, report.version) = (origin.account, ToolVersion.current)
        return ReplayCommand.finish(report, step: step, limits.unjudged, arguments, of: definition, console)
    }

    private static func checkForm<Format: RawRepresentable<String>>(
        _ type: Format.Type, of command: String, _ arguments: ParsedArguments
    ) throws(UsageError) {
        guard let form = arguments.value(of: formatOption), Format(rawValue: form) == nil else { return }
        throw UsageError("`\(formatOption.name) \(form)` is no form of `\(command)`, which made these parts")
    }

    // What is wrong with all files is reported at once.
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
