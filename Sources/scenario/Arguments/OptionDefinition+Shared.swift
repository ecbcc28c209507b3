/// The options that mean the same wherever they stand.
extension OptionDefinition {
    /// Shows the help; every command has it without listing it.
    static let help = OptionDefinition(name: "--help", summary: "Show this help.")

    /// Where the report goes.
    static let output = OptionDefinition(
        name: "--output",
        value: .text(placeholder: "FILE"),
        summary: "Write the report to FILE instead of standard output."
    )

    /// Where the single decisions go.
    static let decisions = OptionDefinition(
        name: "--decisions",
        value: .text(placeholder: "FILE"),
        summary: "Write every decision to FILE as JSON Lines, in input order; - is standard output."
    )

    /// Keeps metrics by minute.
    static let series = OptionDefinition(
        name: "--series",
        summary: "Write the live metrics of every minute into the report, too; needs --format json."
    )

    /// How much is done at the same time.
    static let jobs = OptionDefinition(
        name: "--jobs",
        value: .integer(placeholder: "N", in: 1...1024),
        summary: "Work on at most N threads. The results do not depend on it."
    )

    /// Keeps standard error free of progress bars.
    static let noProgress = OptionDefinition(
        name: "--no-progress",
        summary: "Show no progress, not even on a terminal."
    )
}
