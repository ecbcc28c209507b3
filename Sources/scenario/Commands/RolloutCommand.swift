internal import Accounts
internal import Analysis
internal import Documents
internal import PolicyEngine
internal import Replay
internal import Reports
internal import Scenarios

/// `scenario rollout`: the effects of a change that is brought to a sampled share of the devices first.
extension Command {
    static let rollout = Command(
        "rollout", "Report the effects of bringing a change of policy to sampled devices first, step by step.",
        .files("PATH", "A capture, plain, .gz or .zst; - is standard input. Or one scenario, a .yaml file."),
        options: [
            ChangeOptions.account, ChangeOptions.change, Options.changes, ChangeOptions.policy,
            ChangeOptions.candidate, AssumptionOptions.assume, AssumptionOptions.file, stepsOption, LabelOptions.labels,
            LabelOptions.cost,
            timeOption, runsOption,
            seedOption, formatOption, Options.output, Options.jobs,
        ] + NarrowingOptions.all + Options.captureReading + [Options.allowOutside, Options.noProgress],
        choice: ChangeOptions.choice,
        discussion: """
            Until the last step, the filtered policy of the account brings the change to the devices that the
            sampling percentage selects, which are others each day. The management commands of each step are
            printed, and the engine evaluates the accounts that they make. So the change is one of the security
            policy to a preset, and the account declares rules beside its own.

            The report says after what time a difference between sampled and other devices is noticed: in a number
            of runs, each with other sampled devices, a sequential test looks after each failure. If the change had
            no effect, it would be noticed in at most 5 % of rollouts. A scenario simulates cached tokens and the
            propagation of changes, too.
            """,
        examples: [
            #"scenario rollout week.jsonl --account prod.yaml --policy strict --steps 1%:6h,10%:1d,100%"#:
                "One percent of the devices for six hours, ten percent for a day, then all."
        ],
        reports: [Rollout.kind], takesSettings: true, answer: answer)

    private static let stepsOption = Option(
        "--steps", "Bring the change to rising shares of the devices, each for a time: 1%:6h,10%:1d,100%. Required.",
        .text("STEPS"))
    private static let timeOption = Option(
        "--at", "Begin DURATION after the first record, or after the start of the scenario; by default with it.",
        .duration(least: 0, usually: 0), in: .change)
    private static let runsOption = Option(
        "--runs", "Watch the rollout in N runs with other sampled devices, by default \(RolloutRuns.usualCount).",
        .integer("N", in: 1...100_000, usually: RolloutRuns.usualCount))
    private static let seedOption = Options.seed.described(
        as: "Sample the devices of the runs by the seed N, by default 1; a scenario draws its devices by it, too.")
    private static let formatOption = Options.format(Rollout.forms)

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        let stages = try stages(call.arguments)
        let scenario = try call.onlyScenario(toBe: "evaluated")
        if scenario == nil { try AccountOptions.requireAccount(call.arguments) }
        let cost = try LabelOptions.cost(call.arguments)
        if scenario != nil, call.isSet(LabelOptions.labels) {
            throw .usage(
                "`\(LabelOptions.labels.name)` is for captures, and a scenario is evaluated",
                hint: "the groups of a scenario say what its devices are")
        }
        let ofCaptures: [any CommandOption] = NarrowingOptions.all + AssumptionOptions.all
        if scenario != nil, let option = ofCaptures.first(where: call.isSet) {
            throw .usage("`\(option.name)` is for captures, and a scenario is evaluated as a whole")
        }
        var rollout =
            if let scenario { try evaluateScenario(scenario, stages, call) } else { try evaluateCaptures(stages, call) }
        (rollout.cost, rollout.narrowed) = (cost, NarrowingOptions.shown(call))
        guard rollout.steps.contains(where: { $0.met > 0 }) else {
            let rest = NarrowingOptions.remainder(call.arguments)
            throw call.failure("nothing was evaluated: no device met the change\(rest)", .nothingRan)
        }
        let report = rollout
        try call.write { _ in report }
        return .success
    }

    private static func stages(_ arguments: ParsedArguments) throws(CommandFailure) -> [RolloutStage] {
        guard let text = arguments[stepsOption] else {
            throw .usage("option `\(stepsOption.label)` is missing", hint: "such as `--steps 1%:6h,10%:1d,100%`")
        }
        return try CaseOptions.stages(text, of: stepsOption)
    }

    private static func runs(_ call: CommandCall) -> RolloutRuns {
        RolloutRuns(count: call[runsOption], seed: call[Options.seed] ?? 1)
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
        _ stages: [RolloutStage], _ call: CommandCall
    ) throws(CommandFailure) -> Rollout {
        var question = try CaptureQuestion(call)
        let accounts = try question.readAccounts()
        let plan = try call.reading { Self.plan(stages, from: accounts, &$0) }
        question.request.account = accounts.before
        let (outcome, assumed) = try question.askAssuming { request, progress in
            var unlabelled = request
            unlabelled.labels = nil
            return CaptureRollout(
                plan, unlabelled, delay: call[timeOption], runs: runs(call), labels: request.labels, progress: progress
            ).run()
        }
        var rollout = try call.reading { diagnostics in
            diagnostics.merge(outcome.diagnostics)
            return outcome.rollout
        }
        rollout.assumed = assumed
        return rollout
    }

    private static func evaluateScenario(
        _ path: String, _ stages: [RolloutStage], _ call: CommandCall
    ) throws(CommandFailure) -> Rollout {
        try call.reading { diagnostics in
            var review = FilterReview()
            guard let (scenario, own) = call.arguments.scenario(path, toBe: "rolled out", &diagnostics),
                let accounts = AccountOptions.changed(
                    call.arguments, besides: own, review: &review, diagnostics: &diagnostics),
                let plan = plan(stages, from: accounts, &diagnostics)
            else { return nil }
            let outcome = ScenarioRollout(
                plan, scenario, delay: call[timeOption], seed: call[Options.seed], runs: runs(call),
                jobs: call.arguments.jobs
            ).run()
            diagnostics.merge(outcome.diagnostics)
            return outcome.rollout
        }
    }
}
