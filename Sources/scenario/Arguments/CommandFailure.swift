internal import Documents

/// Why a command has no answer.
enum CommandFailure: Error, Hashable, Sendable {
    /// The command line cannot be understood: the problem, in lower case and without a final period, and a correct form if one is
    /// known.
    case usage(String, hint: String? = nil)
    /// Something else, which was shown; and the status to exit with.
    case shown(ExitStatus)

    /// A command line that cannot be understood, in the words of another error.
    ///
    /// - Parameter hint: Advice that might help; otherwise that of the error.
    static func usage(by error: some DescribedError, hint: String? = nil) -> CommandFailure {
        .usage(error.description.showingControls(), hint: hint ?? error.help)
    }

    /// The status of a run, also of one that fails after showing why.
    static func status(of run: () throws(CommandFailure) -> ExitStatus) throws(CommandFailure) -> ExitStatus {
        do throws(CommandFailure) {
            return try run()
        } catch {
            guard case .shown(let status) = error else { throw error }
            return status
        }
    }

    /// The hint that names the nearest word.
    static func didYouMean(_ suggestion: String) -> String { "did you mean `\(suggestion)`?" }
}

extension CommandFailure: CustomStringConvertible {
    /// The problem and its hint on one line, without the name of the tool; nothing where it was shown.
    var description: String {
        guard case .usage(let message, let hint) = self else { return "" }
        return hint.map { "\(message); \($0)" } ?? message
    }
}

extension StringProtocol {
    /// The words that a user typed, in backticks; control characters are escaped, so that a message stays on its line.
    var asTyped: String {
        let escaped = unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return "`\(escaped.joined())`"
    }
}
