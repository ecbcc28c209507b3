/// Everything that can be typed after the name of one command.
struct CommandDefinition: Hashable, Sendable {
    /// The name as it is typed: `replay`.
    let name: String
    /// One sentence for the list of commands.
    let summary: String
    /// What stands beside the options; `nil` when nothing may.
    let operands: OperandDefinition?
    /// The options in the order of the help, without `--help`.
    let options: [OptionDefinition]
    /// What the help says below the options, a paragraph each.
    let discussion: [String]
    /// Command lines worth showing.
    let examples: [CommandExample]

    /// Makes a definition.
    init(
        name: String,
        summary: String,
        operands: OperandDefinition? = nil,
        options: [OptionDefinition] = [],
        discussion: [String] = [],
        examples: [CommandExample] = []
    ) {
        (self.name, self.summary, self.operands, self.options) = (name, summary, operands, options)
        (self.discussion, self.examples) = (discussion, examples)
    }

    /// The options with `--help`, in the order of the help.
    var allOptions: [OptionDefinition] { options + [.help] }
}
