internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Replay
internal import Reports
internal import Scenarios

/// `scenario diff`: what a change would do.
enum DiffCommand {
    /// Runs the command.
    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        let gates = try gates(arguments)
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
        return finish(comparison, gates, arguments, console)
    }

    private static func finish(
        _ comparison: Comparison, _ gates: Gates, _ arguments: ParsedArguments, _ console: Console
    ) -> ExitStatus {
        guard comparison.changes.attestations > 0 else {
            console.error("scenario: error: nothing to compare: there is no attestation\n")
            return .nothingRan
        }
        guard write(comparison, arguments, console) else { return .invalidInput }
        guard comparison.evaluatesAnything else {
            console.error("scenario: error: nothing was judged: the captures do not tell which devices were new\n")
            return .nothingRan
        }
        return gates.check(comparison.changes, console) ? .success : .gatePassed
    }

    private static func write(
        _ comparison: Comparison, _ arguments: ParsedArguments, _ console: Console
    ) -> Bool {
        let format = arguments.choice(of: formatOption, as: ComparisonFormat.self) ?? .text
        let style = arguments.value(of: .output) == nil ? console.style : .plain
        let bytes = format.bytes(of: comparison, style: style)
        return ReportOutput.write(bytes, arguments: arguments, console: console)
    }
}

// MARK: Gates

extension DiffCommand {
    // What the change may do at most.
    private struct Gates {
        let rejected: DiffGate?
        let accepted: DiffGate?

        // Says which gate was passed.
        func check(_ changes: ComparisonFigures, _ console: Console) -> Bool {
            let all = [
                (rejected, changes.rejected, maximumRejectedOption),
                (accepted, changes.accepted, maximumAcceptedOption),
            ]
            let passed = all.filter { gate, change, _ in gate?.allows(change.devices, of: changes.devices) == false }
            for (_, change, option) in passed {
                console.error(
                    "scenario: gate passed: \(change.devices) of \(changes.devices) devices are more than "
                        + "`\(option.name)` allows\n")
            }
            return passed.isEmpty
        }
    }

    private static func gates(_ arguments: ParsedArguments) throws(UsageError) -> Gates {
        Gates(
            rejected: try gate(maximumRejectedOption, arguments), accepted: try gate(maximumAcceptedOption, arguments))
    }

    private static func gate(
        _ option: OptionDefinition, _ arguments: ParsedArguments
    ) throws(UsageError) -> DiffGate? {
        guard let text = arguments.value(of: option) else { return nil }
        guard let gate = DiffGate(text) else {
            throw UsageError(
                "`\(option.name)` takes a number of devices or a share, not \(UsageError.quote(text))",
                hint: "such as `12` or `0.1%`")
        }
        return gate
    }
}

// MARK: What is compared

extension DiffCommand {
    private static func checkChange(_ arguments: ParsedArguments) throws(UsageError) {
        let options = [changeOption, changesOption, policyOption, candidateOption]
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
        var request = try ReplayCommand.request(arguments)
        var review = FilterReview()
        guard let accounts = accounts(before: nil, arguments, &review, &diagnostics) else { return nil }
        request.account = accounts.before
        let line = ProgressLine(console: console)
        let isShown = console.showsProgress && !arguments.isSet(.noProgress)
        let comparison = CaptureComparison(
            ComparisonRequest(replay: request, after: accounts.after),
            progress: isShown ? line.progress : Progress())
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
        guard let scenario = ScenarioLoader.load(path: path, diagnostics: &diagnostics) else { return nil }
        guard let own = scenario.onlyAccount else {
            diagnostics.add(
                Diagnostic(
                    file: path, message: "a scenario with several accounts cannot be compared",
                    hint: "a change is one of a single account"))
            return nil
        }
        var review = FilterReview()
        guard let accounts = accounts(before: own, arguments, &review, &diagnostics) else { return nil }
        let seed = arguments.integer(of: RunCommand.seedOption, as: UInt64.self)
        var outcome = ScenarioComparison(
            scenario, before: accounts.before, after: accounts.after, seed: seed
        ).run()
        // Those of the scenario's own account were told when it was read.
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
        if let path = arguments.value(of: ReplayCommand.accountOption) {
            before = AccountLoader.load(path: path, besides: own, review: &review, diagnostics: &diagnostics)
        }
        if let path = arguments.value(of: candidateOption) {
            let other = own == nil ? nil : before
            let after = AccountLoader.load(path: path, besides: other, review: &review, diagnostics: &diagnostics)
            guard let before, let after else { return nil }
            return (before, after)
        }
        var after = before ?? Account()
        AccountOption.change(&after, by: arguments, diagnostics: &diagnostics, isAccountKnown: before != nil)
        guard let before, !diagnostics.hasErrors else { return nil }
        return (before, after)
    }
}
