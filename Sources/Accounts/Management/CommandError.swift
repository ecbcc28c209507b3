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

/// Lists as the management commands print them.
enum ListText {
    /// The first line of a list, with the number of its items, such as `1 device:`.
    static func heading(_ count: Int, _ singular: String, _ plural: String) -> String {
        "\(count) \(count == 1 ? singular : plural):"
    }

    /// Names, each with further text, in two columns.
    ///
    /// - Parameters:
    ///   - rows: The names and the rest of each line.
    ///   - gap: The spaces behind the longest name.
    static func columns(_ rows: [(name: String, rest: String)], gap: Int = 2) -> [String] {
        let width = (rows.map(\.name.count).max() ?? 0) + gap
        return rows.map { " " + pad($0.name, to: width) + $0.rest }
    }

    /// A text with spaces behind it.
    static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
