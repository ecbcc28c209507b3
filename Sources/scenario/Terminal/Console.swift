internal import Documents
internal import Glibc
internal import Reports

/// Where the tool's output goes: results to standard output, everything else to standard error.
struct Console {
    /// Writes a part of the result.
    let output: (String) -> Void
    /// Writes what is not part of the result: diagnostics, progress; from whatever thread.
    let error: @Sendable (String) -> Void
    /// How reports stress words on standard output.
    let style: TextStyle
    /// Whether progress is shown.
    let showsProgress: Bool
    /// Reads a line that the user types, without its line break; `nil` at the end of input.
    var input: () -> String? = { nil }
    /// Whether what the user types can be seen already, because a terminal shows it.
    var showsInput = false

    /// The process's own streams.
    static var standard: Console {
        let isColourWelcome = unsafe getenv("NO_COLOR") == nil
        return Console(
            output: { text in
                guard let failure = write(text, to: STDOUT_FILENO) else { return }
                // A result that is lost must not look like one that was written.
                _ = write("scenario: error: standard output: \(failure)\n", to: STDERR_FILENO)
                exit(ExitStatus.invalidInput.rawValue)
            },
            error: { _ = write($0, to: STDERR_FILENO) },
            style: isatty(STDOUT_FILENO) == 1 && isColourWelcome ? .coloured : .plain,
            showsProgress: isatty(STDERR_FILENO) == 1 && isColourWelcome,
            input: { readLine() },
            showsInput: isatty(STDIN_FILENO) == 1
        )
    }

    // Returns why the text could not be written, if it could not.
    private static func write(_ text: String, to descriptor: Int32) -> FileFailure? {
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                // SAFETY: the part from `start` on lies inside the buffer.
                unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return FileFailure(errno) }
            start += count
        }
        return nil
    }
}

extension Console {
    /// Writes what is wrong as a whole, where no file is to blame.
    func show(error message: String) {
        error("scenario: error: \(message)\n")
    }

    /// Writes which limit of the caller was exceeded.
    func show(exceededLimit message: String) {
        error("scenario: limit exceeded: \(message)\n")
    }

    /// Writes diagnostics to standard error.
    func show(_ diagnostics: Diagnostics) {
        for diagnostic in diagnostics.all { show(diagnostic) }
    }

    /// Writes a diagnostic to standard error.
    func show(_ diagnostic: Diagnostic) {
        error(diagnostic.rendered + "\n")
    }

    /// Carries out a step; an error of it is shown.
    ///
    /// - Parameters:
    ///   - file: The file that the step is about, or the option.
    ///   - hint: What might help; otherwise what the error says.
    ///   - step: What is done.
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
