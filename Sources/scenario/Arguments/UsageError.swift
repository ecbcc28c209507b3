internal import Documents

/// A command line that cannot be understood; ends the process with `ExitStatus.usage`.
struct UsageError: Error, Hashable, Sendable {
    /// The problem: lower case, no final period, user input quoted by `quote(_:)`.
    let message: String
    /// A correct form, if one is known.
    let hint: String?

    /// Makes an error from its words.
    init(_ message: String, hint: String? = nil) {
        (self.message, self.hint) = (message, hint)
    }

    /// Takes the words of another error.
    ///
    /// - Parameters:
    ///   - error: The other error.
    ///   - hint: Advice that might help; otherwise that of the error.
    init(_ error: some DescribedError, hint: String? = nil) {
        self.init(error.description.showingControls(), hint: hint ?? error.help)
    }

    /// Puts user input in backticks; control characters are escaped, so that a message stays on its line.
    static func quote(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return "`\(escaped.joined())`"
    }
}

extension UsageError: CustomStringConvertible {
    /// The message and its hint on one line, without the name of the tool.
    var description: String {
        hint.map { "\(message); \($0)" } ?? message
    }
}
