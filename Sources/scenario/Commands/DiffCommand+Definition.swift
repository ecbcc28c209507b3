internal import Reports

extension DiffCommand {
    /// What can be typed after `diff`.
    static let definition = CommandDefinition(
        name: "diff",
        summary: "Say what a change of policy would do to captured or simulated devices.",
        operands: OperandDefinition(
            placeholder: "PATH",
            summary: "A capture, plain, .gz or .zst; - is standard input. Or one scenario, a .yaml file.",
            minimum: 1,
            maximum: nil
        ),
        options: [
            ReplayCommand.accountOption, changeOption, changesOption, policyOption, candidateOption,
            ReplayCommand.fetchesOption, maximumRejectedOption, maximumAcceptedOption, formatOption, .output,
            RunCommand.seedOption, .jobs, ReplayCommand.skipMalformedOption, ReplayCommand.malformedOption,
            ReplayCommand.sortOption, ReplayCommand.timezoneOption, ReplayCommand.inputFormatOption, .noProgress,
        ],
        discussion: [
            """
            The account before is --account, or that of the scenario; the one after is made by exactly one of \
            --change, --changes, --policy and --candidate. Each side keeps its own memory of devices.
            """,
            """
            A device that would newly be rejected fails at least once where it passed. Past a gate the report is \
            written all the same, and the command exits with 4.
            """,
        ],
        examples: [
            CommandExample(
                line: #"scenario diff day.jsonl.gz --account prod.yaml --change "policy -set default,strict,risk""#,
                summary: "What the command would do to the devices of that day."
            ),
            CommandExample(
                line: "scenario diff day.txt --account prod.yaml --candidate next.yaml --max-newly-rejected 0.1%",
                summary: "A gate for CI: exits with 4 when more than 0.1 % of the devices would newly be rejected."
            ),
        ]
    )

    /// Changes the account.
    static let changeOption = OptionDefinition(
        name: "--change",
        value: .text(placeholder: "COMMAND"),
        summary: "Change the account by a management command, in the order given.",
        isRepeatable: true
    )

    /// Changes the account by a file.
    static let changesOption = OptionDefinition(
        name: "--changes",
        value: .text(placeholder: "FILE"),
        summary: "Change the account by the management commands in FILE, one a line; # starts a comment."
    )

    /// Changes the account's policy.
    static let policyOption = OptionDefinition(
        name: "--policy",
        value: .text(placeholder: "SPEC"),
        summary: "Change the account's security policy to SPEC."
    )

    /// Names the account after.
    static let candidateOption = OptionDefinition(
        name: "--candidate",
        value: .text(placeholder: "FILE"),
        summary: "Compare with the account in FILE."
    )

    /// A gate.
    static let maximumRejectedOption = OptionDefinition(
        name: "--max-newly-rejected",
        value: .text(placeholder: "N|P%"),
        summary: "Exit with 4 when more devices, or a larger share of them, would newly be rejected."
    )

    /// Another gate.
    static let maximumAcceptedOption = OptionDefinition(
        name: "--max-newly-accepted",
        value: .text(placeholder: "N|P%"),
        summary: "Exit with 4 when more devices, or a larger share of them, would newly be accepted."
    )

    /// The form of the report.
    static let formatOption = OptionDefinition(
        name: "--format",
        value: .choice(of: ComparisonFormat.self),
        summary: "Write the report in this form; by default text. Markdown is made for change requests."
    )
}
