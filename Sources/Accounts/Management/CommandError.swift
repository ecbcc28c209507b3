internal import Documents

/// Why a management command cannot be carried out.
package struct CommandError: DescribedError, Hashable {
    /// What is wrong, for people.
    package let description: String
    /// What might help.
    package let hint: String?

    package init(_ description: String, hint: String? = nil) {
        self.description = description
        self.hint = hint
    }

    /// Takes the words of another error.
    init(_ error: some DescribedError) {
        self.init(error.description, hint: error.help)
    }

    /// Carries out a step, whose error becomes that of the command.
    static func wrapping<Value, Failure: DescribedError>(
        _ step: () throws(Failure) -> Value
    ) throws(CommandError) -> Value {
        do throws(Failure) {
            return try step()
        } catch {
            throw CommandError(error)
        }
    }
}
