internal import Analysis
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports

/// `scenario compare`: the differences between the devices of two captures.
enum CompareCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "compare",
        summary: "Report the differences between the devices of two captures, under one account.",
        operands: .files(
            "CAPTURE", "The older capture, and the newer one: plain, .gz or .zst; - is standard input.", minimum: 2,
            maximum: 2
        ),
        options: [
            account, Options.policy, Options.change, keysOption, maximumDrift, ConfidenceOption.option, formatOption,
            Options.output,
            ReportOrigins.digests, Options.jobs,
        ] + NarrowingOptions.all + RedactionOptions.all + [RedactionOptions.show] + reading,
        discussion: [
            """
            For each value, the share of devices that showed it before and after: verdicts, flags, filters, apps, versions and \
            systems. A device counts once for each value. Captures of about the same length can be compared; in a longer one \
            devices have more time to show values.
            """,
            """
            Differences are tested together, so that captures of the same devices report one in at most 5 % of cases. Intervals are \
            those of random samples; the report says how many devices are in both captures. Values that fewer than five devices \
            show are added up. A device that is not evaluated may have any verdict, flags and filters.
            """,
            """
            --max-drift holds the greatest difference of any value against the limit, and with --confidence the greatest one that \
            the captures do not exclude, by an exact one-sided bound. It is exceeded where nothing was compared.
            """,
        ],
        examples: [
            "scenario compare monday.jsonl.gz friday.jsonl.gz --account prod.yaml":
                "The shares that differ between Monday and Friday.",
            "scenario compare monday.jsonl friday.jsonl --account prod.yaml --max-drift 1%":
                "A limit for CI: exits with 4 when a share differs by more than one percentage point.",
        ]
    )

    private static let account = Options.account.described(
        as: "Evaluate both captures by the account in FILE; required, and new is a new one.")

    // Malformed records of two captures would be written into one file.
    private static let reading: [any CommandOption] = [
        Options.skipMalformed, Options.sort, Options.timezone, Options.inputFormat, Options.noProgress,
    ]

    private static let keysOption = Option(
        "--keys", "Compare the values of these keys instead: verdict, flags, filters, attributes and derived keys.",
        .text("KEYS"), in: .count)

    private static let maximumDrift = Option(
        "--max-drift", "Exit with 4 when a share differs by more percentage points, or by --confidence might.",
        .bound(.least), in: .limits)

    private static let formatOption = Options.format(DriftReport.forms)

    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        let level = try ConfidenceOption.level(arguments)
        let keys = try GroupOptions.keys(keysOption, arguments, isDecided: true) ?? CaptureDrift.usualKeys
        var request = try CaptureOptions.request(arguments)
        let narrowing = try NarrowingOptions.narrowing(arguments, takesLabels: false)
        try AccountOptions.requireAccount(arguments)
        guard let account = AccountOptions.changed(arguments, showing: console)?.after else { return .invalidInput }
        request.account = account
        var requests = [request, request]
        for index in requests.indices { requests[index].captures = [arguments.operands[index]] }
        for index in requests.indices {
            guard NarrowingOptions.narrow(&requests[index], to: narrowing, arguments, console) else {
                return .invalidInput
            }
        }
        let (old, new) = (requests[0], requests[1])
        let drift = console.following(arguments) {
            CaptureDrift(old: old, new: new, keys: keys, at: level ?? .usual, progress: $0)
        }
        console.show(drift.diagnostics)
        guard !drift.diagnostics.hasErrors else { return .invalidInput }
        guard var figures = drift.figures else {
            console.show(
                error: "nothing to compare: a capture contains no attestation\(NarrowingOptions.remainder(arguments))")
            return .nothingRan
        }
        figures.hideValues(by: console.redaction?.redactor)
        figures.narrowed = NarrowingOptions.shown(arguments, console)
        let missing = figures.keys.filter { $0.values == 0 && !$0.isDecided && arguments.isSet(keysOption) }.map(\.key)
        for key in missing { console.show(CountingOptions.missing(key, keysOption)) }
        let emptiness = figures.emptiness ?? missing.first.map { "no record has a value for \($0.quoted)" }
        let limit = limit(figures, emptiness: emptiness, isBound: level != nil, arguments)
        let isWritten = write(figures, account.name, [limit].compactMap(\.self), arguments, console)
        guard isWritten else { return .invalidInput }
        if let limit, limit.isExceeded {
            console.show(exceededLimit: limit.excess)
            return .limitExceeded
        }
        guard let nothing = figures.emptiness else { return .success }
        console.show(error: "nothing was compared: \(nothing)")
        return .nothingRan
    }

    // A difference that was observed, or with a level one that is not excluded; none where something was not compared.
    private static func limit(
        _ figures: DriftFigures, emptiness: String?, isBound: Bool, _ arguments: ParsedArguments
    ) -> LimitResult? {
        guard case .share(let share)? = arguments[maximumDrift] else { return nil }
        let name = "\(maximumDrift.name) \(arguments.word(of: maximumDrift) ?? "")"
        if let emptiness {
            return LimitResult(
                name: name, finding: emptiness, isExceeded: true, excess: "\(name) holds of nothing: \(emptiness)")
        }
        let greatest = figures.greatest.map { ($0.difference, " in \($0.term.condition)") } ?? (0, "")
        let found = isBound ? figures.bound : greatest.0
        let finding =
            isBound
            ? "up to \(DriftFigures.points(found)) percentage points of difference, which the captures do not exclude at "
                + "\(figures.level), one-sided"
            : "\(figures.unevaluated > 0 ? "up to " : "")\(DriftFigures.points(found)) percentage points of difference"
                + (found > 0 ? greatest.1 : "")
        return LimitResult(name: name, finding: finding, isExceeded: found > share.fraction)
    }

    private static func write(
        _ figures: DriftFigures, _ account: String, _ limits: [LimitResult], _ arguments: ParsedArguments,
        _ console: Console
    ) -> Bool {
        ReportOutput.write(
            DriftReport(figures, account: account, limits: limits), arguments, of: definition, console)
    }
}
