internal import Analysis
internal import Documents
internal import PolicyEngine
internal import Replay
internal import Scenarios

/// `scenario minimise`: the smallest scenario that still fails, or the smallest capture on which a change still turns a
/// verdict.
enum MinimiseCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "minimise",
        summary: "Find the smallest scenario that still fails, or the smallest capture that still shows a change.",
        operands: .files("PATH", "A scenario that fails, a .yaml file; or captures, plain, .gz or .zst."),
        options: [account, change, Options.changes, policy, Options.output, Options.seed, Options.jobs]
            + Options.captureReading
            + [Options.allowOutside, Options.noProgress],
        discussion: [
            """
            Of a scenario, steps, devices, fields and parts of the account are removed as long as its first failing \
            expectation fails in the same way. The remaining scenario is written; no further single part of it can be \
            removed.
            """,
            """
            Of captures, the fewest records are written, as JSON Lines, on which the change turns a verdict. They are of one \
            device, and contain the attributes that the account reads before or after the change.
            """,
            "Exits with 5 when no expectation fails, or when the change turns no verdict.",
        ],
        examples: [
            "scenario minimise broken.yaml --output small.yaml": "A small scenario for debugging.",
            #"scenario minimise day.jsonl --account prod.yaml --change "policy -set default,strict,risk""#:
                "The shortest capture that shows the effect of the command.",
        ]
    )

    private static let account = Options.account.described(
        as: "Change the account in FILE; by default a new one. For captures.")

    private static let change = Options.change.described(
        as: "Change the account by a management command, in the order given. For captures.")

    private static let policy = Options.policy.described(
        as: "Change the account's security policy to SPEC. For captures.")

    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        let scenarios = arguments.operands.filter(ScenarioFiles.isScenario)
        let changes = [change, Options.changes, policy].filter(arguments.isSet)
        guard let scenario = scenarios.first else {
            guard !changes.isEmpty else {
                throw UsageError("there is no change", hint: "captures need `--change`, `--changes` or `--policy`")
            }
            return try minimiseCaptures(arguments, console)
        }
        guard arguments.operands.count == 1 else {
            throw UsageError("a scenario is minimised alone", hint: "captures may be many")
        }
        if let option = changes.first ?? (arguments.isSet(account) ? account : nil) {
            throw UsageError("`\(option.name)` is for captures", hint: "a scenario contains its account")
        }
        return minimiseScenario(scenario, arguments, console)
    }

    private static func minimiseScenario(
        _ path: String, _ arguments: ParsedArguments, _ console: Console
    ) -> ExitStatus {
        var diagnostics = Diagnostics()
        var refusal = ScenarioMinimiser.Refusal.invalid
        let minimiser = ScenarioMinimiser(
            path: path, within: arguments.boundary(), seed: arguments[Options.seed],
            diagnostics: &diagnostics, refusal: &refusal)
        console.show(diagnostics)
        guard var minimiser else {
            guard refusal == .passes else { return .invalidInput }
            console.show(error: "nothing to minimise: every expectation of \(UsageError.quote(path)) holds")
            return .nothingRan
        }
        let text = minimiser.minimise()
        return write(text, arguments, console)
    }

    private static func minimiseCaptures(
        _ arguments: ParsedArguments, _ console: Console
    ) throws(UsageError) -> ExitStatus {
        var request = try CaptureOptions.request(arguments)
        if let reason = request.rereadingRefusal { throw UsageError("`minimise` reads captures twice, and \(reason)") }
        guard let changed = AccountOptions.changed(arguments, showing: console) else { return .invalidInput }
        request.account = changed.before
        let question = ComparisonRequest(replay: request, after: changed.after)
        let result = console.following(arguments) { CaptureMinimiser(question, progress: $0).run() }
        console.show(result.diagnostics)
        guard !result.diagnostics.hasErrors else { return .invalidInput }
        if let emptiness = result.emptiness {
            console.show(error: "nothing to minimise: \(emptiness)")
            return .nothingRan
        }
        return write(result.records.map { KeptRecordText.line(of: $0) }.joined(), arguments, console)
    }

    private static func write(_ text: String, _ arguments: ParsedArguments, _ console: Console) -> ExitStatus {
        let isWritten = ReportOutput.write(Array(text.utf8), arguments: arguments, console: console)
        return isWritten ? .success : .invalidInput
    }
}
