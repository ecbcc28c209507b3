extension ExplainCommand {
    /// What can be typed after `explain`.
    static let definition = CommandDefinition(
        name: "explain",
        summary: "Explain every decision on one device, step by step.",
        operands: OperandDefinition(
            placeholder: "CAPTURE",
            summary: "A capture, plain, .gz or .zst; - is standard input.",
            minimum: 1,
            maximum: nil
        ),
        options: [
            deviceOption, ReplayCommand.accountOption, ReplayCommand.policyOption, ReplayCommand.changeOption, .output,
            ReplayCommand.skipMalformedOption, ReplayCommand.malformedOption, ReplayCommand.sortOption,
            ReplayCommand.timezoneOption, ReplayCommand.inputFormatOption, .noProgress,
        ],
        discussion: [
            """
            The steps are those that the engine takes, told by the engine itself. Each explanation ends with the \
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
    static let deviceOption = OptionDefinition(
        name: "--device",
        value: .text(placeholder: "ID"),
        summary: "Explain the attestations of this device."
    )
}
