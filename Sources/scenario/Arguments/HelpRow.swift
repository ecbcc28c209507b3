/// A line of a help table: what can be typed, and what that does.
struct HelpRow: Hashable, Sendable {
    /// What can be typed.
    let label: String
    /// What that does.
    let text: String

    /// A row for what stands beside the options.
    init(_ operands: OperandDefinition) {
        self.init(label: operands.placeholder, text: operands.summary)
    }

    /// A row for an option.
    init(_ option: OptionDefinition) {
        let repetition = option.isRepeatable ? " May be given more than once." : ""
        self.init(label: option.label, text: option.summary + repetition)
    }

    /// A row for a command.
    init(_ command: CommandDefinition) {
        self.init(label: command.name, text: command.summary)
    }

    private init(label: String, text: String) {
        (self.label, self.text) = (label, text)
    }
}
