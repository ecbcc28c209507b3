/// An option of an action, beside what the action itself takes.
struct CommandOption: Sendable {
    /// The name with its dash, such as `-label`.
    let name: String
    /// What follows the name.
    let value: Value

    /// What an option takes.
    enum Value: Sendable {
        /// Nothing: the option is a switch.
        case nothing
        /// Any text but the empty one.
        case text
        /// Any text, the empty one too.
        case anyText
    }

    init(_ name: String, _ value: Value = .nothing) {
        self.name = name
        self.value = value
    }
}
