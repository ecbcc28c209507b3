extension ReplayCommand {
    /// What can be typed after `replay`.
    static let definition = CommandDefinition(
        name: "replay",
        summary: "Replay captured attestations through an account.",
        operands: OperandDefinition(
            placeholder: "CAPTURE",
            summary: "A capture, plain, .gz or .zst; - is standard input.",
            minimum: 1,
            maximum: nil
        ),
        options: [
            accountOption, policyOption, changeOption, fetchesOption, formatOption, .output, .decisions,
            tokensOption, domainOption, .series, .jobs, skipMalformedOption, malformedOption, sortOption,
            timezoneOption,
            inputFormatOption, .noProgress,
        ],
        discussion: [
            """
            The report says how many of the captured verdicts the engine reproduces. A malformed record ends in \
            exit 2 without a report, after all records were looked at.
            """
        ],
        examples: [
            CommandExample(
                line: "scenario replay --account account.yaml capture.txt",
                summary: "What the account decides about each captured attestation."
            ),
            CommandExample(
                line: #"scenario replay --account prod.yaml --change "policy -set default,allow-root,risk" day.gz"#,
                summary: "The same under another policy."
            ),
        ]
    )

    /// What the captures are replayed through.
    static let accountOption = OptionDefinition(
        name: "--account",
        value: .text(placeholder: "FILE"),
        summary: "Replay through the account in FILE; by default a new one."
    )

    /// Replaces the policy of the account.
    static let policyOption = OptionDefinition(
        name: "--policy",
        value: .text(placeholder: "SPEC"),
        summary: "Apply this security policy instead of the one of the account."
    )

    /// Changes the account first.
    static let changeOption = OptionDefinition(
        name: "--change",
        value: .text(placeholder: "COMMAND"),
        summary: "Change the account by a management command before the replay, in the order given.",
        isRepeatable: true
    )

    /// Weighs devices by how often they fetch.
    static let fetchesOption = OptionDefinition(
        name: "--fetches",
        value: .text(placeholder: "FILE"),
        summary: "Weigh devices by how often they fetch tokens, as FILE lists it."
    )

    /// The form of the report.
    static let formatOption = OptionDefinition(
        name: "--format",
        value: .choice(["text", "json"]),
        summary: "Write the report in this form; by default text."
    )

    /// Where the tokens go.
    static let tokensOption = OptionDefinition(
        name: "--tokens",
        value: .text(placeholder: "FILE"),
        summary: "Write the token of every attestation to FILE, a line each, in input order; - is standard output."
    )

    /// Which tokens they are.
    static let domainOption = OptionDefinition(
        name: "--domain",
        value: .text(placeholder: "DOMAIN"),
        summary: "Write tokens for this API domain; needed where the account serves none or several."
    )

    /// Goes on after malformed records.
    static let skipMalformedOption = OptionDefinition(
        name: "--skip-malformed",
        summary: "Report on the other records and count malformed ones as fail-bad-request."
    )

    /// Keeps malformed records.
    static let malformedOption = OptionDefinition(
        name: "--malformed",
        value: .text(placeholder: "FILE"),
        summary: "Write malformed records to FILE."
    )

    /// Takes captures out of time order.
    static let sortOption = OptionDefinition(
        name: "--sort",
        summary: "Sort captures that are out of time order instead of refusing them."
    )

    /// Helps with time zones that have no offset of their own.
    static let timezoneOption = OptionDefinition(
        name: "--timezone",
        value: .text(placeholder: "±hh:mm"),
        summary: "Read the names of unknown time zones as this offset from UTC."
    )

    /// Overrides what the content of a capture tells of its form.
    static let inputFormatOption = OptionDefinition(
        name: "--input-format",
        value: .choice(["info", "fetches", "jsonl"]),
        summary: "Read captures in this form, whatever their content looks like."
    )
}
