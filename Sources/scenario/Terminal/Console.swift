internal import CLibrary
internal import CSystem
internal import Documents
internal import Replay
internal import Reports

/// The outputs of the tool: results go to standard output, everything else to standard error.
struct Console {
    /// Writes a part of the result, or says why it could not.
    private let write: (String) throws(FileFailure) -> Void
    /// Writes what is not part of the result: diagnostics, progress; from whatever thread.
    let error: @Sendable (String) -> Void
    /// The style in which reports stress words on standard output.
    let style: TextStyle
    private let mayShowProgress: Bool
    /// The longest line of help, in characters.
    let width: Int
    /// The width that tables and sentences on standard output fit, in characters; `nil` for any.
    let reportWidth: Int?
    /// True if nothing but results and errors is shown.
    var isQuiet = false
    /// Reads a line that the user types, without its line break; `nil` at the end of input.
    let input: () -> String?
    /// The redaction of all that is written; `nil` for none.
    var redaction: Redaction?
    /// True if a terminal already shows the user's input.
    let showsInput: Bool
    /// The value of a variable of the environment; `nil` where it is not set.
    let environment: (String) -> String?

    /// Makes a console; `output` writes a part of the result, or says why it could not.
    init(
        output: @escaping (String) throws(FileFailure) -> Void, error: @escaping @Sendable (String) -> Void,
        style: TextStyle, showsProgress: Bool, width: Int = TerminalChoice.usualWidth,
        reportWidth: Int? = nil, input: @escaping () -> String? = { nil }, showsInput: Bool = false,
        environment: @escaping (String) -> String? = { _ in nil }
    ) {
        self.reportWidth = reportWidth
        (write, self.error, self.style, mayShowProgress, self.width) = (output, error, style, showsProgress, width)
        (self.input, self.showsInput, self.environment) = (input, showsInput, environment)
    }

    /// True if a line may say how far a command is.
    var showsProgress: Bool { mayShowProgress && !isQuiet }

    /// The process's own streams.
    static var standard: Console {
        // SAFETY: the environment is only read, and nobody changes it; the value is copied. One that is not UTF-8 counts as
        // not set: with other bytes it would name another file.
        let environment = { (name: String) in unsafe getenv(name).flatMap { unsafe String(validatingCString: $0) } }
        let choice = TerminalChoice(environment: environment)
        let columns = Int(terminal_columns(STDOUT_FILENO))
        return Console(
            output: { text throws(FileFailure) in try FileDescriptor.write(Array(text.utf8), to: STDOUT_FILENO) },
            error: { try? FileDescriptor.write(Array($0.utf8), to: STDERR_FILENO) },
            style: choice.isColoured(columns: columns) ? .coloured : .plain,
            showsProgress: isatty(STDERR_FILENO) == 1 && choice.allowsProgress,
            width: choice.helpWidth(columns: columns), reportWidth: choice.reportWidth(columns: columns),
            input: { readLine() },
            showsInput: isatty(STDIN_FILENO) == 1,
            environment: environment
        )
    }

    /// Writes a part of the result. If it cannot be written, the process ends: a result that is lost must not look like
    /// one that was written.
    ///
    /// - Parameter done: A change made already, to be reported if the result is lost.
    func output(_ text: String, done: String? = nil) {
        do throws(FileFailure) {
            try write(text)
        } catch {
            show(error: "standard output: \(error)" + (done.map { "; \($0)" } ?? ""))
            exit(ExitStatus.invalidInput.rawValue)
        }
    }

    /// Writes what is wrong as a whole, where no file is to blame.
    func show(error message: String) {
        error("scenario: error: \(shown(message).showingControls())\n")
    }

    // A message without device IDs and addresses, where all that is written is redacted.
    private func shown(_ message: String) -> String {
        guard let redaction, redaction.isEverywhere else { return message }
        return redaction.redactor.text(message)
    }

    /// Writes which limit of the caller was exceeded.
    func show(exceededLimit message: String) {
        error("scenario: limit exceeded: \(message.showingControls())\n")
    }

    /// Writes what might be overlooked.
    func show(warning message: String) {
        show(note: "scenario: warning: \(message.showingControls())")
    }

    /// Writes a line that is neither a result nor an error.
    func show(note line: String) {
        if !isQuiet { error(line + "\n") }
    }

    /// Writes diagnostics to standard error.
    func show(_ diagnostics: Diagnostics) {
        for diagnostic in (redaction?.hiding(diagnostics) ?? diagnostics).all
        where !isQuiet || diagnostic.severity == .error {
            error(shown(diagnostic.rendered) + "\n")
        }
    }

    /// Writes a diagnostic to standard error.
    func show(_ diagnostic: Diagnostic) {
        show(Diagnostics(diagnostic))
    }

    /// Carries out a step; an error of it is shown.
    ///
    /// - Parameters:
    ///   - file: The file that the step is about, or the option.
    ///   - hint: Advice that might help; otherwise that of the error.
    /// - Returns: The result of the step; `nil` after showing an error.
    func attempt<Value, Failure: DescribedError>(
        in file: String, hint: String? = nil, _ step: () throws(Failure) -> Value
    ) -> Value? {
        do throws(Failure) {
            return try step()
        } catch {
            show(Diagnostic(error, in: file, hint: hint))
            return nil
        }
    }
}

/// The wishes of the environment for terminals: `NO_COLOR` forbids colours, `CLICOLOR_FORCE` wants them without a terminal,
/// too, and a dumb terminal (`TERM`) shows none; `COLUMNS` says how wide lines may be.
struct TerminalChoice {
    /// The longest line of help where a terminal does not say how long its lines are, in characters.
    static let usualWidth = 80
    /// The longest line of help on a terminal that has less room than its columns need, and on one that has more.
    static let (leastWidth, greatestWidth) = (60, 100)

    private let isWelcome: Bool
    private let isForced: Bool
    private let isDumb: Bool
    private let columns: Int?

    /// Reads the wishes.
    ///
    /// - Parameter environment: The value of a variable; `nil` where it is not set.
    init(environment: (String) -> String?) {
        // A variable that is set to nothing is set.
        isWelcome = environment("NO_COLOR") == nil
        isForced = !["", "0"].contains(environment("CLICOLOR_FORCE") ?? "")
        isDumb = environment("TERM") == "dumb"
        columns = environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// True if progress may be shown on a terminal.
    var allowsProgress: Bool { isWelcome && !isDumb }

    /// True if a report is coloured.
    ///
    /// - Parameter columns: The width of the terminal; 0 where it is not known, or there is no terminal.
    func isColoured(columns: Int) -> Bool { isWelcome && (isForced || !isDumb && columns > 0) }

    /// The width that reports fit: that of `COLUMNS`, or of the terminal, but no less than they need; `nil` where there is neither.
    func reportWidth(columns: Int) -> Int? {
        (self.columns ?? (columns > 0 ? columns : nil)).map { max($0, Self.leastWidth) }
    }

    /// The longest line of help: that of the terminal as far as it is easy to read, or the usual one.
    func helpWidth(columns: Int) -> Int {
        guard !isDumb, columns > 0 else { return Self.usualWidth }
        return min(max(columns, Self.leastWidth), Self.greatestWidth)
    }
}
