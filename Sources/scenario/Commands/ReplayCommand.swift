internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports

/// `scenario replay`: captures through an account.
enum ReplayCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "replay",
        summary: "Replay captured attestations through an account.",
        operands: .files("CAPTURE", "A capture, plain, .gz or .zst; - is standard input."),
        options: [
            Options.account, Options.policy, Options.change, Options.fetches, ConfidenceOption.ofReplays,
            ChangeLimits.unevaluated.option,
            formatOption, Options.outputs, DecisionOptions.ofReplay, DecisionOptions.with,
            tokensOption,
            domainOption,
            CountingOptions.count, CountingOptions.top, LabelOptions.labels, LabelOptions.cost, Options.series,
            Options.step,
            ReportOrigins.digests, PartialOptions.shard,
            PartialOptions.partial, Options.jobs,
        ] + NarrowingOptions.all + RedactionOptions.all + Options.captureReading + [Options.noProgress],
        discussion: [
            """
            The report says how many of the captured verdicts the engine reproduces. If a record is malformed, all \
            records are still read, there is no report, and the exit status is 2.
            """,
            ConfidenceOption.discussion,
        ],
        examples: [
            "scenario replay --account account.yaml capture.txt":
                "The decisions of the account on each captured attestation.",
            "scenario replay day.txt --count ip,app-version --top 5":
                "The five commonest addresses and versions, and how many of their attestations fail.",
            #"scenario replay --account prod.yaml --change "policy -set default,allow-root,risk" day.gz"#:
                "The same under another policy.",
        ]
    )

    private static let formatOption = Options.format(Report.forms)

    private static let tokensOption = Option(
        "--tokens", "Write the token of every attestation to FILE, a line each, in input order; - is standard output.",
        .file(.writes), in: .output)

    private static let domainOption = Option(
        "--domain", "Write tokens for this API domain; required if the account serves none or several.",
        .text("DOMAIN"), in: .output, relations: [.needs([tokensOption.given])])

    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        let shard = try PartialOptions.shard(arguments)
        _ = try ConfidenceOption.level(arguments)
        let counting = try CountingOptions.request(arguments)
        let cost = try LabelOptions.cost(arguments)
        var request = try CaptureOptions.request(arguments)
        let narrowing = try NarrowingOptions.narrowing(arguments)
        var diagnostics = Diagnostics()
        var review = FilterReview()
        let account = AccountOptions.account(arguments, review: &review, diagnostics: &diagnostics)
        request.labels = LabelOptions.labels(arguments, console, &diagnostics)
        console.show(diagnostics)
        guard let account, !diagnostics.hasErrors else { return .invalidInput }
        (request.account, request.deviceShard) = (account, shard)
        request.keepsSeries = arguments[Options.series] || (needsSeries(arguments) && counting == nil)
        try DecisionOptions.apply(arguments, to: &request)
        request.counting = counting
        request.redactor = console.redaction?.redactor
        request.attestationOption =
            [
                Options.fetches, Options.decisions, tokensOption, Options.policy, Options.change, Options.series,
                CountingOptions.count,
                ConfidenceOption.option, LabelOptions.labels, NarrowingOptions.only, NarrowingOptions.between,
            ].first(where: arguments.isSet)?.name
        if let path = arguments[tokensOption] {
            guard let domain = try tokenDomain(arguments, account, console) else { return .invalidInput }
            (request.tokensPath, request.tokenDomain) = (path, domain)
        }
        guard NarrowingOptions.narrow(&request, to: narrowing, labels: request.labels, arguments, console) else {
            return .invalidInput
        }
        return try replay(request, review, cost, arguments, console)
    }

    private static func needsSeries(_ arguments: ParsedArguments) -> Bool {
        arguments.reports.contains(where: \.form.needsSeries)
    }

    private static func replay(
        _ request: ReplayRequest, _ review: FilterReview, _ cost: LabelCost?, _ arguments: ParsedArguments,
        _ console: Console
    ) throws(UsageError) -> ExitStatus {
        let isPart = arguments.isSet(PartialOptions.partial)
        var (part, outcome) = console.following(arguments) { progress in
            isPart ? request.runPart(progress: progress) : (nil, request.run(progress: progress))
        }
        if (outcome.figures?.attestations ?? 0) > 0 {
            let filters = request.account.filters
            outcome.diagnostics.add(review.warnings(on: filters, attributes: outcome.attributes))
        }
        outcome.diagnostics.add(CountingOptions.warnings(outcome.figures?.frequencies ?? []))
        console.show(outcome.diagnostics)
        guard !outcome.diagnostics.hasErrors, let figures = outcome.figures else { return .invalidInput }
        if let part {
            let isWritten = PartialOptions.write(
                .replay(part), of: request.deviceShard, account: request.account.name, accounts: [request.account],
                arguments, definition, console)
            return isWritten ? .success : .invalidInput
        }
        var report = Report(figures: figures, fetches: outcome.fetches)
        report.summaries = AccountSummary.all(of: request.account, report.figures)
        (report.account, report.version) = (request.account.name, ToolVersion.current)
        report.labelCost = cost
        return try finish(report, arguments, console)
    }

    /// Writes a report, and returns the exit status.
    ///
    /// - Parameters:
    ///   - arguments: The arguments that were typed, or would be on a machine that does all parts.
    ///   - carried: The files that parts were made from, according to them; `nil` looks at the files.
    static func finish(
        _ report: Report, _ arguments: ParsedArguments, _ console: Console,
        carried: PartialResult.TypedCommand? = nil
    ) throws(UsageError) -> ExitStatus {
        try NarrowingOptions.checkForms(arguments)
        var report = report
        report.confidence = try ConfidenceOption.level(arguments)
        let figures = report.figures
        let isWritten = ReportOutput.writeEach(arguments, of: definition, console) { write(report, $0, $1, carried) }
        guard isWritten else { return .invalidInput }
        guard figures.attestations > 0 || (report.fetches?.total ?? 0) > 0 else {
            console.show(
                error:
                    "nothing to evaluate: the captures contain no valid record\(NarrowingOptions.remainder(arguments))")
            return .nothingRan
        }
        let limit = ChangeLimits.unevaluated.check(
            (figures.unevaluated.devices, figures.devices.unique), arguments)
        return limit?.show(console) == true ? .limitExceeded : .success
    }

    private static func write(
        _ report: Report, _ arguments: ParsedArguments, _ console: Console,
        _ carried: PartialResult.TypedCommand?
    ) -> Bool {
        var report = report
        report.narrowed = NarrowingOptions.shown(arguments, console)
        // Another report may need or show them.
        if !arguments[Options.series], !arguments.form.needsSeries { report.figures.series = nil }
        report.figures.hideValues(by: console.redaction?.redactor)
        if arguments.form == .openmetrics {
            return ReportOutput.writeSamples(of: report, arguments: arguments, console: console)
        }
        var setting = ReportOutput.setting(arguments, console)
        setting.origin = ReportOrigins.origin(
            arguments, of: definition, files: arguments.operands, carried: carried,
            isNeeded: arguments.form == .html, redactor: setting.redactor,
            explanation: ExplanationLine.beginning(arguments, console.redaction))
        return ReportOutput.write(
            report.bytes(as: arguments.form, in: setting), arguments: arguments, console: console)
    }

    // The domain that tokens are for; `nil` after showing why there are none.
    private static func tokenDomain(
        _ arguments: ParsedArguments, _ account: Account, _ console: Console
    ) throws(UsageError) -> String? {
        let served = account.apiDomains.filter { $0.type != .pinOnly }.map(\.name)
        guard let domain = arguments[domainOption] ?? (served.count == 1 ? served[0] : nil) else {
            throw UsageError(
                "option `--domain` is missing", hint: "tokens are for one domain; `--tokens` needs to know which")
        }
        let hint = APIDomain.isName(domain) ? nil : "a domain alone, without path or `?measurement`"
        let minter = console.attempt(in: domainOption.name, hint: hint) { () throws(TokenIssueError) in
            try TokenMinter(account: account, domain: domain)
        }
        return minter == nil ? nil : domain
    }
}
