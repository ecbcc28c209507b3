internal import Accounts
internal import Analysis
internal import Documents
internal import PolicyEngine
internal import Replay
internal import Reports
internal import Scenarios

/// `scenario explain`: why a device got what it got.
extension Options {
    /// The device that is explained.
    static let device = Option(
        "--device",
        "Explain the attestations of this device, by its ID or by its name in a redacted report; of a scenario also the "
            + "first device of a group.", .text("ID"))
}

extension Command {
    static let explain = Command(
        "explain", "Explain every decision on one device, or all its events in a scenario, step by step.",
        .files(
            "CAPTURE", "A capture, plain, .gz or .zst; - is standard input. Or one scenario, whose steps are explained."
        ),
        options: [
            Options.device, Options.account, Options.policy, Options.change, Options.changes, formatOption,
            Options.output,
        ] + NarrowingOptions.all
            + RedactionOptions.all + Options.captureReading + [Options.seed, Options.noProgress],
        discussion: """
            The steps are those that the engine takes, reported by the engine itself. Each explanation ends with the
            smallest changes that would turn the verdict; each was tried on that very attestation.

            Of a scenario, all events of the device are explained: its fetches, calls and requests (the token that
            they carried, the pins that applied, the certificates presented, and who refused), and the steps that
            change something for it. --device may name a group, whose first device is explained; without --device
            the first device of each group is explained. --account, --policy and --change replace the scenario's
            account from the start, as `diff` does.

            The name of a device in a redacted report, such as device-zvfcnrj3cur4, finds the device in the captures
            of that report, given in the same order; or with the same --redact-key, in any captures.
            """,
        examples: [
            "scenario explain day.jsonl.gz --account prod.yaml --device w4mmGFZkpz5oPz6w6gl1Cw==":
                "Shows why a device gets no valid tokens, and which changes would help.",
            "scenario explain day.jsonl.gz --account prod.yaml --device device-zvfcnrj3cur4":
                "The same of a device of a redacted report on that capture.",
            "scenario explain Scenarios/requests/one-customer-is-blocked.yaml --device customer":
                "Shows why a customer's requests are blocked.",
        ],
        reports: [DeviceExplanations.kind, ScenarioExplanation.kind], takesSettings: true, answer: answer)

    private static let formatOption = Options.format(
        DeviceExplanations.forms, summary: "Write the explanations in this form; by default text.")

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        if let path = call.operands.first, ScenarioFiles.isScenario(path) { return try explainScenario(path, call) }
        let device = try device(call)
        var question = try CaptureQuestion(call, takesLabels: false)
        let accounts = try question.readAccounts()
        var outcome = try question.ask {
            CaptureExplanation($0, device: device, decidedRules: accounts.decidedRules, progress: $1).run()
        }
        try call.require(outcome.diagnostics)
        guard !outcome.explanations.isEmpty else {
            let rest = NarrowingOptions.remainder(call.arguments)
            throw call.failure(
                "the captures hold no attestation of device \(device)\(rest)\(advice(on: device))", .nothingRan)
        }
        outcome.narrowed = NarrowingOptions.shown(call)
        let explanations = outcome
        try call.write { _ in explanations }
        return .success
    }

    // Explains the steps of a device in a scenario.
    private static func explainScenario(_ path: String, _ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        if let option = NarrowingOptions.all.first(where: call.isSet) {
            throw .usage("`\(option.name)` is for captures, and a scenario is explained as a whole")
        }
        guard call.operands.count == 1 else {
            throw .usage(
                "one scenario is explained at a time", hint: "the devices of a scenario exist in that scenario only")
        }
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.load(path: path, isChecked: false, diagnostics: &diagnostics)
        let tracing = scenario.flatMap { Self.tracing($0, call.arguments, &diagnostics) }
        guard let tracing, !diagnostics.hasErrors else {
            call.console.show(diagnostics)
            throw .shown(.invalidInput)
        }
        let subject = try subject(of: tracing, call)
        let traced = tracing.run(subject, diagnostics: &diagnostics)
        try call.require(diagnostics)
        guard let traced, !traced.steps.isEmpty else {
            var missing = "devices"
            if case .device(let device) = subject { missing = "device \(device)\(advice(on: device))" }
            throw call.failure("the scenario has no \(traced == nil ? missing : "steps")", .nothingRan)
        }
        let explanation = ScenarioExplanation(of: tracing.name, traced.steps, decidedRules: traced.decidedRules)
        try call.write { _ in explanation }
        return .success
    }

    private static func subject(
        of tracing: ScenarioTracing, _ call: CommandCall
    ) throws(CommandFailure) -> ScenarioTracing.Subject {
        guard let name = call[Options.device] else { return .everyGroup }
        if let group = tracing.subject(named: name) { return group }
        if DeviceID(name) == nil, let hint = Suggestion.hint(for: name, among: tracing.groupNames) {
            throw .usage("`--device` takes a device ID or a group, not \(name.asTyped)", hint: hint)
        }
        return .device(try device(call, called: "a device ID or a group"))
    }

    // The scenario under the account of the command line, as a comparison has it: whoever asks what a change does to a
    // device asks the same of a scenario as of a capture.
    private static func tracing(
        _ scenario: Scenario, _ arguments: ParsedArguments, _ diagnostics: inout Diagnostics
    ) -> ScenarioTracing? {
        let seed = arguments[Options.seed]
        guard [Options.account, Options.policy, Options.change, Options.changes].contains(where: arguments.isSet) else {
            return ScenarioTracing(scenario, seed: seed)
        }
        guard let own = scenario.onlyAccount else {
            diagnostics.add(
                Diagnostic(
                    file: scenario.file, message: "a scenario with several accounts is explained as it is",
                    hint: "`--account`, `--policy` and `--change` are about a single account"))
            return nil
        }
        var review = FilterReview()
        return AccountOptions.changed(
            arguments, besides: own, presenting: scenario.presentedChains(at: 0), review: &review,
            diagnostics: &diagnostics
        ).map { changed in
            ScenarioTracing(
                scenario.replacingAccount(by: changed.after, inPlaceOf: changed.before), seed: seed,
                decidedRules: changed.decidedRules)
        }
    }

    private static func device(
        _ call: CommandCall, called name: String = "a device ID"
    ) throws(CommandFailure) -> SoughtDevice {
        guard let text = call[Options.device] else {
            throw .usage("option `--device ID` is missing", hint: "it names the device whose decisions are explained")
        }
        if Redactor.isDeviceName(text) {
            if let redaction = call.console.redaction { return .name(text, redaction.redactor) }
            return .name(text, try RedactionOptions.redactor(call.arguments))
        }
        guard let device = DeviceID(text), !device.isFilteredPolicy else {
            throw .usage(
                "`--device` takes \(name), not \(text.asTyped)",
                hint: "22 characters of A–Z a–z 0–9 + / and then `==`, or a name such as device-zvfcnrj3cur4")
        }
        return .id(device)
    }

    // A name that no device has was made with another key.
    private static func advice(on device: SoughtDevice) -> String {
        guard case .name = device else { return "" }
        return "; names are made with `\(RedactionOptions.key.name)`, or without it from the captures, in their order"
    }
}
