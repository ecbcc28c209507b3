internal import Accounts
internal import Analysis
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports
internal import Scenarios

/// `scenario diff`: the effect of a change.
enum DiffCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "diff",
        summary: "Report the effect of a change of policy on captured or simulated devices.",
        operands: .files("PATH", "A capture, plain, .gz or .zst; - is standard input. Or one scenario, a .yaml file."),
        options: options,
        choice: OptionChoice(
            options: [change, Options.changes, policy, candidateOption, CommittedAccounts.base],
            missing: "there is no change"),
        discussion: [
            """
            The account before is --account (`new` is a new one), or that of the scenario. With --base both accounts are read from \
            git. Each side keeps its own memory of devices.
            """,
            """
            A device that would newly be rejected fails at least once where it passed: it loses a token, a secure string or a \
            custom JWT. One that would newly be blocked has a request no longer accepted. If a limit is exceeded, the \
            report is still written, and the command exits with 4. A device that could not be evaluated counts as \
            changed, and a change that no capture shows exceeds every limit.
            """,
            ConfidenceOption.discussion,
        ],
        examples: [
            #"scenario diff day.jsonl.gz --account prod.yaml --change "policy -set default,strict,risk""#:
                "The effect of the command on the devices of that day.",
            "scenario diff day.txt --account prod.yaml --candidate next.yaml --max-newly-rejected 0.1%":
                "A limit for CI: exits with 4 when more than 0.1 % of the devices would newly be rejected.",
            #"scenario diff day.txt -a prod.yaml --policy default,strict,risk --who os-version,ip/16,flags"#:
                "The groups of devices that would newly be rejected far more often than the others.",
            "scenario diff day.txt --account prod.yaml --base origin/main --format markdown":
                "The effect of a branch on the account, for its change request.",
        ]
    )

    private static let options: [any CommandOption] = [
        [
            account, change, Options.changes, policy, candidateOption, CommittedAccounts.base, CommittedAccounts.head,
            timeOption, Options.fetches, LabelOptions.labels, LabelOptions.cost,
        ], ChangeLimits.options,
        [
            GroupOptions.who, GroupOptions.order, GroupOptions.count, CountingOptions.top, GroupOptions.since,
            ConfidenceOption.option, Options.allowExcess, ComparisonBaseline.option, formatOption, Options.outputs,
            DecisionOptions.ofComparison, DecisionOptions.with,
            ReportOrigins.digests,
            PartialOptions.shard,
            PartialOptions.partial, Options.seed, Options.jobs,
        ], NarrowingOptions.all, RedactionOptions.all, [RedactionOptions.show], Options.captureReading,
        [Options.allowOutside, Options.noProgress],
    ].flatMap(\.self)

    static let account = Options.account.described(
        as: "The account before the change, in FILE; required, except for a scenario, which has one.")

    static let change = Options.change.described(
        as: "Change the account by a management command, in the order given.")

    static let policy = Options.policy.described(as: "Change the account's security policy to SPEC.")

    static let candidateOption = Option(
        "--candidate", "Compare with the account in FILE.", .file(.readsAccount), in: .change)

    /// The rule that there is one change, for commands that compare no commits.
    static let choiceOfChange = OptionChoice(
        options: [change, Options.changes, policy, candidateOption], missing: "there is no change")

    static let timeOption = Option(
        "--at", "Make the change DURATION after the start of the scenario; by default it is in force from the start.",
        .duration(least: 0), in: .change)

    private typealias Refusals = [(option: any CommandOption, words: String, hint: String?)]

    // The options that a capture refuses.
    private static let scenarioOptions: Refusals = [
        (ChangeLimits.blocked.option, "needs a scenario", "a capture contains no requests"),
        (timeOption, "needs a scenario", "the records of a capture are in the past"),
    ]

    // The options that a scenario refuses.
    private static let captureOptions: Refusals =
        [
            (DecisionOptions.ofComparison, "of `diff` needs a capture", "`scenario run` writes those of a scenario"),
            (
                LabelOptions.labels, "is for captures, and a scenario is compared",
                "the groups of a scenario say what its devices are"
            ),
            (PartialOptions.shard, "is for captures, and a scenario is compared as a whole", nil),
            (PartialOptions.partial, "is for captures, and a scenario is compared as a whole", nil),
            (ConfidenceOption.option, "needs a capture", "the devices of a scenario are no sample"),
        ]
        + NarrowingOptions.all.map { ($0, "is for captures, and a scenario is compared as a whole", nil) }
        + [GroupOptions.who, GroupOptions.count, GroupOptions.since].map { option in
            (option, "needs a capture", "`scenario generate` writes that of a scenario")
        }

    static let formatOption = Options.format(
        ComparisonReport.forms,
        summary: "Write the report in this form; by default text. Markdown is made for change requests.")

    /// The result of a comparison, with its accounts.
    private struct Compared {
        var summary: ComparisonSummary
        /// The account before and the one after.
        let accounts: [Account]
        var timeline: ChangeTimeline?
        /// Why no client of a scenario met the change; `nil` where one did.
        var unmet: String?
        var part: ComparisonPart?
        /// The difference from an older capture.
        var drift: DriftFigures?
    }

    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        try ChangeLimits.checkReason(arguments)
        let shard = try PartialOptions.shard(arguments)
        try CommittedAccounts.check(arguments)
        let confidence = try ConfidenceOption.level(arguments, testing: ChangeLimits.tested)
        _ = try LabelOptions.cost(arguments)
        let scenarios = arguments.operands.filter(ScenarioFiles.isScenario)
        guard scenarios.isEmpty || arguments.operands.count == 1 else {
            throw UsageError("a scenario is compared alone", hint: "captures may be many")
        }
        for (option, words, hint) in scenarios.isEmpty ? scenarioOptions : captureOptions where arguments.isSet(option)
        {
            throw UsageError("`\(option.name)` \(words)", hint: hint)
        }
        if scenarios.isEmpty { try AccountOptions.requireAccount(arguments) }
        let time = arguments[timeOption]
        var diagnostics = Diagnostics()
        let compared =
            if let path = scenarios.first {
                compareScenario(path, at: time, arguments, &diagnostics)
            } else {
                try compareCaptures(arguments, of: shard, console, &diagnostics)
            }
        diagnostics.merge(compared?.summary.diagnostics ?? Diagnostics())
        console.show(diagnostics)
        guard !diagnostics.hasErrors, let compared, var comparison = compared.summary.comparison else {
            return .invalidInput
        }
        if let unmet = compared.unmet {
            console.show(error: "nothing was compared: \(unmet)")
            return .nothingRan
        }
        if var part = compared.part, arguments.isSet(PartialOptions.partial) {
            part.shown = compared.summary.profiles?.shown
            let isWritten = PartialOptions.write(
                .comparison(part), of: shard, account: "", accounts: compared.accounts, arguments, definition, console)
            return isWritten ? .success : .invalidInput
        }
        comparison.hits = GroupOptions.hits(compared.summary.profiles, at: confidence, arguments, console)
        comparison.valueHits = GroupOptions.valueHits(compared.summary.profiles, arguments, console)
        comparison.drift = compared.drift
        return try DiffReport(
            comparison, compared.timeline, account: AccountDigest.text(of: compared.accounts[0]), arguments, console
        ).finish()
    }
}

// MARK: Comparisons

extension DiffCommand {
    private static func compareCaptures(
        _ arguments: ParsedArguments, of shard: DeviceShard?, _ console: Console, _ diagnostics: inout Diagnostics
    ) throws(UsageError) -> Compared? {
        var request = try CaptureOptions.request(arguments)
        let narrowing = try NarrowingOptions.narrowing(arguments)
        request.deviceShard = shard
        request.redactor = console.redaction?.redactor
        try DecisionOptions.apply(arguments, to: &request, areColumns: true)
        request.labels = LabelOptions.labels(arguments, console, &diagnostics)
        var review = FilterReview()
        guard let accounts = accounts(before: nil, arguments, &review, &diagnostics), !diagnostics.hasErrors else {
            return nil
        }
        request.account = accounts.before
        guard NarrowingOptions.narrow(&request, to: narrowing, labels: request.labels, arguments, console) else {
            return nil
        }
        let line = ProgressLine(console: console, isShown: !arguments[Options.noProgress])
        var question = ComparisonRequest(replay: request, after: accounts.after, decidedRules: accounts.decidedRules)
        if arguments.isSet(ConfidenceOption.option) || arguments.isSet(PartialOptions.partial) {
            question.turnsNothing = IdleChange.isKnown(from: accounts.before, to: accounts.after)
        }
        let grouping = arguments.isSet(GroupOptions.who) ? GroupOptions.who : GroupOptions.count
        question.profileKeys = try GroupOptions.keys(grouping, arguments)
        let older = try GroupOptions.older(than: request, arguments)
        let comparison = CaptureComparison(question, progress: line.progress)
        defer { line.clear() }
        let (part, summary) = comparison.runPart()
        var compared = Compared(summary: summary, accounts: [accounts.before, accounts.after], part: part)
        warn(of: accounts.before.filters + accounts.after.filters, review, &compared.summary)
        if let older, !summary.diagnostics.hasErrors {
            compared.drift = GroupOptions.drift(
                of: request, since: older, at: try ConfidenceOption.level(arguments), &diagnostics, line.progress)
        }
        return compared
    }

    private static func warn(of filters: [Filter], _ review: FilterReview, _ outcome: inout ComparisonSummary) {
        guard outcome.comparison != nil else { return }
        outcome.diagnostics.add(review.warnings(on: filters, attributes: outcome.attributes))
    }

    /// A scenario and its account, which has to be the only one.
    static func scenario(
        _ path: String, toBe compared: String, _ arguments: ParsedArguments, _ diagnostics: inout Diagnostics
    ) -> (Scenario, Account)? {
        guard let scenario = ScenarioLoader.load(path: path, within: arguments.boundary(), diagnostics: &diagnostics)
        else { return nil }
        return scenario.onlyAccount(toBe: compared, &diagnostics).map { (scenario, $0) }
    }

    private static func compareScenario(
        _ path: String, at time: Int?, _ arguments: ParsedArguments, _ diagnostics: inout Diagnostics
    ) -> Compared? {
        guard let (scenario, own) = scenario(path, toBe: "compared", arguments, &diagnostics) else { return nil }
        var review = FilterReview()
        // A domain that the change adds gets the pin that its leaf has then (R18.2a).
        let chains = scenario.presentedChains(at: time ?? 0)
        guard let accounts = accounts(before: own, presenting: chains, arguments, &review, &diagnostics) else {
            return nil
        }
        let seed = arguments[Options.seed]
        let comparison = ScenarioComparison(
            scenario, before: accounts.before, after: accounts.after, changeTime: time, seed: seed,
            decidedRules: accounts.decidedRules)
        if let refusal = comparison.refusal {
            diagnostics.add(refusal)
            return nil
        }
        let outcome = comparison.run()
        var compared = Compared(
            summary: outcome.summary, accounts: [accounts.before, accounts.after], timeline: outcome.timeline,
            unmet: outcome.unmet)
        // Those of the scenario's own account were reported when it was read.
        let filters = (accounts.before.filters + accounts.after.filters).filter { !own.filters.contains($0) }
        warn(of: filters, review, &compared.summary)
        return compared
    }

    // The devices of a scenario have their flags in the numbers of its own account; a capture says them by name.
    static func accounts(
        before own: Account?, presenting chains: KnownChains = .unknown, _ arguments: ParsedArguments,
        _ review: inout FilterReview, _ diagnostics: inout Diagnostics
    ) -> ChangedAccount? {
        if arguments.isSet(CommittedAccounts.base) {
            return CommittedAccounts.read(arguments, besides: own, &review, &diagnostics)
                .map { ChangedAccount($0.before, $0.after) }
        }
        guard let path = arguments[candidateOption] else {
            return AccountOptions.changed(
                arguments, besides: own, presenting: chains, review: &review, diagnostics: &diagnostics)
        }
        let before = AccountOptions.unchanged(arguments, besides: own, review: &review, diagnostics: &diagnostics)
        let other = own == nil ? nil : before
        let after = AccountOptions.load(
            path, besides: other, within: arguments.reach, review: &review, diagnostics: &diagnostics)
        guard let before, let after else { return nil }
        return ChangedAccount(before, after)
    }
}

// Results that clients of a scenario get beside tokens (R19a).
extension DiffCommand {
    /// The warnings of what changes for the worse though no limit counts it (R19a.2).
    static func unlimitedChanges(_ comparison: Comparison, _ arguments: ParsedArguments) -> [String] {
        (comparison.changes.clients?.changing(.worse) ?? []).compactMap { part in
            let sentence = "\(comparison.sentence(of: part)), and no limit counts them"
            let limit: Limit<ChangeLimits.Subject>? =
                switch part.kind {
                case .token, .secureString, .customToken: ChangeLimits.rejected
                case .request: ChangeLimits.blocked
                case .proof: nil
                }
            guard let option = limit?.option else { return sentence }
            return arguments.isSet(option) ? nil : "\(sentence); `\(option.name)` does"
        }
    }
}
