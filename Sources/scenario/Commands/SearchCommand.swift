internal import Analysis
internal import Documents
internal import PolicyEngine
internal import Replay
internal import Reports

/// `scenario search`: the fewest edits that reject what has to be rejected and keep what has to be kept.
enum SearchCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "search",
        summary: "Find the fewest edits of an account that reject some captured devices and keep others.",
        operands: .files("CAPTURE", "A capture, plain, .gz or .zst."),
        options: [
            account, .policy, .change, reject, keep, maximumEdits, maximumRejected.option, loosest, narrowestFilter,
            holdOut, ConfidenceOption.option, LabelOptions.labels, LabelOptions.caught.option,
            LabelOptions.blocked.option, timeout,
            formatOption,
            .output, .jobs,
        ] + OptionDefinition.captureReading + [.noProgress],
        discussion: [
            """
            The edits are those of `scenario whatif`: presets, reject flags, filters and their actions, device entries. An EXPR \
            selects attestations: flag:NAME, did:ID, did:@FILE, label:bad, verdict:pass, KEY=VALUE and KEY~REGEX, joined by \
            and, or, not and brackets. Each answer was compared with the account as it is.
            """,
            ConfidenceOption.discussion + """
                 The intervals of all answers hold together. Answers are chosen by their figures; with --holdout their figures \
                are those of other attestations, and a limit of a share takes the answers that these prove to be within it.
                """,
            "Exits with 4 when no such edits are found, and with 6 when the search takes too long.",
        ],
        examples: [
            "scenario search day.jsonl --account prod.yaml --reject flag:frida --keep 'not flag:frida'":
                "The edits that reject devices with Frida, and no others.",
            "scenario search day.jsonl --account prod.yaml --labels known.csv --catch 90% --max-good-blocked 0.1%":
                "The fewest edits that catch nine of ten bad devices and block almost no good one.",
        ]
    )

    private static let account = OptionDefinition.account.described(
        as: "Edit the account in FILE; required, and new is a new one.")

    private static let reject = OptionDefinition(
        "--reject", "Attestations that EXPR selects must fail.", .text(placeholder: "EXPR"))

    private static let keep = OptionDefinition(
        "--keep", "Attestations that EXPR selects must pass.", .text(placeholder: "EXPR"))

    private static let maximumEdits = OptionDefinition(
        "--max-edits", "Make at most K edits, by default 2.", .integer(placeholder: "K", in: 0...4))

    private static let maximumRejected = Limit<(devices: Int, all: Int)>(
        "--max-newly-rejected",
        summary: "Newly reject at most this number of other devices, or this share of all devices."
    ) { LimitedFigure(count: $0.devices, all: $0.all, unit: "devices") }

    private static let loosest = OptionDefinition(
        "--loosest", "Edit the policy alone, and prefer answers that reject the fewest other devices.")

    private static let narrowestFilter = OptionDefinition(
        "--narrowest-filter",
        "Add one filter on the attribute KEY, and prefer answers that reject the fewest other devices.",
        .text(placeholder: "KEY"),
        relations: [.excludes([loosest.given, maximumEdits.given], reason: ", which adds one filter")])

    private static let holdOut = OptionDefinition(
        "--holdout", "Search in what is before INSTANT, such as 2020-07-23T10:00:00Z, and report on what is after it.",
        .text(placeholder: "INSTANT"))

    private static let timeout = OptionDefinition(
        "--timeout", "Give up after DURATION, by default 1m.", .duration(least: 1))

    private static let formatOption = OptionDefinition.format(PagedFormat.self)

    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        var limit: SearchQuestion.Limit?
        if let allows = maximumRejected.test(arguments) { limit = { allows((devices: $0, all: $1)) } }
        let seconds = arguments.seconds(of: timeout) ?? CaptureSearch.usualSeconds
        let goal = LabelOptions.goal(arguments)
        guard arguments.isSet(reject) || arguments.isSet(keep) || goal != nil else {
            throw UsageError("there is no expression", hint: "give `\(reject.name)`, `\(keep.name)` or both")
        }
        try refuseOpenExpression(arguments)
        let mode = try mode(arguments)
        var request = try CaptureOptions.request(arguments)
        if let reason = request.rereadingRefusal {
            throw UsageError("`search` reads captures more than once, and \(reason)")
        }
        let (rejected, kept) = (try expression(reject, arguments), try expression(keep, arguments))
        try AccountOptions.requireAccount(arguments)
        var diagnostics = Diagnostics()
        let labels = LabelOptions.labels(arguments, console, &diagnostics)
        var question = SearchQuestion(
            reject: rejected, keep: kept, mode: mode, limit: limit, labels: labels, goal: goal)
        try sample(&question, arguments)
        let account = AccountOptions.account(arguments, diagnostics: &diagnostics)
        console.show(diagnostics)
        guard let account, !diagnostics.hasErrors else { return .invalidInput }
        request.account = account
        let (search, result) = console.following(arguments) { progress in
            var search = CaptureSearch(question, request, seconds: seconds, progress: progress)
            let result = search.run()
            return (search, result)
        }
        console.show(search.diagnostics)
        for reason in search.leftOut { console.show(warning: "a filter is left out: \(reason)") }
        switch result {
        case .failure(let failure):
            if let message = failure.message(limit: seconds) { console.show(error: message) }
            return status(of: failure)
        case .success(let found):
            guard ReportOutput.write(found, as: formatOption, arguments, of: definition, console) else {
                return .invalidInput
            }
            return found.answers.isEmpty ? .limitExceeded : .success
        }
    }

    // Without quotes, a shell makes captures of all but the first condition.
    private static func refuseOpenExpression(_ arguments: ParsedArguments) throws(UsageError) {
        let joining = arguments.operands.first { ExpressionWord.joining($0) != nil && !FileLocation($0).isThere }
        guard let joining else { return }
        throw UsageError(
            "\(UsageError.quote(joining)) is no capture",
            hint: "an expression with spaces is in quotes: `\(reject.name) 'flag:frida and flag:rooted'`")
    }

    private static func status(of failure: SearchFailure) -> ExitStatus {
        switch failure {
        case .refused, .contradiction, .noFilter: .invalidInput
        case .nothingSelected, .nothingHeldOut, .unlabelled: .nothingRan
        case .late, .unsearched, .leftOut, .disagreement: .notDecided
        }
    }

    // The part on which answers are reported, and the level of intervals.
    private static func sample(_ question: inout SearchQuestion, _ arguments: ParsedArguments) throws(UsageError) {
        if let text = arguments.value(of: holdOut) {
            guard let start = Instant(rfc3339: text) else {
                throw UsageError(
                    "`\(holdOut.name)` takes an instant, not \(UsageError.quote(text))",
                    hint: "such as `2020-07-23T10:00:00Z`")
            }
            question.holdOut = start
        }
        let option = maximumRejected.option
        question.confidence = try ConfidenceOption.level(arguments, testing: [option])
        guard question.confidence != nil, arguments.isSet(option) else { return }
        guard question.holdOut != nil else {
            throw UsageError(
                "`\(option.name)` with `\(ConfidenceOption.option.name)` needs `\(holdOut.name)`",
                hint: "answers are chosen by the attestations that would prove the limit")
        }
        question.certainLimit = ConfidenceOption.share(of: option, arguments)
    }

    private static func mode(_ arguments: ParsedArguments) throws(UsageError) -> SearchQuestion.Mode {
        guard let key = arguments.value(of: narrowestFilter) else {
            let most = arguments.integer(of: maximumEdits) ?? SearchQuestion.Mode.usualEdits
            return arguments.isSet(loosest) ? .loosestPolicy(atMost: most) : .fewestEdits(atMost: most)
        }
        guard arguments.isSet(reject) else {
            throw UsageError("a filter rejects, but the expressions reject nothing", hint: "give `\(reject.name)`")
        }
        guard NarrowestFilter.takes(key) else {
            throw UsageError(
                "`\(narrowestFilter.name)` takes an attribute, not \(UsageError.quote(key))",
                hint: "policies reject flags")
        }
        return .narrowestFilter(key: key)
    }

    private static func expression(
        _ option: OptionDefinition, _ arguments: ParsedArguments
    ) throws(UsageError) -> RecordExpression? {
        guard let text = arguments.value(of: option) else { return nil }
        let selected = try parsed(text, option, within: arguments.reach)
        guard !selected.needsLabels || arguments.isSet(LabelOptions.labels) else {
            throw UsageError("`\(option.name)` with a label needs `\(LabelOptions.labels.name)`")
        }
        return selected
    }

    private static func parsed(
        _ text: String, _ option: OptionDefinition, within boundary: FileBoundary
    ) throws(UsageError) -> RecordExpression {
        do throws(RecordExpressionError) {
            return try RecordExpression(text) { path throws(RecordExpressionError) in
                guard boundary.contains(path) else { throw .unreadable(path) }
                let bytes: [UInt8]
                do throws(FileFailure) {
                    bytes = try TextFile.bytes(path: path)
                } catch {
                    throw .unreadable(path, error)
                }
                return bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
            }
        } catch {
            throw UsageError("`\(option.name)`: \(error.description)", hint: error.hint)
        }
    }
}

extension RecordExpressionError {
    fileprivate static func unreadable(_ path: String, _ failure: FileFailure? = nil) -> RecordExpressionError {
        let reason = failure.map { ": \($0.description)" } ?? ""
        return RecordExpressionError("\(UsageError.quote(path)) cannot be read\(reason)", hint: failure?.hint)
    }
}
