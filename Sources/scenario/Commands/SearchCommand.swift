internal import Analysis
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports

/// `scenario search`: the fewest edits that reject what has to be rejected and keep what has to be kept.
extension Command {
    static let search = Command(
        "search", "Find the fewest edits of an account that reject some captured devices and keep others.",
        .files("CAPTURE", "A capture, plain, .gz or .zst."),
        options: [
            account, Options.policy, Options.change, reject, keep, exempt, butReject, maximumEdits,
            maximumRejected.option, loosest,
            narrowestFilter, holdOut, ConfidenceOption.option, LabelOptions.labels, LabelOptions.caught.option,
            LabelOptions.blocked.option, timeout, formatOption, Options.output, Options.jobs,
        ] + Options.captureReading + [Options.noProgress],
        discussion: """
            The edits are those of `scenario whatif`: presets, reject flags, filters and their actions, device
            entries. An EXPR selects attestations: flag:NAME, did:ID, did:@FILE, label:bad, verdict:pass, KEY=VALUE
            and KEY~REGEX, joined by and, or, not and brackets. Each answer was compared with the account as it is.

            \(ConfidenceOption.discussion) The intervals of all answers hold together. These answers are measured on
            the data they were chosen from; --holdout measures them, and the limits, on unseen data. Limits of
            shares then need --holdout, and take the answers that it proves to be within them, by exact one-sided
            bounds (Holm).

            A device that is not evaluated counts as missed by --catch, and against the other limits.

            With --exempt, the answers let in attestations that fail, and the fewest other devices. An exemption is one of these
            edits, the entries of ten devices at most, all flags that reject them, or a filter or a conjunction of two that
            executes the filtered policy, with that policy. A proof says whether the first answer lets in any possible device
            that was not asked for: one that is none of the captured devices to let in, and of which no attestation is
            selected by --exempt alone. Of answers that leave out and let in as many devices, one that is proved to let in no
            such device comes first.

            Exits with 4 when no such edits are found, and with 6 when the search takes too long.
            """,
        examples: [
            "scenario search day.jsonl --account prod.yaml --reject flag:frida --keep 'not flag:frida'":
                "The edits that reject devices with Frida, and no others.",
            "scenario search day.jsonl --account prod.yaml --labels known.csv --catch 90% --max-good-blocked 0.1%":
                "The fewest edits that catch nine of ten bad devices and block almost no good one.",
            "scenario search day.jsonl --account prod.yaml --exempt 'app-version=5.2 and flag:jailbroken' --but-reject flag:frida":
                "The narrowest way to let in version 5.2, which looks jailbroken by mistake.",
        ],
        reports: [SearchAnswers.kind], takesSettings: true, answer: answer)

    private static let account = Options.account.described(
        as: "Edit the account in FILE; required, and new is a new one.")
    private static let reject = Option("--reject", "Attestations that EXPR selects must fail.", .text("EXPR"))
    private static let keep = Option("--keep", "Attestations that EXPR selects must pass.", .text("EXPR"))
    static let exempt = Option(
        "--exempt", "Let in attestations that EXPR selects, and the fewest other devices.", .text("EXPR"),
        relations: [.excludes(unlike)])
    // The options that ask for something else.
    private static var unlike: [OptionUse] {
        [
            reject.given, keep.given, maximumEdits.given, maximumRejected.option.given, loosest.given,
            narrowestFilter.given, holdOut.given, ConfidenceOption.option.given, LabelOptions.caught.option.given,
            LabelOptions.blocked.option.given,
        ]
    }
    static let butReject = Option(
        "--but-reject", "Attestations that fail, and that EXPR selects, must fail all the same.", .text("EXPR"),
        relations: [.needs([exempt.given])])
    private static let maximumEdits = Option(
        "--max-edits", "Make at most K edits, by default 2.",
        .integer("K", in: 0...4, usually: SearchQuestion.Mode.usualEdits))
    private static let maximumRejected = Limit<SearchFigures>(
        "--max-newly-rejected",
        summary: "Newly reject at most this number of other devices, or this share of all devices."
    ) { LimitedFigure(count: $0.besides, all: $0.devices, unit: "devices", unevaluated: $0.unevaluated) }

    private static let limits = [maximumRejected, LabelOptions.caught, LabelOptions.blocked]

    private static let loosest = Option(
        "--loosest", "Edit the policy alone, and prefer answers that reject the fewest other devices.")
    private static let narrowestFilter = Option(
        "--narrowest-filter",
        "Add one filter on the attribute KEY, and prefer answers that reject the fewest other devices.", .text("KEY"),
        relations: [.excludes([loosest.given, maximumEdits.given], reason: ", which adds one filter")])
    private static let holdOut = Option(
        "--holdout", "Search in what is before INSTANT, such as 2020-07-23T10:00:00Z, and report on what is after it.",
        .text("INSTANT"))
    private static let timeout = Option(
        "--timeout", "Give up after DURATION, by default 1m.", .duration(least: 1, usually: CaptureSearch.usualSeconds),
        in: .running)
    private static let formatOption = Options.format(SearchAnswers.forms)

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        let needed = LabelOptions.needed(call.arguments)
        guard call.isSet(reject) || call.isSet(keep) || call.isSet(exempt) || !needed.isEmpty else {
            throw .usage("there is no expression", hint: "give `\(reject.name)`, `\(keep.name)` or both")
        }
        try ExpressionOptions.refuseOpenExpression(call.arguments, of: reject)
        let mode = try mode(call.arguments)
        var question = try CaptureQuestion(call)
        if let reason = question.request.rereadingRefusal {
            throw .usage("`search` reads captures more than once, and \(reason)")
        }
        let rejected = try expression(call.isSet(exempt) ? butReject : reject, call.arguments)
        let (kept, exempted) = (try expression(keep, call.arguments), try expression(exempt, call.arguments))
        try AccountOptions.requireAccount(call.arguments)
        let (confidence, start) = (try confidence(call.arguments), try call.instant(of: holdOut))
        try question.readAccounts()
        var sought = SearchQuestion(
            reject: rejected, keep: kept, mode: mode, limit: limit(call.arguments, isProved: confidence != nil),
            labels: question.request.labels, needed: needed)
        (sought.confidence, sought.holdOut, sought.exempt) = (confidence, start, exempted)
        question.request.labels = nil
        let (search, result) = try question.ask { [sought] request, progress in
            var search = CaptureSearch(sought, request, seconds: call[timeout], progress: progress)
            let result = search.run()
            return (search, result)
        }
        call.console.show(search.diagnostics)
        for reason in search.leftOut { call.console.show(warning: "a filter is left out: \(reason)") }
        switch result {
        case .failure(let failure):
            if let message = failure.message(limit: call[timeout]) { call.console.show(error: message) }
            return status(of: failure)
        case .success(let found):
            try call.write { _ in found }
            return found.answers.isEmpty ? .limitExceeded : .success
        }
    }

    private static func status(of failure: SearchFailure) -> ExitStatus {
        switch failure {
        case .refused, .contradiction, .noFilter: .invalidInput
        case .nothingSelected, .nothingToExempt, .nothingHeldOut, .unlabelled: .nothingRan
        case .late, .unsearched, .leftOut, .disagreement: .notDecided
        }
    }

    // The level of intervals and limits.
    private static func confidence(_ arguments: ParsedArguments) throws(CommandFailure) -> ConfidenceLevel? {
        let options = limits.map(\.option)
        let level = try ConfidenceOption.level(arguments, testing: options)
        guard level != nil, !arguments.isSet(holdOut), let limit = options.first(where: arguments.isSet) else {
            return level
        }
        throw .usage(
            "`\(limit.name)` with `\(ConfidenceOption.option.name)` needs `\(holdOut.name)`",
            hint: "answers are chosen by the attestations that would prove the limit")
    }

    // All limits that were set as one; `nil` where none was.
    private static func limit(_ arguments: ParsedArguments, isProved: Bool) -> SearchLimit? {
        let tests = limits.compactMap { $0.test(arguments) }
        let pValues = limits.compactMap { $0.pValue(arguments) }
        guard !tests.isEmpty else { return nil }
        var limit = SearchLimit { figures in tests.allSatisfy { $0(figures) } }
        // All of them hold if the least probable one does (Berger, Technometrics 24, 1982).
        if isProved { limit.pValue = { figures in pValues.map { $0(figures) }.max() ?? 1 } }
        return limit
    }

    private static func mode(_ arguments: ParsedArguments) throws(CommandFailure) -> SearchQuestion.Mode {
        if arguments.isSet(exempt) { return .narrowestExemption }
        guard let key = arguments[narrowestFilter] else {
            let most = arguments[maximumEdits]
            return arguments[loosest] ? .loosestPolicy(atMost: most) : .fewestEdits(atMost: most)
        }
        guard arguments.isSet(reject) else {
            throw .usage("a filter rejects, but the expressions reject nothing", hint: "give `\(reject.name)`")
        }
        guard NarrowestFilter.takes(key) else {
            throw .usage(
                "`\(narrowestFilter.name)` takes an attribute, not \(key.asTyped)",
                hint: "policies reject flags")
        }
        return .narrowestFilter(key: key)
    }

    private static func expression(
        _ option: Option<String?>, _ arguments: ParsedArguments
    ) throws(CommandFailure) -> RecordExpression? {
        guard let text = arguments[option] else { return nil }
        let selected = try ExpressionOptions.expression(text, of: option, within: arguments.reach)
        guard !selected.needsLabels || arguments.isSet(LabelOptions.labels) else {
            throw .usage("`\(option.name)` with a label needs `\(LabelOptions.labels.name)`")
        }
        return selected
    }
}
