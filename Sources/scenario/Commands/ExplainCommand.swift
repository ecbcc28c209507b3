internal import Accounts
internal import Analysis
internal import Documents
internal import PolicyEngine
internal import Replay
internal import Reports
internal import Scenarios

/// `scenario explain`: why a device got what it got.
enum ExplainCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "explain",
        summary: "Explain every decision on one device, or all its events in a scenario, step by step.",
        operands: .files(
            "CAPTURE", "A capture, plain, .gz or .zst; - is standard input. Or one scenario, whose steps are explained."
        ),
        options: [
            deviceOption, Options.account, Options.policy, Options.change, Options.changes, formatOption,
            Options.output,
        ] + NarrowingOptions.all
            + RedactionOptions.all + Options.captureReading + [Options.seed, Options.noProgress],
        discussion: [
            """
            The steps are those that the engine takes, reported by the engine itself. Each explanation ends with the \
            smallest changes that would turn the verdict; each was tried on that very attestation.
            """,
            """
            Of a scenario, all events of the device are explained: its fetches, calls and requests (the token that \
            they carried, the pins that applied, the certificates presented, and who refused), and the steps that \
            change something for it. --device may name a group, whose first device is explained; without --device the \
            first device of each group is explained. --account, --policy and --change replace the scenario's account \
            from the start, as `diff` does.
            """,
            """
            The name of a device in a redacted report, such as device-zvfcnrj3cur4, finds the device in the captures of that \
            report, given in the same order; or with the same --redact-key, in any captures.
            """,
        ],
        examples: [
            "scenario explain day.jsonl.gz --account prod.yaml --device w4mmGFZkpz5oPz6w6gl1Cw==":
                "Shows why a device gets no valid tokens, and which changes would help.",
            "scenario explain day.jsonl.gz --account prod.yaml --device device-zvfcnrj3cur4":
                "The same of a device of a redacted report on that capture.",
            "scenario explain Scenarios/requests/one-customer-is-blocked.yaml --device customer":
                "Shows why a customer's requests are blocked.",
        ]
    )

    static let deviceOption = Option(
        "--device",
        "Explain the attestations of this device, by its ID or by its name in a redacted report; of a scenario also the "
            + "first device of a group.", .text("ID"))

    private static let formatOption = Options.format(
        DeviceExplanations.forms, summary: "Write the explanations in this form; by default text.")

    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        if let path = arguments.operands.first, ScenarioFiles.isScenario(path) {
            return try explainScenario(path, arguments, console)
        }
        let device = try device(arguments, console)
        var request = try CaptureOptions.request(arguments)
        let narrowing = try NarrowingOptions.narrowing(arguments, takesLabels: false)
        guard let changed = AccountOptions.changed(arguments, showing: console) else { return .invalidInput }
        request.account = changed.after
        request.redactor = console.redaction?.redactor
        guard NarrowingOptions.narrow(&request, to: narrowing, arguments, console) else { return .invalidInput }
        let narrowed = request
        var outcome = console.following(arguments) {
            CaptureExplanation(narrowed, device: device, decidedRules: changed.decidedRules, progress: $0).run()
        }
        console.show(outcome.diagnostics)
        guard !outcome.diagnostics.hasErrors else { return .invalidInput }
        guard !outcome.explanations.isEmpty else {
            let rest = NarrowingOptions.remainder(arguments)
            console.show(error: "the captures hold no attestation of device \(device)\(rest)\(advice(on: device))")
            return .nothingRan
        }
        outcome.narrowed = NarrowingOptions.shown(arguments, console)
        return ReportOutput.write(outcome, arguments, of: definition, console)
            ? .success : .invalidInput
    }

    // Explains the steps of a device in a scenario.
    private static func explainScenario(
        _ path: String, _ arguments: ParsedArguments, _ console: Console
    ) throws(UsageError) -> ExitStatus {
        if let option = NarrowingOptions.all.first(where: arguments.isSet) {
            throw UsageError("`\(option.name)` is for captures, and a scenario is explained as a whole")
        }
        guard arguments.operands.count == 1 else {
            throw UsageError(
                "one scenario is explained at a time", hint: "the devices of a scenario exist in that scenario only")
        }
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.load(path: path, isChecked: false, diagnostics: &diagnostics)
        let tracing = scenario.flatMap { Self.tracing($0, arguments, &diagnostics) }
        guard let tracing, !diagnostics.hasErrors else {
            console.show(diagnostics)
            return .invalidInput
        }
        let subject = try subject(of: tracing, arguments, console)
        let traced = tracing.run(subject, diagnostics: &diagnostics)
        console.show(diagnostics)
        guard !diagnostics.hasErrors else { return .invalidInput }
        guard let traced, !traced.steps.isEmpty else {
            var missing = "devices"
            if case .device(let device) = subject { missing = "device \(device)\(advice(on: device))" }
            console.show(error: "the scenario has no \(traced == nil ? missing : "steps")")
            return .nothingRan
        }
        let explanation = ScenarioExplanation(of: tracing.name, traced.steps, decidedRules: traced.decidedRules)
        let isWritten = ReportOutput.write(explanation, arguments, of: definition, console)
        return isWritten ? .success : .invalidInput
    }

    private static func subject(
        of tracing: ScenarioTracing, _ arguments: ParsedArguments, _ console: Console
    ) throws(UsageError) -> ScenarioTracing.Subject {
        guard let name = arguments[deviceOption] else { return .everyGroup }
        if let group = tracing.subject(named: name) { return group }
        if DeviceID(name) == nil, let hint = Suggestion.hint(for: name, among: tracing.groupNames) {
            throw UsageError("`--device` takes a device ID or a group, not \(UsageError.quote(name))", hint: hint)
        }
        return .device(try device(arguments, console, called: "a device ID or a group"))
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
        _ arguments: ParsedArguments, _ console: Console, called name: String = "a device ID"
    ) throws(UsageError) -> SoughtDevice {
        guard let text = arguments[deviceOption] else {
            throw UsageError(
                "option `--device ID` is missing", hint: "it names the device whose decisions are explained")
        }
        if Redactor.isDeviceName(text) {
            if let redaction = console.redaction { return .name(text, redaction.redactor) }
            return .name(text, try RedactionOptions.redactor(arguments, of: definition))
        }
        guard let device = DeviceID(text), !device.isFilteredPolicy else {
            throw UsageError(
                "`--device` takes \(name), not \(UsageError.quote(text))",
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
