internal import Accounts
internal import Analysis
internal import Documents
internal import PolicyEngine
internal import Replay
internal import Reports
internal import Scenarios

/// `scenario rollout`: the effects of a change that is brought to a sampled share of the devices first.
enum RolloutCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "rollout",
        summary: "Report the effects of bringing a change of policy to sampled devices first, step by step.",
        operands: .files("PATH", "A capture, plain, .gz or .zst; - is standard input. Or one scenario, a .yaml file."),
        options: [
            DiffCommand.account, DiffCommand.change, Options.changes, DiffCommand.policy, DiffCommand.candidateOption,
            stepsOption, LabelOptions.labels, LabelOptions.cost,
            timeOption, runsOption, seedOption, formatOption, Options.output, Options.jobs,
        ] + NarrowingOptions.all + Options.captureReading + [Options.allowOutside, Options.noProgress],
        choice: DiffCommand.choiceOfChange,
        discussion: [
            """
            Until the last step, the filtered policy of the account brings the change to the devices that the sampling \
            percentage selects, which are others each day. The management commands of each step are printed, and the engine \
            evaluates the accounts that they make. So the change is one of the security policy to a preset, and the account \
            declares rules beside its own.
            """,
            """
            The report says after what time a difference between sampled and other devices is noticed: in a number of runs, each \
            with other sampled devices, a sequential test looks after each failure. If the change had no effect, it would be \
            noticed in at most 5 % of rollouts. A scenario simulates cached tokens and the propagation of changes, too.
            """,
        ],
        examples: [
            #"scenario rollout week.jsonl --account prod.yaml --policy strict --steps 1%:6h,10%:1d,100%"#:
                "One percent of the devices for six hours, ten percent for a day, then all."
        ]
    )

    private static let stepsOption = Option(
        "--steps", "Bring the change to rising shares of the devices, each for a time: 1%:6h,10%:1d,100%. Required.",
        .text("STEPS"))

    private static let timeOption = Option(
        "--at", "Begin DURATION after the first record, or after the start of the scenario; by default with it.",
        .duration(least: 0), in: .change)

    private static let runsOption = Option(
        "--runs", "Watch the rollout in N runs with other sampled devices, by default \(RolloutRuns.usualCount).",
        .integer("N", in: 1...100_000))

    private static let seedOption = Options.seed.described(
        as: "Sample the devices of the runs by the seed N, by default 1; a scenario draws its devices by it, too.")

    private static let formatOption = Options.format(Rollout.forms)

    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        let stages = try stages(arguments)
        let scenarios = arguments.operands.filter(ScenarioFiles.isScenario)
        guard scenarios.isEmpty || arguments.operands.count == 1 else {
            throw UsageError("a scenario is evaluated alone", hint: "captures may be many")
        }
        if scenarios.isEmpty { try AccountOptions.requireAccount(arguments) }
        let cost = try LabelOptions.cost(arguments)
        if !scenarios.isEmpty, arguments.isSet(LabelOptions.labels) {
            throw UsageError(
                "`\(LabelOptions.labels.name)` is for captures, and a scenario is evaluated",
                hint: "the groups of a scenario say what its devices are")
        }
        if !scenarios.isEmpty, let option = NarrowingOptions.all.first(where: arguments.isSet) {
            throw UsageError("`\(option.name)` is for captures, and a scenario is evaluated as a whole")
        }
        var diagnostics = Diagnostics()
        var rollout =
            if let path = scenarios.first {
                evaluateScenario(path, stages, arguments, &diagnostics)
            } else {
                try evaluateCaptures(stages, arguments, console, &diagnostics)
            }
        console.show(diagnostics)
        rollout?.cost = cost
        rollout?.narrowed = NarrowingOptions.shown(arguments, console)
        guard !diagnostics.hasErrors, let rollout else { return .invalidInput }
        guard rollout.steps.contains(where: { $0.met > 0 }) else {
            console.show(
                error: "nothing was evaluated: no device met the change\(NarrowingOptions.remainder(arguments))")
            return .nothingRan
        }
        return write(rollout, arguments, console)
    }

    private static func stages(_ arguments: ParsedArguments) throws(UsageError) -> [RolloutStage] {
        guard let text = arguments[stepsOption] else {
            throw UsageError("option `\(stepsOption.label)` is missing", hint: "such as `--steps 1%:6h,10%:1d,100%`")
        }
        do throws(RolloutStageError) {
            return try RolloutStage.list(text)
        } catch {
            throw UsageError("`\(stepsOption.name)`: \(error.description)")
        }
    }

    private static func runs(_ arguments: ParsedArguments) -> RolloutRuns {
        RolloutRuns(
            count: arguments[runsOption] ?? RolloutRuns.usualCount,
            seed: arguments[Options.seed] ?? 1)
    }

    // The errors about a plan are those of the change.
    private static func plan(
        _ stages: [RolloutStage], from accounts: ChangedAccount, _ diagnostics: inout Diagnostics
    ) -> RolloutPlan? {
        diagnostics.attempt(in: "rollout") { () throws(RolloutRefusal) in
            try RolloutPlan(from: accounts.before, to: accounts.after, in: stages)
        }
    }

    private static func evaluateCaptures(
        _ stages: [RolloutStage], _ arguments: ParsedArguments, _ console: Console, _ diagnostics: inout Diagnostics
    ) throws(UsageError) -> Rollout? {
        var request = try CaptureOptions.request(arguments)
        let narrowing = try NarrowingOptions.narrowing(arguments)
        var review = FilterReview()
        let labels = LabelOptions.labels(arguments, console, &diagnostics)
        guard let accounts = DiffCommand.accounts(before: nil, arguments, &review, &diagnostics),
            !diagnostics.hasErrors, let plan = plan(stages, from: accounts, &diagnostics)
        else { return nil }
        request.account = accounts.before
        guard NarrowingOptions.narrow(&request, to: narrowing, labels: labels, arguments, console) else { return nil }
        let narrowed = request
        let (delay, runs) = (arguments[timeOption] ?? 0, runs(arguments))
        let outcome = console.following(arguments) {
            CaptureRollout(plan, narrowed, delay: delay, runs: runs, labels: labels, progress: $0).run()
        }
        diagnostics.merge(outcome.diagnostics)
        return outcome.rollout
    }

    private static func evaluateScenario(
        _ path: String, _ stages: [RolloutStage], _ arguments: ParsedArguments, _ diagnostics: inout Diagnostics
    ) -> Rollout? {
        guard let (scenario, own) = DiffCommand.scenario(path, toBe: "rolled out", arguments, &diagnostics) else {
            return nil
        }
        var review = FilterReview()
        guard let accounts = DiffCommand.accounts(before: own, arguments, &review, &diagnostics),
            let plan = plan(stages, from: accounts, &diagnostics)
        else { return nil }
        let outcome = ScenarioRollout(
            plan, scenario, delay: arguments[timeOption] ?? 0,
            seed: arguments[Options.seed], runs: runs(arguments), jobs: arguments.jobs
        ).run()
        diagnostics.merge(outcome.diagnostics)
        return outcome.rollout
    }

    private static func write(_ rollout: Rollout, _ arguments: ParsedArguments, _ console: Console) -> ExitStatus {
        ReportOutput.write(rollout, arguments, of: definition, console) ? .success : .invalidInput
    }
}
