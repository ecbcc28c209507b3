internal import Documents
internal import PolicyEngine
internal import Replay
internal import Reports

/// `scenario explain`: why a device got what it got.
enum ExplainCommand: ToolCommand {
    /// What can be typed after `explain`.
    static let definition = CommandDefinition(
        name: "explain",
        summary: "Explain every decision on one device, step by step.",
        operands: OperandDefinition(
            placeholder: "CAPTURE",
            summary: "A capture, plain, .gz or .zst; - is standard input.",
            kind: .files,
            minimum: 1,
            maximum: nil
        ),
        options: [deviceOption, .account, .policy, .change, formatOption, .output] + RedactionOptions.all
            + OptionDefinition.captureReading + [
                .noProgress
            ],
        discussion: [
            """
            The steps are those that the engine takes, reported by the engine itself. Each explanation ends with the \
            smallest changes that would turn the verdict; each was tried on that very attestation.
            """
        ],
        examples: [
            CommandExample(
                line: "scenario explain day.jsonl.gz --account prod.yaml --device w4mmGFZkpz5oPz6w6gl1Cw==",
                summary: "Why a device gets no valid tokens, and what would help."
            )
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

    private static func device(_ arguments: ParsedArguments) throws(UsageError) -> DeviceID {
        guard let text = arguments.value(of: deviceOption) else {
            throw UsageError("option `--device ID` is missing", hint: "it names whose decisions are explained")
        }
        guard let device = DeviceID(text), !device.isFilteredPolicy else {
            throw UsageError(
                "`--device` takes a device ID, not \(UsageError.quote(text))",
                hint: "22 characters of A–Z a–z 0–9 + / and then `==`")
        }
        return device
    }
}
