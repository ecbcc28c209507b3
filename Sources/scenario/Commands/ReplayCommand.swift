internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports

/// `scenario replay`: captures through an account.
extension Command {
    static let replay = Command(
        "replay", "Replay captured attestations through an account.",
        .files("CAPTURE", "A capture, plain, .gz or .zst; - is standard input."),
        options: [
            Options.account, Options.policy, Options.change, AssumptionOptions.assume, AssumptionOptions.file,
            Options.fetches,
            ConfidenceOption.ofReplays,
            ChangeLimits.unevaluated.option, formatOption, Options.outputs, DecisionOptions.ofReplay,
            DecisionOptions.with, tokensOption, domainOption, CountingOptions.count, CountingOptions.top,
            LabelOptions.labels, LabelOptions.cost, Options.series, Options.step, Options.digests,
            PartialOptions.shard, PartialOptions.partial, Options.jobs,
        ] + NarrowingOptions.all + RedactionOptions.all + Options.captureReading + [Options.noProgress],
        discussion: """
            The report says how many of the captured verdicts the engine reproduces. If a record is malformed, all
            records are still read, there is no report, and the exit status is 2.

            \(AssumptionOptions.discussion)

            \(ConfidenceOption.discussion)
            """,
        examples: [
            "scenario replay --account account.yaml capture.txt":
                "The decisions of the account on each captured attestation.",
            "scenario replay day.txt --count ip,app-version --top 5":
                "The five commonest addresses and versions, and how many of their attestations fail.",
            #"scenario replay --account prod.yaml --change "policy -set default,allow-root,risk" day.gz"#:
                "The same under another policy.",
        ],
        reports: [Report.kind], takesSettings: true, answer: answer)

    private static let formatOption = Options.format(Report.forms)
    private static let tokensOption = Option(
        "--tokens", "Write the token of every attestation to FILE, a line each, in input order; - is standard output.",
        .file(.writes), in: .output)
    private static let domainOption = Option(
        "--domain", "Write tokens for this API domain; required if the account serves none or several.",
        .text("DOMAIN"), in: .output, relations: [.needs([tokensOption.given])])

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        let shard = try PartialOptions.shard(call.arguments)
        _ = try ConfidenceOption.level(call.arguments)
        let counting = try CountingOptions.request(call.arguments)
        let cost = try LabelOptions.cost(call.arguments)
        var question = try CaptureQuestion(call)
        let account = try question.readAccounts().after
        (question.request.deviceShard, question.request.counting) = (shard, counting)
        try apply(call, of: account, to: &question.request)
        var narrowed = try question.narrowed(question.request)
        let concerned = try question.concerned(narrowed)
        narrowed.assumed = concerned?.drawn
        let (part, outcome) = try replay(narrowed, question.review, call)
        guard let figures = outcome.figures else { throw .shown(.invalidInput) }
        if let part {
            return try PartialOptions.write(.replay(part), of: shard, account: account.name, accounts: [account], call)
        }
        var report = Report(figures: figures, fetches: outcome.fetches)
        report.summaries = AccountSummary.all(of: account, report.figures)
        (report.account, report.labelCost) = (account.name, cost)
        if let concerned { report.assumed = try assumed(concerned, in: narrowed, by: account, call) }
        return try finishReplay(report, call)
    }

    // Applies the options that are about the replay itself.
    private static func apply(
        _ call: CommandCall, of account: Account, to request: inout ReplayRequest
    ) throws(CommandFailure) {
        let needsSeries = call.arguments.reports.contains(where: \.form.needsSeries)
        request.keepsSeries = call[Options.series] || (needsSeries && request.counting == nil)
        try DecisionOptions.apply(call.arguments, to: &request)
        request.attestationOption = ofAttestations.first(where: call.isSet)?.name
        if let path = call[tokensOption] {
            (request.tokensPath, request.tokenDomain) = (path, try tokenDomain(account, call))
        }
    }

    // Replays the captures, and shows what is wrong with them.
    private static func replay(
        _ request: ReplayRequest, _ review: FilterReview, _ call: CommandCall
    ) throws(CommandFailure) -> (part: ReplayPart?, outcome: ReplaySummary) {
        let isPart = call.isSet(PartialOptions.partial)
        var (part, outcome) = call.following { progress in
            isPart ? request.runPart(progress: progress) : (nil, request.run(progress: progress))
        }
        if (outcome.figures?.attestations ?? 0) > 0 {
            outcome.diagnostics.add(review.warnings(on: request.account.filters, attributes: outcome.attributes))
        }
        outcome.diagnostics.add(CountingOptions.warnings(outcome.figures?.frequencies ?? []))
        try call.require(outcome.diagnostics)
        return (part, outcome)
    }

    // The figures over all draws of the devices that assumptions are about.
    private static func assumed(
        _ concerned: ConcernedDevices, in request: ReplayRequest, by account: Account, _ call: CommandCall
    ) throws(CommandFailure) -> AssumptionFigures {
        var request = request
        request.askOnlyForFigures()
        let asked = ComparisonRequest(replay: request, after: account)
        let effect = call.following { AssumptionComparison(asked, concerned, progress: $0).run() }
        if let assumed = effect.comparison?.assumed { return assumed }
        try call.require(effect.diagnostics)
        throw .shown(.invalidInput)
    }

    // The options that are about attestations, which a list of fetches does not have.
    private static let ofAttestations: [any CommandOption] = [
        Options.fetches, Options.decisions, tokensOption, Options.policy, Options.change, Options.series,
        CountingOptions.count, ConfidenceOption.option, LabelOptions.labels, NarrowingOptions.only,
        NarrowingOptions.between, AssumptionOptions.assume, AssumptionOptions.file,
    ]

    /// Writes the report of a replay, or of parts of one that were put together.
    ///
    /// - Parameters:
    ///   - call: The call that was typed, or would be on a machine that does all parts.
    ///   - carried: The files that parts were made from, according to them; `nil` looks at the files.
    static func finishReplay(
        _ report: Report, _ call: CommandCall, carried: PartialResult.TypedCommand? = nil
    ) throws(CommandFailure) -> ExitStatus {
        try NarrowingOptions.checkForms(call.arguments)
        let level = try ConfidenceOption.level(call.arguments)
        let figures = report.figures
        try call.write(ReportSource(carried: carried, isExplained: true)) { call in
            var report = report
            (report.version, report.confidence) = (ToolVersion.current, level)
            report.narrowed = NarrowingOptions.shown(call)
            // Another report may need or show them.
            if !call[Options.series], !call.arguments.form.needsSeries { report.figures.series = nil }
            report.figures.hideValues(by: call.redactor)
            report.assumed?.hideValues(by: call.redactor)
            return report
        }
        guard figures.attestations > 0 || (report.fetches?.total ?? 0) > 0 else {
            let rest = NarrowingOptions.remainder(call.arguments)
            return call.end(nothing: "nothing to evaluate: the captures contain no valid record\(rest)")
        }
        let limit = ChangeLimits.unevaluated.check(
            (figures.unevaluated.devices, figures.devices.unique), call.arguments)
        return call.end(limits: [limit].compactMap(\.self))
    }

    // The domain that tokens are for, by which tokens can be made.
    private static func tokenDomain(_ account: Account, _ call: CommandCall) throws(CommandFailure) -> String {
        let served = account.apiDomains.filter { $0.type != .pinOnly }.map(\.name)
        guard let domain = call[domainOption] ?? (served.count == 1 ? served[0] : nil) else {
            throw .usage(
                "option `--domain` is missing", hint: "tokens are for one domain; `--tokens` needs to know which")
        }
        let hint = APIDomain.isName(domain) ? nil : "a domain alone, without path or `?measurement`"
        _ = try call.attempt(in: domainOption.name, hint: hint) { () throws(TokenIssueError) in
            try TokenMinter(account: account, domain: domain)
        }
        return domain
    }
}
