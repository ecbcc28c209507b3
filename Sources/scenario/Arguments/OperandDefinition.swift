/// The arguments of a command that are not options.
struct OperandDefinition: Hashable, Sendable {
    /// What stands for one of them in the help: `PATH`.
    let placeholder: String
    /// One sentence for the help.
    let summary: String
    /// How many there must be.
    let minimum: Int
    /// How many there may be; `nil` sets no limit.
    let maximum: Int?
    /// Whether all that follows the first one belongs to it as it stands: another command line, with its own options.
    let isCommandLine: Bool

    /// Makes a definition; without bounds there must be exactly one.
    init(
        placeholder: String, summary: String, minimum: Int = 1, maximum: Int? = 1, isCommandLine: Bool = false
    ) {
        (self.placeholder, self.summary, self.minimum, self.maximum) = (placeholder, summary, minimum, maximum)
        self.isCommandLine = isCommandLine
    }

    /// As the usage line shows them: `CODE`, `[SPEC]`, `CAPTURE…` or `[PATH…]`.
    var label: String {
        let repeated = maximum == 1 ? placeholder : "\(placeholder)…"
        return minimum == 0 ? "[\(repeated)]" : repeated
    }
}
