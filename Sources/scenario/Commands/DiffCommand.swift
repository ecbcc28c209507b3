internal import Accounts
internal import Analysis
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports
internal import Scenarios

/// `scenario diff`: the effect of a change.
extension Command {
    static let diff = Command(
        "diff", "Report the effect of a change of policy on captured or simulated devices.",
        .files("PATH", "A capture, plain, .gz or .zst; - is standard input. Or one scenario, a .yaml file."),
        options: options,
        choice: OptionChoice(
            options: ChangeOptions.choice.options + [CommittedAccounts.base], missing: ChangeOptions.choice.missing,
            mistaken: (
                AssumptionOptions.all, "without a change, `scenario replay --assume` shows what the signals do"
            )),
        discussion: """
            The account before is --account (`new` is a new one), or that of the scenario. With --base both accounts
            are read from git. Each side keeps its own memory of devices.

            A device that would newly be rejected fails at least once where it passed: it loses a token, a secure
            string or a custom JWT. One that would newly be blocked has a request no longer accepted. If a limit is
            exceeded, the report is still written, and the command exits with 4. A device that could not be
            evaluated counts as changed, and a change that no capture shows exceeds every limit.

            \(AssumptionOptions.discussion) A table has the change alone, the assumption alone, and both.

            \(ConfidenceOption.discussion)
            """,
        examples: [
            #"scenario diff day.jsonl.gz --account prod.yaml --change "policy -set default,strict,risk""#:
                "The effect of the command on the devices of that day.",
            "scenario diff day.txt --account prod.yaml --candidate next.yaml --max-newly-rejected 0.1%":
                "A limit for CI: exits with 4 when more than 0.1 % of the devices would newly be rejected.",
            #"scenario diff day.txt -a prod.yaml --policy default,strict,risk --who os-version,ip/16,flags"#:
                "The groups of devices that would newly be rejected far more often than the others.",
            "scenario diff day.txt --account prod.yaml --base origin/main --format markdown":
                "The effect of a branch on the account, for its change request.",
        ],
        reports: [ComparisonReport.kind], takesSettings: true, answer: answer)

    private static let options: [any CommandOption] = [
        [
            ChangeOptions.account, ChangeOptions.change, Options.changes, ChangeOptions.policy,
            ChangeOptions.candidate, CommittedAccounts.base, CommittedAccounts.head, AssumptionOptions.assume,
            AssumptionOptions.file, timeOption, Options.fetches,
            LabelOptions.labels, LabelOptions.cost,
        ], ChangeLimits.options,
        CaseOptions.all,
        [
            GroupOptions.who, GroupOptions.order, GroupOptions.count, CountingOptions.top, GroupOptions.since,
            ConfidenceOption.option, Options.allowExcess, ComparisonBaseline.option, formatOption, Options.outputs,
            DecisionOptions.ofComparison, DecisionOptions.with, Options.digests, PartialOptions.shard,
            PartialOptions.partial, Options.seed, Options.jobs,
        ], NarrowingOptions.all, RedactionOptions.all, [RedactionOptions.show], Options.captureReading,
        [Options.allowOutside, Options.noProgress],
    ].flatMap(\.self)

    private static let timeOption = Option(
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
        + AssumptionOptions.all.map {
            ($0, "is for captures, and a scenario says itself which flags devices have", nil)
        }
        + ([GroupOptions.who, GroupOptions.count, GroupOptions.since] as [any CommandOption] + CaseOptions.all).map {
            option in
            (option, "needs a capture", "`scenario generate` writes that of a scenario")
        }

    private static let formatOption = Options.format(
        ComparisonReport.forms,
        summary: "Write the report in this form; by default text. Markdown is made for change requests.")

    /// The result of a comparison, with its accounts.
    private struct Compared {
        var summary: ComparisonSummary
        let accounts: ChangedAccount
        var timeline: ChangeTimeline?
        /// Why no client of a scenario met the change; `nil` where one did.
        var unmet: String?
        var part: ComparisonPart?
        /// The difference from an older capture.
        var drift: DriftFigures?
        var parts = ChangeCase()

        /// Adds warnings about filters of the accounts.
        mutating func warn(of filters: [Filter], _ review: FilterReview) {
            guard summary.comparison != nil else { return }
            summary.diagnostics.add(review.warnings(on: filters, attributes: summary.attributes))
        }
    }

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        try ChangeLimits.checkReason(call.arguments)
        let shard = try PartialOptions.shard(call.arguments)
        try CommittedAccounts.check(call.arguments)
        let confidence = try ConfidenceOption.level(call.arguments, testing: ChangeLimits.tested)
        _ = try LabelOptions.cost(call.arguments)
        let scenario = try call.onlyScenario(toBe: "compared")
        for refusal in scenario == nil ? scenarioOptions : captureOptions where call.isSet(refusal.option) {
            throw .usage("`\(refusal.option.name)` \(refusal.words)", hint: refusal.hint)
        }
        if scenario == nil { try AccountOptions.requireAccount(call.arguments) }
        let compared =
            if let scenario { try compareScenario(scenario, call) } else { try compareCaptures(of: shard, call) }
        guard var comparison = compared.summary.comparison else { throw .shown(.invalidInput) }
        if let unmet = compared.unmet { throw call.failure("nothing was compared: \(unmet)", .nothingRan) }
        let (accounts, profiles) = (compared.accounts, compared.summary.profiles)
        if var part = compared.part, call.isSet(PartialOptions.partial) {
            part.shown = profiles?.shown
            return try PartialOptions.write(
                .comparison(part), of: shard, account: "", accounts: [accounts.before, accounts.after], call)
        }
        comparison.hits = GroupOptions.hits(profiles, at: confidence, call)
        comparison.valueHits = GroupOptions.valueHits(profiles, call)
        comparison.drift = compared.drift
        return try finishComparison(
            comparison, compared.timeline, parts: compared.parts, account: AccountDigest.text(of: accounts.before), call
        )
    }

    private static func compareCaptures(
        of shard: DeviceShard?, _ call: CommandCall
    ) throws(CommandFailure) -> Compared {
        var question = try CaptureQuestion(call)
        question.request.deviceShard = shard
        try CaseQuestion.check(question.request, call)
        var plain = question
        try DecisionOptions.apply(call.arguments, to: &question.request, areColumns: true)
        let accounts = try question.readAccounts()
        question.request.account = accounts.before
        plain.request.labels = question.request.labels
        let keys = try GroupOptions.keys(
            call.isSet(GroupOptions.who) ? GroupOptions.who : GroupOptions.count, call.arguments)
        let older = try GroupOptions.older(than: question.request, call.arguments)
        let level = try ConfidenceOption.level(call.arguments)
        let narrowed = try question.narrowed(question.request)
        let concerned = try question.concerned(narrowed)
        var asked = ComparisonRequest(replay: narrowed, after: accounts.after, decidedRules: accounts.decidedRules)
        if level != nil || call.isSet(PartialOptions.partial) {
            asked.turnsNothing = IdleChange.isKnown(from: accounts.before, to: accounts.after)
        }
        asked.profileKeys = keys
        var (compared, problems) = call.following { [asked] progress in
            compare(asked, concerned, accounts, since: older, at: level, progress)
        }
        compared.warn(of: accounts.before.filters + accounts.after.filters, question.review)
        problems.merge(compared.summary.diagnostics)
        try call.require(problems)
        if CaseOptions.all.contains(where: call.isSet), let comparison = compared.summary.comparison {
            compared.parts = try CaseQuestion.parts(accounts, comparison, plain)
        }
        return compared
    }

    // The comparison, and the problems of the older captures from which the difference is asked for.
    private static func compare(
        _ request: ComparisonRequest, _ concerned: ConcernedDevices?, _ accounts: ChangedAccount,
        since older: ReplayRequest?, at level: ConfidenceLevel?, _ progress: Progress
    ) -> (compared: Compared, problems: Diagnostics) {
        let (part, summary) =
            concerned.map { (nil, AssumptionComparison(request, $0, progress: progress).run()) }
            ?? CaptureComparison(request, progress: progress).runPart()
        var (compared, problems) = (Compared(summary: summary, accounts: accounts, part: part), Diagnostics())
        if let older, !summary.diagnostics.hasErrors {
            compared.drift = GroupOptions.drift(of: request.replay, since: older, at: level, &problems, progress)
        }
        return (compared, problems)
    }

    private static func compareScenario(_ path: String, _ call: CommandCall) throws(CommandFailure) -> Compared {
        try call.reading { diagnostics in
            guard let (scenario, own) = call.arguments.scenario(path, toBe: "compared", &diagnostics) else {
                return nil
            }
            var review = FilterReview()
            // A domain that the change adds gets the pin that its leaf has then (R18.2a).
            let chains = scenario.presentedChains(at: call[timeOption] ?? 0)
            let accounts = AccountOptions.changed(
                call.arguments, besides: own, presenting: chains, review: &review, diagnostics: &diagnostics)
            guard let accounts else { return nil }
            var comparison = ScenarioComparison(scenario, before: accounts.before, after: accounts.after)
            (comparison.changeTime, comparison.seed) = (call[timeOption], call[Options.seed])
            comparison.decidedRules = accounts.decidedRules
            if let refusal = comparison.refusal {
                diagnostics.add(refusal)
                return nil
            }
            let outcome = comparison.run()
            var compared = Compared(
                summary: outcome.summary, accounts: accounts, timeline: outcome.timeline, unmet: outcome.unmet)
            // Those of the scenario's own account were reported when it was read.
            let filters = (accounts.before.filters + accounts.after.filters).filter { !own.filters.contains($0) }
            compared.warn(of: filters, review)
            diagnostics.merge(compared.summary.diagnostics)
            return compared
        }
    }
}

// MARK: Reports

extension Command {
    /// Writes the report of a comparison, or of parts of one that were put together.
    ///
    /// - Parameters:
    ///   - timeline: The timeline of the change in a scenario.
    ///   - parts: Other edits and the rollout.
    ///   - account: The digest of the account before.
    ///   - call: The call that was typed, or would be on a machine that does all parts.
    ///   - carried: The files that parts were made from, according to them; `nil` looks at the files.
    static func finishComparison(
        _ comparison: Comparison, _ timeline: ChangeTimeline? = nil, parts: ChangeCase = ChangeCase(), account: String,
        _ call: CommandCall, carried: PartialResult.TypedCommand? = nil
    ) throws(CommandFailure) -> ExitStatus {
        var comparison = comparison
        comparison.confidence = try ConfidenceOption.level(call.arguments, testing: ChangeLimits.tested)
        comparison.labelCost = try LabelOptions.cost(call.arguments)
        guard comparison.comparesAnything else {
            let rest = NarrowingOptions.remainder(call.arguments)
            throw call.failure("nothing to compare: there is no attestation\(rest)", .nothingRan)
        }
        let identity = try identity(account: account, call.arguments, carried)
        var diagnostics = Diagnostics()
        let baseline = ComparisonBaseline.read(call.arguments, against: identity, &diagnostics)
        try call.require(diagnostics)
        let checked = ChangeLimits.check(comparison, baseline, call.arguments)
        let unlimited = checked.isEmpty ? [] : unlimitedChanges(comparison, call.arguments)
        if !unlimited.isEmpty { comparison.changes.decidedRules.insert(.unlimitedChanges) }
        try call.write(ReportSource(carried: carried, isExplained: true, hasChange: true)) { call in
            // Another report may show them.
            var (comparison, parts) = (comparison, parts)
            comparison.hideValues(by: call.redactor)
            parts.alternatives?.hideValues(by: call.redactor)
            parts.rollout?.labels?.hideValues(by: call.redactor)
            comparison.narrowed = NarrowingOptions.shown(call)
            return ComparisonReport(
                comparison, timeline: timeline, limits: checked.map(\.result), identity: identity, parts: parts)
        }
        return call.end(
            limits: checked, warnings: unlimited,
            nothing: comparison.emptiness.map { "nothing was evaluated: \($0)" })
    }

    // The identity of the comparison, by which a later one recognizes it; worked out only on request. Input that can be
    // read once only has none.
    private static func identity(
        account: String, _ arguments: ParsedArguments, _ carried: PartialResult.TypedCommand?
    ) throws(CommandFailure) -> ComparisonIdentity? {
        guard arguments.reports.contains(where: { $0.form == .json }) || arguments.isSet(ComparisonBaseline.option)
        else { return nil }
        let budget = ReportOrigins.budget(arguments)
        let captures = carried?.captures ?? arguments.captureIdentities(digestedUpTo: budget)
        let inputs = CaptureIdentity.limiting(captures, to: budget).compactMap(\.text)
        guard inputs.count == captures.count, let key = try RedactionOptions.reproducibleKey(arguments, captures) else {
            return nil
        }
        // Of a scenario, some make other devices, or another time; of captures, others leave devices out.
        let drawing: [any CommandOption] = [Options.seed, timeOption, AssumptionOptions.assume] + NarrowingOptions.all
        let assumed = arguments[AssumptionOptions.file].flatMap { FileDigest(path: $0)?.text }
        let drawn =
            drawing.flatMap { option in arguments.words(of: option).map { "\(option.name) \($0)" } }
            + (assumed.map { ["\(AssumptionOptions.file.name) \($0)"] } ?? [])
        let names = arguments.captures?.names.names(by: key) ?? DeviceNames(key)
        return ComparisonIdentity(inputs: inputs + drawn, account: account, names: names, jobs: arguments.jobs)
    }

    // The warnings of what changes for the worse though no limit counts it (R19a.2).
    private static func unlimitedChanges(_ comparison: Comparison, _ arguments: ParsedArguments) -> [String] {
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

extension ParsedArguments {
    /// A scenario and its account, which has to be the only one.
    ///
    /// - Parameter compared: What happens to it, in words.
    func scenario(_ path: String, toBe compared: String, _ diagnostics: inout Diagnostics) -> (Scenario, Account)? {
        guard let scenario = ScenarioLoader.load(path: path, within: boundary(), diagnostics: &diagnostics)
        else { return nil }
        return scenario.onlyAccount(toBe: compared, &diagnostics).map { (scenario, $0) }
    }
}
