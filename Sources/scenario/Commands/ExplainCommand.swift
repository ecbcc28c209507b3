internal import Documents
internal import PolicyEngine
internal import Replay
internal import Reports

/// `scenario explain`: why a device got what it got.
enum ExplainCommand {
    /// Runs the command.
    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        let device = try device(arguments)
        var request = try ReplayCommand.request(arguments)
        var diagnostics = Diagnostics()
        let account = AccountOption.account(arguments, diagnostics: &diagnostics)
        console.show(diagnostics)
        guard let account else { return .invalidInput }
        request.account = account
        let line = ProgressLine(console: console)
        let isShown = console.showsProgress && !arguments.isSet(.noProgress)
        let outcome = CaptureExplanation(
            request, device: device, progress: isShown ? line.progress : Progress()
        ).run()
        line.clear()
        console.show(outcome.diagnostics)
        guard let explanations = outcome.explanations else { return .invalidInput }
        guard !explanations.isEmpty else {
            console.error("scenario: error: the captures hold no attestation of device \(device)\n")
            return .nothingRan
        }
        let style = arguments.value(of: .output) == nil ? console.style : .plain
        let text = TextWriter(style: style).text(of: explanations.map(\.section))
        return ReportOutput.write(Array(text.utf8), arguments: arguments, console: console) ? .success : .invalidInput
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
