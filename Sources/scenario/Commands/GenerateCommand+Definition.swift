internal import Scenarios

extension GenerateCommand {
    /// What can be typed after `generate`.
    static let definition = CommandDefinition(
        name: "generate",
        summary: "Write the devices of a scenario as a capture of any size.",
        operands: OperandDefinition(
            placeholder: "SCENARIO",
            summary: "A scenario with one account; its steps and expectations are not looked at."
        ),
        options: [
            eventsOption, startOption, durationOption, formatOption, verdictsOption, seedOption, outputOption,
            .noProgress,
        ],
        discussion: [
            """
            The devices are those of a run with the same seed. They attest in the order of time, as `activity` in the \
            scenario says how often and at which hours; without it all alike, at any hour. The flags are those that \
            the service sees, registrations, DeviceCheck and SafetyNet included. Same scenario, options and seed, same \
            bytes on every machine. Memory grows with the devices and not with the attestations.
            """
        ],
        examples: [
            CommandExample(
                line: "scenario generate population.yaml --events 1000000 --output day.txt",
                summary: "A day of a million attestations, as `device -getInfo` would print them."
            ),
            CommandExample(
                line: "scenario generate population.yaml --events 1000000 --format jsonl | zstd > day.jsonl.zst",
                summary: "The same as JSON Lines, compressed on the way."
            ),
        ]
    )

    /// How much is written.
    static let eventsOption = OptionDefinition(
        name: "--events",
        value: .integer(placeholder: "N", in: 1...UInt64(GenerationRequest.eventLimit)),
        summary: "Write N attestations; by default as many as there are devices."
    )

    /// When it begins.
    static let startOption = OptionDefinition(
        name: "--start",
        value: .text(placeholder: "INSTANT"),
        summary: "Begin at INSTANT instead of the scenario's start, such as 2020-07-23T00:00:00Z."
    )

    /// How long it goes on.
    static let durationOption = OptionDefinition(
        name: "--duration",
        value: .text(placeholder: "TIME"),
        summary: "Spread the attestations over TIME, such as 1h30m or 7d; by default 1d."
    )

    /// The form of the capture.
    static let formatOption = OptionDefinition(
        name: "--format",
        value: .choice(of: GeneratedFormat.self),
        summary: "Write device information or JSON Lines; by default info."
    )

    /// Tells verdicts, too.
    static let verdictsOption = OptionDefinition(
        name: "--verdicts",
        summary: "Tell in `rejection-flags` what the scenario's account rejects each attestation for."
    )

    /// Replaces the scenario's seed.
    static let seedOption = OptionDefinition(
        name: "--seed",
        value: .integer(placeholder: "N", in: 0...UInt64.max),
        summary: "Draw everything from the seed N instead of the scenario's."
    )

    /// Where the capture goes; the same option as everywhere, with its own words.
    static let outputOption = OptionDefinition(
        name: OptionDefinition.output.name,
        value: OptionDefinition.output.value,
        summary: "Write the capture to FILE instead of standard output; - is standard output, too."
    )
}
