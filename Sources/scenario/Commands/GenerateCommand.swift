internal import CLibrary
internal import Documents
internal import PolicyEngine
internal import Scenarios

/// `scenario generate`: the devices of a scenario as a capture.
enum GenerateCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "generate",
        summary: "Write the devices of a scenario as a capture of any size.",
        operands: .files(
            "SCENARIO", "A scenario with one account; its steps and expectations are ignored.", maximum: 1),
        options: [
            eventsOption, startOption, durationOption, formatOption, verdictsOption, seed, output, .allowOutside,
            .noProgress,
        ],
        discussion: [
            """
            The devices are those of a run with the same seed. `activity` of the scenario says how often and at which \
            hours they attest; by default all devices attest equally often, at any hour. The records are in the order \
            of time, with the flags that the service sees, including registrations, DeviceCheck and SafetyNet. The same \
            scenario, options and seed give the same bytes on every machine. Memory grows with the devices and not with \
            the attestations.
            """
        ],
        examples: [
            "scenario generate population.yaml --events 1000000 --output day.txt":
                "A day of a million attestations, as `device -getInfo` would print them.",
            "scenario generate population.yaml --events 1000000 --format jsonl | zstd > day.jsonl.zst":
                "The same as JSON Lines, compressed on the way.",
        ]
    )

    private static let eventsOption = OptionDefinition(
        "--events", "Write N attestations; by default as many as there are devices.",
        .integer(placeholder: "N", in: 1...UInt64(GenerationRequest.eventLimit)))

    private static let startOption = OptionDefinition(
        "--start", "Begin at INSTANT instead of the scenario's start, such as 2020-07-23T00:00:00Z.",
        .text(placeholder: "INSTANT"))

    private static let durationOption = OptionDefinition(
        "--duration", "Spread the attestations over TIME, such as 1h30m or 7d; by default 1d.",
        .text(placeholder: "TIME"))

    private static let formatOption = OptionDefinition.format(
        .choice(of: GeneratedFormat.self),
        summary: "Write device information or JSON Lines; by default what the ending of --output says, or else info.")

    private static let verdictsOption = OptionDefinition(
        "--verdicts", "Write the rejections of each attestation by the scenario's account, as `rejection-flags`.")

    private static let seed = OptionDefinition.seed.described(
        as: "Draw everything from the seed N instead of the scenario's.")

    private static let output = OptionDefinition.output.described(
        as: "Write the capture to FILE instead of standard output; - is standard output, too.")

    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        let (start, duration) = (try start(arguments), try duration(arguments))
        var diagnostics = Diagnostics()
        // Only the population is wanted, and so nothing need be expected of it.
        let scenario = ScenarioLoader.load(
            path: arguments.operands[0], isChecked: false, within: arguments.boundary(), diagnostics: &diagnostics)
        console.show(diagnostics)
        guard let scenario else { return .invalidInput }
        var request = GenerationRequest(count: arguments.integer(of: eventsOption) ?? max(1, scenario.deviceCount))
        request.start = start
        request.duration = duration ?? request.duration
        request.seed = arguments.integer(of: seed, as: UInt64.self)
        request.format =
            arguments.choice(of: formatOption, as: GeneratedFormat.self) ?? form(arguments) ?? request.format
        request.includesVerdicts = arguments.isSet(verdictsOption)
        request.path = arguments.value(of: output) ?? request.path
        return generate(scenario, request, arguments, console)
    }

    private static func form(_ arguments: ParsedArguments) -> GeneratedFormat? {
        let ending = arguments.value(of: output).flatMap(OutputForms.ending)
        return ending.map { ["json", "jsonl", "ndjson"].contains($0) } == true ? .jsonl : nil
    }

    private static func generate(
        _ scenario: Scenario, _ request: GenerationRequest, _ arguments: ParsedArguments, _ console: Console
    ) -> ExitStatus {
        // A reader that goes away shows as a failure to write, however this process was started.
        signal(SIGPIPE, SIG_IGN)
        let line = ProgressLine(console: console, isShown: !arguments.isSet(.noProgress))
        let generation = Generation(scenario, request, progress: line.progress)
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
        console.show(Diagnostic(failure, in: failure.output ?? scenario.file))
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
