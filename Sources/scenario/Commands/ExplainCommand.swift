internal import Documents
internal import PolicyEngine
internal import Replay
internal import Reports
internal import Scenarios

/// `scenario explain`: why a device got what it got.
enum ExplainCommand: ToolCommand {
    /// What can be typed after `explain`.
    static let definition = CommandDefinition(
        name: "explain",
        summary: "Explain every decision on one device, or every request that it makes, step by step.",
        operands: OperandDefinition(
            placeholder: "CAPTURE",
            summary:
                "A capture, plain, .gz or .zst; - is standard input. Or one scenario, whose requests are explained.",
            kind: .files,
            minimum: 1,
            maximum: nil
        ),
        options: [deviceOption, .account, .policy, .change, formatOption, .output] + RedactionOptions.all
            + OptionDefinition.captureReading + [.seed, .noProgress],
        discussion: [
            """
            The steps are those that the engine takes, reported by the engine itself. Each explanation ends with the \
            smallest changes that would turn the verdict; each was tried on that very attestation.
            """,
            """
            Of a scenario, the requests of the device are explained: which token they carried, which pins applied, what \
            was presented, and who refused. The device may be named by its group, if that has no other one.
            """,
        ],
        examples: [
            CommandExample(
                line: "scenario explain day.jsonl.gz --account prod.yaml --device w4mmGFZkpz5oPz6w6gl1Cw==",
                summary: "Why a device gets no valid tokens, and what would help."
            ),
            CommandExample(
                line: "scenario explain Scenarios/requests/one-customer-is-blocked.yaml --device customer",
                summary: "Why a customer's requests are blocked."
            ),
        ]
    )

    /// Whose attestations are explained.
    private static let deviceOption = OptionDefinition(
        name: "--device",
        value: .text(placeholder: "ID"),
        summary: "Explain the attestations of this device."
    )

    /// The form of the explanations.
    private static let formatOption = OptionDefinition.format(
        PlainFormat.self, summary: "Write the explanations in this form; by default text.")

    /// Runs the command.
    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        if let path = arguments.operands.first, ScenarioFiles.isScenario(path) {
            return try explainRequests(path, arguments, console)
        }
        let device = try device(arguments)
        var request = try CaptureOptions.request(arguments)
        var diagnostics = Diagnostics()
        let account = AccountOptions.account(arguments, diagnostics: &diagnostics)
        console.show(diagnostics)
        guard let account else { return .invalidInput }
        request.account = account
        request.redactor = console.redaction?.redactor
        let line = ProgressLine(console: console, isShown: !arguments.isSet(.noProgress))
        let outcome = CaptureExplanation(
            request, device: device, progress: line.progress
        ).run()
        line.clear()
        console.show(outcome.diagnostics)
        guard let explanations = outcome.explanations else { return .invalidInput }
        guard !explanations.isEmpty else {
            console.show(error: "the captures hold no attestation of device \(device)")
            return .nothingRan
        }
        let bytes =
            switch arguments.choice(of: formatOption, as: PlainFormat.self) ?? .text {
            case .text:
                Array(
                    TextWriter(style: ReportOutput.style(arguments, console)).text(of: explanations.map(\.section)).utf8
                )
            case .json: JSONExplanation.bytes(of: explanations)
            }
        return ReportOutput.write(bytes, arguments: arguments, console: console) ? .success : .invalidInput
    }

    // The requests of a scenario (R19).
    private static func explainRequests(
        _ path: String, _ arguments: ParsedArguments, _ console: Console
    ) throws(UsageError) -> ExitStatus {
        guard arguments.operands.count == 1 else {
            throw UsageError(
                "one scenario is explained at a time", hint: "its requests are those of that scenario alone")
        }
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.load(path: path, isChecked: false, diagnostics: &diagnostics)
        guard let scenario, !diagnostics.hasErrors else {
            console.show(diagnostics)
            return .invalidInput
        }
        let tracing = RequestTracing(scenario, seed: arguments.integer(of: .seed, as: UInt64.self))
        let named = arguments.value(of: deviceOption).flatMap(tracing.device)
        let device =
            if let named { named } else { try device(arguments, called: "a device ID or a group of one device") }
        let explanations = tracing.run(device, diagnostics: &diagnostics).map(RequestExplanation.init)
        console.show(diagnostics)
        guard !diagnostics.hasErrors else { return .invalidInput }
        guard !explanations.isEmpty else {
            console.show(error: "the scenario has no request of device \(device); steps `request` make requests")
            return .nothingRan
        }
        let bytes =
            switch arguments.choice(of: formatOption, as: PlainFormat.self) ?? .text {
            case .text:
                Array(
                    TextWriter(style: ReportOutput.style(arguments, console)).text(of: explanations.map(\.section)).utf8
                )
            case .json: JSONRequestExplanation.bytes(of: explanations)
            }
        return ReportOutput.write(bytes, arguments: arguments, console: console) ? .success : .invalidInput
    }

    private static func device(
        _ arguments: ParsedArguments, called name: String = "a device ID"
    ) throws(UsageError) -> DeviceID {
        guard let text = arguments.value(of: deviceOption) else {
            throw UsageError("option `--device ID` is missing", hint: "it names whose decisions are explained")
        }
        guard let device = DeviceID(text), !device.isFilteredPolicy else {
            throw UsageError(
                "`--device` takes \(name), not \(UsageError.quote(text))",
                hint: "22 characters of A–Z a–z 0–9 + / and then `==`")
        }
        return device
    }
}
