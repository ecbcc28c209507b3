/// An error that describes the problem and, if it can, a remedy.
package protocol DescribedError: Error, CustomStringConvertible {
    /// A hint that might help.
    var hint: String? { get }
    /// A name that does not exist and the names that do, if the error is about one: for a suggestion.
    var choice: (wrong: String, known: [String])? { get }
}

extension DescribedError {
    package var hint: String? { nil }
    package var choice: (wrong: String, known: [String])? { nil }

    /// A hint that might help: that of the error, or else the nearest name.
    package var help: String? {
        hint ?? choice.flatMap { Suggestion.hint(for: $0.wrong, among: $0.known) }
    }

    /// The problem, behind the name of its subject.
    ///
    /// - Parameter subject: Such as "key file `bank.keys`"; nothing is put in front without one.
    package func message(about subject: String?) -> String {
        subject.map { "\($0): \(description)" } ?? description
    }
}

extension FileFailure: DescribedError {}

extension DocumentReader {
    /// Notes an error at a position.
    ///
    /// - Parameters:
    ///   - subject: The text in front of the message, if there is one.
    ///   - position: The character that is wrong.
    ///   - hint: A hint that might help; `nil` takes that of the error.
    package mutating func error(
        _ error: some DescribedError, about subject: String? = nil, at position: SourcePosition, hint: String? = nil
    ) {
        self.error(error.message(about: subject), at: position, hint: hint ?? error.help)
    }

    /// Carries out a step; an error of it is noted at a position.
    ///
    /// - Parameter subject: The text in front of the message, if there is one.
    /// - Returns: The result of the step; `nil` after noting an error.
    @discardableResult
    package mutating func attempt<Value, Failure: DescribedError>(
        at position: SourcePosition, about subject: @autoclosure () -> String? = nil,
        _ step: () throws(Failure) -> Value
    ) -> Value? {
        do throws(Failure) {
            return try step()
        } catch {
            self.error(error, about: subject(), at: position)
            return nil
        }
    }
}

extension Diagnostic {
    /// An error in a file.
    ///
    /// - Parameters:
    ///   - position: The character that is wrong, if one can be named.
    ///   - line: Its line, if only that is known.
    ///   - hint: A hint that might help; `nil` takes that of the error.
    package init(
        _ error: some DescribedError, in file: String, at position: SourcePosition? = nil, line: Int? = nil,
        hint: String? = nil
    ) {
        self.init(
            file: file, position: position, line: line, message: error.description, hint: hint ?? error.help)
    }
}

extension Diagnostics {
    /// Carries out a step; an error of it is added.
    ///
    /// - Parameters:
    ///   - file: The file that the step is about.
    ///   - position: The character that is wrong if it fails, if one can be named.
    ///   - line: The line, if only that is known.
    ///   - step: The step to carry out; it must not add to these diagnostics itself.
    /// - Returns: The result of the step; `nil` after adding an error.
    @discardableResult
    package mutating func attempt<Value, Failure: DescribedError>(
        in file: String, at position: SourcePosition? = nil, line: Int? = nil, _ step: () throws(Failure) -> Value
    ) -> Value? {
        do throws(Failure) {
            return try step()
        } catch {
            add(Diagnostic(error, in: file, at: position, line: line))
            return nil
        }
    }
}
