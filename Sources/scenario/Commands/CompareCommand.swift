internal import Analysis
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports

/// `scenario compare`: the differences between the devices of two captures.
extension Command {
    static let compare = Command(
        "compare", "Report the differences between the devices of two captures, under one account.",
        .files(
            "CAPTURE", "The older capture, and the newer one: plain, .gz or .zst; - is standard input.", minimum: 2,
            maximum: 2
        ),
        options: [
            account, Options.policy, Options.change, AssumptionOptions.assume, AssumptionOptions.file, keysOption,
            maximumDrift, ConfidenceOption.option, formatOption,
            Options.output, Options.digests, Options.jobs,
        ] + NarrowingOptions.all + RedactionOptions.all + [RedactionOptions.show] + reading,
        discussion: """
            For each value, the share of devices that showed it before and after: verdicts, flags, filters, apps,
            versions and systems. A device counts once for each value. Captures of about the same length can be
            compared; in a longer one devices have more time to show values.

            Differences are tested together, so that captures of the same devices report one in at most 5 % of
            cases. Intervals are those of random samples; the report says how many devices are in both captures.
            Values that fewer than five devices show are added up. A device that is not evaluated may have any
            verdict, flags and filters.

            --max-drift holds the greatest difference of any value against the limit, and with --confidence the
            greatest one that the captures do not exclude, by an exact one-sided bound. It is exceeded where nothing
            was compared.

            \(AssumptionOptions.discussion) Only the older capture is read so: what is left is what the assumption does not
            explain. An attribute that is set cannot be compared.
            """,
        examples: [
            "scenario compare monday.jsonl.gz friday.jsonl.gz --account prod.yaml":
                "The shares that differ between Monday and Friday.",
            "scenario compare monday.jsonl friday.jsonl --account prod.yaml --max-drift 1%":
                "A limit for CI: exits with 4 when a share differs by more than one percentage point.",
        ],
        reports: [DriftReport.kind], takesSettings: true, answer: answer)

    private static let account = Options.account.described(
        as: "Evaluate both captures by the account in FILE; required, and new is a new one.")

    // Malformed records of two captures would be written into one file.
    private static let reading: [any CommandOption] = [
        Options.skipMalformed, Options.sort, Options.timezone, Options.rename, Options.inputFormat, Options.noProgress,
    ]

    private static let keysOption = Option(
        "--keys", "Compare the values of these keys instead: verdict, flags, filters, attributes and derived keys.",
        .text("KEYS"), in: .count)
    private static let maximumDrift = Option(
        "--max-drift", "Exit with 4 when a share differs by more percentage points, or by --confidence might.",
        .bound(.least), in: .limits)
    private static let formatOption = Options.format(DriftReport.forms)

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        let level = try ConfidenceOption.level(call.arguments)
        let keys = try GroupOptions.keys(keysOption, call.arguments, isDecided: true) ?? CaptureDrift.usualKeys
        var question = try CaptureQuestion(call, takesLabels: false)
        try AccountOptions.requireAccount(call.arguments)
        let account = try question.readAccounts().after
        var requests: [ReplayRequest] = []
        for path in call.operands {
            question.request.captures = [path]
            requests.append(try question.narrowed(question.request))
        }
        let concerned = try question.concerned(requests[0])
        requests[0].assumed = concerned?.drawn
        try refuseSet(concerned, keys)
        let drift = call.following {
            CaptureDrift(old: requests[0], new: requests[1], keys: keys, at: level ?? .usual, progress: $0)
        }
        try call.require(drift.diagnostics)
        guard var figures = drift.figures else {
            let rest = NarrowingOptions.remainder(call.arguments)
            throw call.failure("nothing to compare: a capture contains no attestation\(rest)", .nothingRan)
        }
        figures.assumed = concerned?.figures
        figures.assumed?.hideValues(by: call.redactor)
        figures.hideValues(by: call.redactor)
        figures.narrowed = NarrowingOptions.shown(call)
        let missing = figures.keys.filter { $0.values == 0 && !$0.isDecided && call.isSet(keysOption) }.map(\.key)
        for key in missing { call.console.show(CountingOptions.missing(key, keysOption)) }
        let emptiness = figures.emptiness ?? missing.first.map { "no record has a value for \($0.quoted)" }
        let limits = [limit(figures, emptiness: emptiness, isBound: level != nil, call.arguments)].compactMap(\.self)
        let report = DriftReport(figures, account: account.name, limits: limits.map(\.result))
        try call.write { _ in report }
        let isExceeded = limits.contains(where: \.result.isExceeded)
        return call.end(
            limits: limits, nothing: isExceeded ? nil : figures.emptiness.map { "nothing was compared: \($0)" })
    }

    // Values are counted as records have them.
    private static func refuseSet(_ concerned: ConcernedDevices?, _ keys: [ProfileKey]) throws(CommandFailure) {
        let attributes = concerned?.attributes ?? []
        guard let key = keys.first(where: { $0.record.map { attributes.contains($0.attribute) } ?? false }) else {
            return
        }
        throw .usage(
            "`\(AssumptionOptions.assume.name)` sets an attribute whose values are compared: \(key.text.asTyped)",
            hint: "`\(keysOption.name)` compares other values, such as `verdict,flags,filters`")
    }

    // A difference that was observed, or with a level one that is not excluded; none where something was not compared.
    private static func limit(
        _ figures: DriftFigures, emptiness: String?, isBound: Bool, _ arguments: ParsedArguments
    ) -> CheckedLimit? {
        guard case .share(let share)? = arguments[maximumDrift] else { return nil }
        let name = "\(maximumDrift.name) \(arguments.word(of: maximumDrift) ?? "")"
        if let emptiness {
            return CheckedLimit(
                LimitResult(
                    name: name, finding: emptiness, isExceeded: true, excess: "\(name) holds of nothing: \(emptiness)"))
        }
        let greatest = figures.greatest.map { ($0.difference, " in \($0.term.condition)") } ?? (0, "")
        let found = isBound ? figures.bound : greatest.0
        let finding =
            isBound
            ? "up to \(DriftFigures.points(found)) percentage points of difference, which the captures do not exclude at "
                + "\(figures.level), one-sided"
            : "\(figures.unevaluated > 0 ? "up to " : "")\(DriftFigures.points(found)) percentage points of difference"
                + (found > 0 ? greatest.1 : "")
        return CheckedLimit(LimitResult(name: name, finding: finding, isExceeded: found > share.fraction))
    }
}
