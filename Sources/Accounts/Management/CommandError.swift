package import Documents

/// The reason why a management command cannot be carried out.
package struct CommandError: DescribedError, Hashable {
    /// The problem, for people.
    package let description: String
    /// A hint that might help.
    package let hint: String?

    /// True if the role may not give the command.
    package private(set) var isForbidden = false

    /// The same, of a command that the role may not give.
    var forbidden: CommandError {
        var error = self
        error.isForbidden = true
        return error
    }

    package init(_ description: String, hint: String? = nil) {
        self.description = description
        self.hint = hint
    }

    /// Takes the words of another error.
    ///
    /// - Parameters:
    ///   - error: The other error.
    ///   - subject: The text in front of the message, if there is one.
    ///   - hint: A hint that might help; `nil` takes that of the error.
    init(_ error: some DescribedError, about subject: String? = nil, hint: String? = nil) {
        self.init(error.message(about: subject), hint: hint ?? error.help)
    }

    /// Carries out a step, whose error becomes that of the command.
    ///
    /// - Parameters:
    ///   - subject: The text in front of the message, if there is one.
    ///   - hint: A hint that might help; `nil` takes that of the error.
    ///   - step: The step to carry out.
    package static func wrapping<Value, Failure: DescribedError>(
        about subject: @autoclosure () -> String? = nil, hint: String? = nil, _ step: () throws(Failure) -> Value
    ) throws(CommandError) -> Value {
        do throws(Failure) {
            return try step()
        } catch {
            throw CommandError(error, about: subject(), hint: hint)
        }
    }
}
