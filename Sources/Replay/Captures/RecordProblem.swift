/// What is wrong with one record of a capture.
package struct RecordProblem: Hashable, Sendable {
    /// The line, counted from 1.
    package let line: Int
    /// What is wrong, for people.
    package let message: String
    /// What to do about it, where there is something.
    package let hint: String?

    init(line: Int, message: String, hint: String? = nil) {
        self.line = line
        self.message = message
        self.hint = hint
    }

    /// The same so many lines further down.
    package func moved(by lines: Int) -> RecordProblem {
        RecordProblem(line: line + lines, message: message, hint: hint)
    }
}
