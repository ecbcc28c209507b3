extension ArcCommand {
    /// What can be typed after `arc`.
    static let definition = CommandDefinition(
        name: "arc",
        summary: "Tell what an attestation response code means.",
        operands: OperandDefinition(
            placeholder: "CODE|FLAGS",
            summary: "A code; with --encode, flags joined by commas, or nothing for none.",
            minimum: 0
        ),
        options: [accountOption, encodeOption],
        discussion: [
            """
            Prints the answer of the service's arc-info endpoint. A code that the account did not issue, or that was \
            mistyped, has the status "arc invalid"; that is an answer too, and exits with 0. Codes may be typed in \
            lower case; nothing else about them is guessed.
            """
        ],
        examples: [
            CommandExample(
                line: "scenario arc KTF6LXEPX4 --account account.yaml",
                summary: "Whether the attestation passed, and the flags of the device."
            ),
            CommandExample(
                line: "scenario arc --encode failed rooted,xposed --account account.yaml",
                summary: "The code that such a device would have got."
            ),
        ]
    )

    /// Whose codes they are.
    static let accountOption = OptionDefinition(
        name: "--account",
        value: .text(placeholder: "FILE"),
        summary: "The account that issues the codes; needed, because nobody else can read them."
    )

    /// The other way round.
    static let encodeOption = OptionDefinition(
        name: "--encode",
        value: .choice(["passed", "failed"]),
        summary: "Print the code of an attestation that ended so and had FLAGS."
    )
}
