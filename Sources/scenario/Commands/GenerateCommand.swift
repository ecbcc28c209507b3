internal import CLibrary
internal import Documents
internal import PolicyEngine
internal import Scenarios

/// `scenario generate`: the devices of a scenario as a capture.
extension Command {
    static let generate = Command(
        "generate", "Write the devices of a scenario as a capture of any size.",
        .files("SCENARIO", "A scenario with one account; its steps and expectations are ignored.", maximum: 1),
        options: [
            eventsOption, startOption, durationOption, formatOption, verdictsOption, seed, output,
            Options.allowOutside, Options.noProgress,
        ],
        discussion: """
            The devices are those of a run with the same seed. `activity` of the scenario says how often and at
            which hours they attest; by default all devices attest equally often, at any hour. The records are in
            the order of time, with the flags that the service sees, including registrations, DeviceCheck and
            SafetyNet. The same scenario, options and seed give the same bytes on every machine. Memory grows with
            the devices and not with the attestations.
            """,
        examples: [
            "scenario generate population.yaml --events 1000000 --output day.txt":
                "A day of a million attestations, as `device -getInfo` would print them.",
            "scenario generate population.yaml --events 1000000 --format jsonl | zstd > day.jsonl.zst":
                "The same as JSON Lines, compressed on the way.",
        ],
        answer: answer)

    private static let eventsOption = Option(
        "--events", "Write N attestations; by default as many as there are devices.",
        .integer("N", in: 1...GenerationRequest.eventLimit))
    private static let startOption = Option(
        "--start", "Begin at INSTANT instead of the scenario's start, such as 2020-07-23T00:00:00Z.", .text("INSTANT"))
    private static let durationOption = Option(
        "--duration", "Spread the attestations over TIME, such as 1h30m or 7d; by default 1d.", .text("TIME"))
    private static let formatOption = Option(
        Options.formatName, letter: "f",
        "Write device information or JSON Lines; by default what the ending of --output says, or else info.",
        .choice(of: GeneratedFormat.self), in: .output)
    private static let verdictsOption = Option(
        "--verdicts", "Write the rejections of each attestation by the scenario's account, as `rejection-flags`.")
    private static let seed = Options.seed.described(as: "Draw everything from the seed N instead of the scenario's.")
    private static let output = Options.output.described(
        as: "Write the capture to FILE instead of standard output; - is standard output, too.")

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        let (start, duration) = (try start(call.arguments), try duration(call.arguments))
        var diagnostics = Diagnostics()
        // Only the population is wanted, and so nothing need be expected of it.
        let scenario = ScenarioLoader.load(
            path: call.operands[0], isChecked: false, within: call.arguments.boundary(), diagnostics: &diagnostics)
        call.console.show(diagnostics)
        guard let scenario else { return .invalidInput }
        var request = GenerationRequest(count: call[eventsOption] ?? max(1, scenario.deviceCount))
        request.start = start
        request.duration = duration ?? request.duration
        request.seed = call[seed]
        request.format = call[formatOption] ?? form(call.arguments) ?? request.format
        request.includesVerdicts = call[verdictsOption]
        request.path = call[output] ?? request.path
        return generate(scenario, request, call)
    }

    private static func form(_ arguments: ParsedArguments) -> GeneratedFormat? {
        let ending = arguments[output].flatMap(OutputForms.ending)
        return ending.map { ["json", "jsonl", "ndjson"].contains($0) } == true ? .jsonl : nil
    }

    private static func generate(
        _ scenario: Scenario, _ request: GenerationRequest, _ call: CommandCall
    ) -> ExitStatus {
        // A reader that goes away shows as a failure to write, however this process was started.
        signal(SIGPIPE, SIG_IGN)
        let line = ProgressLine(console: call.console, isShown: !call[Options.noProgress])
        defer { line.clear() }
        do throws(GenerationFailure) {
            try request.generate(from: scenario, progress: line.progress)
            return .success
        } catch {
            line.clear()
            return status(of: error, for: scenario, call.console)
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

    private static func start(_ arguments: ParsedArguments) throws(CommandFailure) -> Instant? {
        guard let text = arguments[startOption] else { return nil }
        if let start = Instant(rfc3339: text) { return start }
        throw .usage("`\(startOption.name)` takes an instant such as `2020-07-23T00:00:00Z`, not \(text.asTyped)")
    }

    private static func duration(_ arguments: ParsedArguments) throws(CommandFailure) -> Int? {
        guard let text = arguments[durationOption] else { return nil }
        var hint: String?
        do throws(DurationError) {
            let duration = try DurationText.parse(text)
            if duration > 0 { return duration }
        } catch {
            hint = error.hint
        }
        throw .usage(
            "`\(durationOption.name)` takes a time of a second or more such as `1h30m`, not \(text.asTyped)",
            hint: hint)
    }
}
