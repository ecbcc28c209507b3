/// Why a management command cannot be carried out.
package struct CommandError: Error, Hashable, Sendable {
    /// What is wrong, for people.
    package let message: String
    /// What might help.
    package let hint: String?

    package init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }
}
