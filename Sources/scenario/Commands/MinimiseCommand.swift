internal import Analysis
internal import Documents
internal import PolicyEngine
internal import Replay
internal import Scenarios

/// `scenario minimise`: the smallest scenario that still fails, or the smallest capture on which a change still turns a
/// verdict.
extension Command {
    static let minimise = Command(
        "minimise", "Find the smallest scenario that still fails, or the smallest capture that still shows a change.",
        .files("PATH", "A scenario that fails, a .yaml file; or captures, plain, .gz or .zst."),
        options: [account, change, Options.changes, policyOption, Options.output, Options.seed, Options.jobs]
            + Options.captureReading
            + [Options.allowOutside, Options.noProgress],
        discussion: """
            Of a scenario, steps, devices, fields and parts of the account are removed as long as its first failing
            expectation fails in the same way. The remaining scenario is written; no further single part of it can
            be removed. A line on standard error says how much was kept.

            Of captures, the fewest records are written, as JSON Lines, on which the change turns a verdict. They
            are of one device, and contain the attributes that the account reads before or after the change.

            Exits with 5 when no expectation fails, or when the change turns no verdict.
            """,
        examples: [
            "scenario minimise broken.yaml --output small.yaml": "A small scenario for debugging.",
            #"scenario minimise day.jsonl --account prod.yaml --change "policy -set default,strict,risk""#:
                "The shortest capture that shows the effect of the command.",
        ],
        takesSettings: true, answer: answer)

    private static let account = Options.account.described(
        as: "Change the account in FILE; by default a new one. For captures.")
    private static let change = Options.change.described(
        as: "Change the account by a management command, in the order given. For captures.")
    private static let policyOption = Options.policy.described(
        as: "Change the account's security policy to SPEC. For captures.")

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        let changes = [change, Options.changes, policyOption].filter(call.isSet)
        guard call.operands.contains(where: ScenarioFiles.isScenario) else {
            guard !changes.isEmpty else {
                throw .usage("there is no change", hint: "captures need `--change`, `--changes` or `--policy`")
            }
            return try minimiseCaptures(call)
        }
        let scenario = try call.onlyScenario(toBe: "minimised") ?? ""
        if let option = changes.first ?? (call.isSet(account) ? account : nil) {
            throw .usage("`\(option.name)` is for captures", hint: "a scenario contains its account")
        }
        return try minimiseScenario(scenario, call)
    }

    private static func minimiseScenario(_ path: String, _ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        var diagnostics = Diagnostics()
        var refusal = ScenarioMinimiser.Refusal.invalid
        let minimiser = ScenarioMinimiser(
            path: path, within: call.arguments.boundary(), seed: call[Options.seed], diagnostics: &diagnostics,
            refusal: &refusal)
        call.console.show(diagnostics)
        guard var minimiser else {
            guard refusal == .passes else { throw .shown(.invalidInput) }
            throw call.failure("nothing to minimise: every expectation of \(path.asTyped) holds", .nothingRan)
        }
        let (before, text, after) = (minimiser.size, minimiser.minimise(), minimiser.size)
        try call.write(Array(text.utf8))
        call.console.show(
            note: kept([
                (after.lines, before.lines, "line"), (after.steps, before.steps, "step"),
                (after.groups, before.groups, "group"),
            ]))
        return .success
    }

    private static func minimiseCaptures(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        var question = try CaptureQuestion(call)
        if let reason = question.request.rereadingRefusal {
            throw .usage("`minimise` reads captures twice, and \(reason)")
        }
        let accounts = try question.readAccounts()
        question.request.account = accounts.before
        let result = try question.ask {
            CaptureMinimiser(ComparisonRequest(replay: $0, after: accounts.after), progress: $1).run()
        }
        try call.require(result.diagnostics)
        if let emptiness = result.emptiness { throw call.failure("nothing to minimise: \(emptiness)", .nothingRan) }
        try call.write(Array(result.records.map { KeptRecordText.line(of: $0) }.joined().utf8))
        call.console.show(note: kept([(result.records.count, result.attestations, "record")]))
        return .success
    }

    // `scenario: kept 9 of 20 lines, 1 of 5 steps`.
    private static func kept(_ parts: [(left: Int, all: Int, noun: String)]) -> String {
        "scenario: kept " + parts.map { "\($0.left.grouped) of \($0.all.counting($0.noun))" }.joined(separator: ", ")
    }
}
