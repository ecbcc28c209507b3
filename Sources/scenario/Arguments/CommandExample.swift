/// A command line worth showing, and what it does.
struct CommandExample: Hashable, Sendable {
    /// The command line as it is typed in a shell.
    let line: String
    /// One sentence for the help.
    let summary: String
}
