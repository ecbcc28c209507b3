internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Replay
internal import Reports
internal import Scenarios

/// `scenario diff`: what a change would do.
enum DiffCommand: ToolCommand {
    /// What can be typed after `diff`.
    static let definition = CommandDefinition(
        name: "diff",
        summary: "Say what a change of policy would do to captured or simulated devices.",
        operands: OperandDefinition(
            placeholder: "PATH",
            summary: "A capture, plain, .gz or .zst; - is standard input. Or one scenario, a .yaml file.",
            kind: .files,
            minimum: 1,
            maximum: nil
        ),
        options: [
            .account, change, .changes, policy, candidateOption, .fetches, maximumRejectedOption, maximumAcceptedOption,
            formatOption, .output, .seed, .jobs,
        ] + OptionDefinition.captureReading + [.allowOutside, .noProgress],
        discussion: [
            """
            The account before is --account, or that of the scenario; the one after is made by exactly one of \
            --change, --changes, --policy and --candidate. Each side keeps its own memory of devices.
            """,
            """
            A device that would newly be rejected fails at least once where it passed. Where a limit is \
            exceeded, the report is written all the same, and the command exits with 4.
            """,
        ],
        examples: [
            CommandExample(
                line: #"scenario diff day.jsonl.gz --account prod.yaml --change "policy -set default,strict,risk""#,
                summary: "What the command would do to the devices of that day."
            ),
            CommandExample(
                line: "scenario diff day.txt --account prod.yaml --candidate next.yaml --max-newly-rejected 0.1%",
                summary: "A limit for CI: exits with 4 when more than 0.1 % of the devices would newly be rejected."
            ),
        ]
    )

    /// Changes the account.
    private static let change = OptionDefinition.change.described(
        as: "Change the account by a management command, in the order given.")

    /// Changes the account's policy.
    private static let policy = OptionDefinition.policy.described(as: "Change the account's security policy to SPEC.")

    /// Names the account after.
    private static let candidateOption = OptionDefinition(
        name: "--candidate",
        value: .file(.readsAccount),
        summary: "Compare with the account in FILE."
    )

    /// A limit.
    private static let maximumRejectedOption = OptionDefinition(
        name: "--max-newly-rejected",
        value: .text(placeholder: "N|P%"),
        summary: "Exit with 4 when more devices, or a larger share of them, would newly be rejected."
    )

    /// Another limit.
    private static let maximumAcceptedOption = OptionDefinition(
        name: "--max-newly-accepted",
        value: .text(placeholder: "N|P%"),
        summary: "Exit with 4 when more devices, or a larger share of them, would newly be accepted."
    )

    /// The form of the report.
    private static let formatOption = OptionDefinition.format(
        ComparisonFormat.self,
        summary: "Write the report in this form; by default text. Markdown is made for change requests.")

    /// Runs the command.
    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        let limits = try limits(arguments)
        try checkChange(arguments)
        let scenarios = arguments.operands.filter(ScenarioFiles.isScenario)
        guard scenarios.isEmpty || arguments.operands.count == 1 else {
            throw UsageError("a scenario is compared alone", hint: "captures may be many")
        }
        var diagnostics = Diagnostics()
        let outcome =
            if let path = scenarios.first {
                compareScenario(path, arguments, &diagnostics)
            } else {
                try compareCaptures(arguments, console, &diagnostics)
            }
        diagnostics.merge(outcome?.diagnostics ?? Diagnostics())
        console.show(diagnostics)
        guard !diagnostics.hasErrors, let comparison = outcome?.comparison else { return .invalidInput }
        return finish(comparison, limits, arguments, console)
    }

    private static func finish(
        _ comparison: Comparison, _ limits: Limits, _ arguments: ParsedArguments, _ console: Console
    ) -> ExitStatus {
        guard comparison.changes.attestations > 0 else {
            console.show(error: "nothing to compare: there is no attestation")
            return .nothingRan
        }
        guard write(comparison, arguments, console) else { return .invalidInput }
        guard comparison.evaluatesAnything else {
            console.show(error: "nothing was evaluated: the captures do not say which devices were new")
            return .nothingRan
        }
        return limits.check(comparison.changes, console) ? .success : .limitExceeded
    }

    private static func write(
        _ comparison: Comparison, _ arguments: ParsedArguments, _ console: Console
    ) -> Bool {
        let format = arguments.choice(of: formatOption, as: ComparisonFormat.self) ?? .text
        let style = ReportOutput.style(arguments, console)
        let bytes = format.bytes(of: comparison, style: style)
        return ReportOutput.write(bytes, arguments: arguments, console: console)
    }
}

// MARK: Limits

extension DiffCommand {
    // What the change may do at most.
    private struct Limits {
        let rejected: ChangeLimit?
        let accepted: ChangeLimit?

        // Shows which limits are exceeded.
        func check(_ changes: ComparisonFigures, _ console: Console) -> Bool {
            let all = [
                (rejected, changes.rejected, maximumRejectedOption),
                (accepted, changes.accepted, maximumAcceptedOption),
            ]
            let exceeded = all.filter { limit, change, _ in
                limit?.allows(change.devices, of: changes.devices) == false
            }
            for (_, change, option) in exceeded {
                console.show(
                    exceededLimit: "\(change.devices) of \(changes.devices) devices are more than "
                        + "`\(option.name)` allows")
            }
            return exceeded.isEmpty
        }
    }

    private static func limits(_ arguments: ParsedArguments) throws(UsageError) -> Limits {
        Limits(
            rejected: try limit(maximumRejectedOption, arguments),
            accepted: try limit(maximumAcceptedOption, arguments))
    }

    private static func limit(
        _ option: OptionDefinition, _ arguments: ParsedArguments
    ) throws(UsageError) -> ChangeLimit? {
        guard let text = arguments.value(of: option) else { return nil }
        guard let limit = ChangeLimit(text) else {
            throw UsageError(
                "`\(option.name)` takes a number of devices or a share, not \(UsageError.quote(text))",
                hint: "such as `12` or `0.1%`")
        }
        return limit
    }
}

// MARK: What is compared

extension DiffCommand {
    private static func checkChange(_ arguments: ParsedArguments) throws(UsageError) {
        let options = [change, .changes, policy, candidateOption]
        let given = options.filter(arguments.isSet)
        guard given.count == 1 else {
            let names = options.map { "`\($0.name)`" }.joined(separator: ", ")
            throw UsageError(
                given.isEmpty
                    ? "there is no change" : "`\(given[1].name)` cannot go with `\(given[0].name)`",
                hint: "give one of \(names)")
        }
    }

    private static func compareCaptures(
        _ arguments: ParsedArguments, _ console: Console, _ diagnostics: inout Diagnostics
    ) throws(UsageError) -> ComparisonSummary? {
        var request = try CaptureOptions.request(arguments)
        var review = FilterReview()
        guard let accounts = accounts(before: nil, arguments, &review, &diagnostics) else { return nil }
        request.account = accounts.before
        let line = ProgressLine(console: console, isShown: !arguments.isSet(.noProgress))
        let comparison = CaptureComparison(
            ComparisonRequest(replay: request, after: accounts.after),
            progress: line.progress)
        defer { line.clear() }
        var outcome = comparison.run()
        warn(of: accounts.before.filters + accounts.after.filters, review, &outcome)
        return outcome
    }

    private static func warn(of filters: [Filter], _ review: FilterReview, _ outcome: inout ComparisonSummary) {
        guard outcome.comparison != nil else { return }
        outcome.diagnostics.add(review.warnings(on: filters, attributes: outcome.attributes))
    }

    private static func compareScenario(
        _ path: String, _ arguments: ParsedArguments, _ diagnostics: inout Diagnostics
    ) -> ComparisonSummary? {
        guard let scenario = ScenarioLoader.load(path: path, within: arguments.boundary(), diagnostics: &diagnostics)
        else { return nil }
        guard let own = scenario.onlyAccount else {
            diagnostics.add(
                Diagnostic(
                    file: path, message: "a scenario with several accounts cannot be compared",
                    hint: "a change is one of a single account"))
            return nil
        }
        var review = FilterReview()
        guard let accounts = accounts(before: own, arguments, &review, &diagnostics) else { return nil }
        let seed = arguments.integer(of: .seed, as: UInt64.self)
        var outcome = ScenarioComparison(
            scenario, before: accounts.before, after: accounts.after, seed: seed
        ).run()
        // Those of the scenario's own account were reported when it was read.
        let filters = (accounts.before.filters + accounts.after.filters).filter { !own.filters.contains($0) }
        warn(of: filters, review, &outcome)
        return outcome
    }

    // The devices of a scenario have their flags in the numbers of its own account; a capture says them by name.
    private static func accounts(
        before own: Account?, _ arguments: ParsedArguments, _ review: inout FilterReview,
        _ diagnostics: inout Diagnostics
    ) -> (before: Account, after: Account)? {
        var before: Account? = own ?? Account()
        if let path = arguments.value(of: .account) {
            before = AccountLoader.load(path: path, besides: own, review: &review, diagnostics: &diagnostics)
        }
        if let path = arguments.value(of: candidateOption) {
            let other = own == nil ? nil : before
            let after = AccountLoader.load(path: path, besides: other, review: &review, diagnostics: &diagnostics)
            guard let before, let after else { return nil }
            return (before, after)
        }
        var after = before ?? Account()
        AccountOptions.change(&after, by: arguments, diagnostics: &diagnostics, isAccountKnown: before != nil)
        guard let before, !diagnostics.hasErrors else { return nil }
        return (before, after)
    }
}

/// How much a change may do: a number of devices, or a share of them.
private enum ChangeLimit {
    case devices(Int)
    case share(Percentage)

    /// Reads `12`, `0` or `0.1%`.
    ///
    /// - Returns: `nil` for another form.
    init?(_ text: String) {
        if text.hasSuffix("%") {
            guard let share = Percentage(text.dropLast()) else { return nil }
            self = .share(share)
        } else {
            guard text.utf8.allSatisfy(\.isDigit), let count = Int(text) else { return nil }
            self = .devices(count)
        }
    }

    /// Whether so many devices of all are no more than allowed.
    func allows(_ count: Int, of all: Int) -> Bool {
        switch self {
        case .devices(let limit): count <= limit
        case .share(let share): share.isAtLeast(count, of: all)
        }
    }
}
