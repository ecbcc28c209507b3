internal import Reports

extension RunCommand {
    /// What can be typed after `run`.
    static let definition = CommandDefinition(
        name: "run",
        summary: "Replay scenarios and check what they expect.",
        operands: OperandDefinition(
            placeholder: "PATH",
            summary: "A scenario, or a folder that is searched for scenarios; by default Scenarios/.",
            minimum: 0,
            maximum: nil
        ),
        options: [
            nameOption, tagOption, formatOption, timingsOption, .output, .decisions, printedOption, coverageOption,
            minimumCoverageOption, allowEmptyOption, .series, .jobs, seedOption, verboseOption, .noProgress,
        ],
        discussion: [
            """
            Exits with 0 when everything held, 1 when an expectation failed, 2 when a scenario is invalid, 4 when \
            less was exercised than --min-coverage asks for, and 5 when no scenario was selected or none \
            expects anything.
            """
        ],
        examples: [
            CommandExample(line: "scenario run", summary: "Every scenario below Scenarios/."),
            CommandExample(
                line: "scenario run --tag rooted --verbose Scenarios/policy.yaml",
                summary: "The scenarios of one file that carry a tag, with every step they take."
            ),
            CommandExample(
                line: "scenario run --format json --output report.json",
                summary: "The same report for a program to read."
            ),
        ]
    )

    /// Selects by name.
    static let nameOption = OptionDefinition(
        name: "--name",
        value: .text(placeholder: "REGEX"),
        summary: "Run only scenarios in whose name REGEX is found."
    )

    /// Selects by tag.
    static let tagOption = OptionDefinition(
        name: "--tag",
        value: .text(placeholder: "T"),
        summary: "Run only scenarios that carry the tag T, which some scenario must carry.",
        isRepeatable: true
    )

    /// The form of the report.
    static let formatOption = OptionDefinition(
        name: "--format",
        value: .choice(of: RunFormat.self),
        summary: "Write the report in this form; by default text."
    )

    /// Replaces the seed of every scenario.
    static let seedOption = OptionDefinition(
        name: "--seed",
        value: .integer(placeholder: "N", in: 0...UInt64.max),
        summary: "Draw populations from the seed N instead of the one in each scenario."
    )

    /// Keeps what commands print.
    static let printedOption = OptionDefinition(
        name: "--printed",
        value: .text(placeholder: "FILE"),
        summary: "Write what the management commands of the scenarios print to FILE, such as a capture for `replay`."
    )

    /// Lets time into the report.
    static let timingsOption = OptionDefinition(
        name: "--timings",
        summary: "Tell in the report how long each scenario took, in forms that have a place for it."
    )

    /// Tells what was exercised.
    static let coverageOption = OptionDefinition(
        name: "--coverage",
        summary: "Tell which presets, flags, filters and entries were exercised."
    )

    /// A gate.
    static let minimumCoverageOption = OptionDefinition(
        name: "--min-coverage",
        value: .text(placeholder: "P%"),
        summary: "Exit with 4 when a smaller share of all was exercised; includes --coverage."
    )

    /// Lets scenarios expect nothing.
    static let allowEmptyOption = OptionDefinition(
        name: "--allow-empty",
        summary: "Exit with 0 although no scenario expects anything."
    )

    /// Shows the steps.
    static let verboseOption = OptionDefinition(name: "--verbose", summary: "Show every step of every scenario.")
}
