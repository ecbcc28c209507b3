internal import Documents
internal import Glibc
internal import PolicyEngine
internal import Scenarios

/// `scenario generate`: the devices of a scenario as a capture.
enum GenerateCommand {
    /// Runs the command.
    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        let (start, duration) = (try start(arguments), try duration(arguments))
        var diagnostics = Diagnostics()
        // Only the population is wanted, and so nothing need be expected of it.
        let scenario = ScenarioLoader.load(path: arguments.operands[0], isChecked: false, diagnostics: &diagnostics)
        console.show(diagnostics)
        guard let scenario else { return .invalidInput }
        var request = GenerationRequest(count: arguments.integer(of: eventsOption) ?? max(1, scenario.deviceCount))
        request.start = start
        request.duration = duration ?? request.duration
        request.seed = arguments.integer(of: seedOption, as: UInt64.self)
        request.format = arguments.choice(of: formatOption, as: GeneratedFormat.self) ?? request.format
        request.includesVerdicts = arguments.isSet(verdictsOption)
        request.path = arguments.value(of: outputOption) ?? request.path
        return generate(scenario, request, arguments, console)
    }

    private static func generate(
        _ scenario: Scenario, _ request: GenerationRequest, _ arguments: ParsedArguments, _ console: Console
    ) -> ExitStatus {
        // A reader that goes away is told by the failure to write, however this process was started.
        signal(SIGPIPE, SIG_IGN)
        let line = ProgressLine(console: console)
        let isShown = console.showsProgress && !arguments.isSet(.noProgress)
        let generation = Generation(scenario, request, progress: isShown ? line.progress : Progress())
        defer { line.clear() }
        do throws(GenerationFailure) {
            try generation.run()
            return .success
        } catch {
            line.clear()
            return status(of: error, for: scenario, console)
        }
    }

    private static func status(
        of failure: GenerationFailure, for scenario: Scenario, _ console: Console
    ) -> ExitStatus {
        // A reader that has enough, such as `head`, is no failure.
        if case .output(_, let reason) = failure, reason.isClosedPipe { return .success }
        console.show(Diagnostics(failure.diagnostic(file: scenario.file)))
        return failure == .nobody ? .nothingRan : .invalidInput
    }

    private static func start(_ arguments: ParsedArguments) throws(UsageError) -> Instant? {
        guard let text = arguments.value(of: startOption) else { return nil }
        if let start = Instant(rfc3339: text) { return start }
        throw UsageError(
            "`\(startOption.name)` takes an instant such as `2020-07-23T00:00:00Z`, not \(UsageError.quote(text))")
    }

    private static func duration(_ arguments: ParsedArguments) throws(UsageError) -> Int? {
        guard let text = arguments.value(of: durationOption) else { return nil }
        var hint: String?
        do throws(DurationError) {
            let duration = try DurationText.parse(text)
            if duration > 0 { return duration }
        } catch {
            hint = error.hint
        }
        throw UsageError(
            "`\(durationOption.name)` takes a time of a second or more such as `1h30m`, not \(UsageError.quote(text))",
            hint: hint)
    }
}
