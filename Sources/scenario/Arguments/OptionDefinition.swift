/// One option of a command: the parser, the help and the suggestions all read this value.
struct OptionDefinition: Hashable, Sendable {
    /// The name as it is typed, with its two dashes: `--format`.
    let name: String
    /// What follows the name.
    let value: OptionValue
    /// One sentence for the help.
    let summary: String
    /// Whether it may be given more than once; all its values count, in order.
    let isRepeatable: Bool

    /// Makes an option that may be given once, unless said otherwise.
    init(name: String, value: OptionValue = .nothing, summary: String, isRepeatable: Bool = false) {
        (self.name, self.value, self.summary, self.isRepeatable) = (name, value, summary, isRepeatable)
    }

    /// The name and what follows it, as the help shows them: `--output FILE`.
    var label: String {
        value.placeholder.map { "\(name) \($0)" } ?? name
    }
}
