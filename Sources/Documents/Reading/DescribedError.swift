package import PolicyEngine

/// An error that says what is wrong and, where it can, how to mend it.
package protocol DescribedError: Error, CustomStringConvertible {
    /// What might help.
    var hint: String? { get }
    /// A name that does not exist and the names that do, where the error is about one: for a suggestion.
    var choice: (wrong: String, known: [String])? { get }
}

extension DescribedError {
    package var hint: String? { nil }
    package var choice: (wrong: String, known: [String])? { nil }

    /// What might help: the hint of the error, or else the nearest name.
    package var help: String? {
        hint ?? choice.flatMap { Suggestion.hint(for: $0.wrong, among: $0.known) }
    }
}

// The errors of the rules.
extension DeviceError: DescribedError {}
extension FlagError: DescribedError {}
extension PatternError: DescribedError {}
extension PolicyError: DescribedError {}
extension ServiceError: DescribedError {}
extension TokenError: DescribedError {}
extension TokenIssueError: DescribedError {}
extension TokenKeyError: DescribedError {}

extension FilterError: DescribedError {
    package var choice: (wrong: String, known: [String])? {
        switch self {
        case .missingInput(let name, _, let known), .unknown(let name, let known): (name, known)
        case .invalidName, .noInputs, .repeatedInput, .nestedConjunction, .conjunctionUsedAsInput, .limitReached,
            .duplicate:
            nil
        }
    }
}

extension KeySetError: DescribedError {
    package var choice: (wrong: String, known: [String])? {
        if case .unknown(let id, let known) = self { (id, known) } else { nil }
    }
}

extension FileFailure: DescribedError {}

extension DocumentReader {
    /// Notes an error at a position.
    package mutating func error(_ error: some DescribedError, at position: SourcePosition) {
        self.error(error.description, at: position, hint: error.help)
    }

    /// Carries out a step; an error of it is noted at a position.
    ///
    /// - Returns: The result of the step; `nil` after noting an error.
    @discardableResult
    package mutating func attempt<Value, Failure: DescribedError>(
        at position: SourcePosition, _ step: () throws(Failure) -> Value
    ) -> Value? {
        do throws(Failure) {
            return try step()
        } catch {
            self.error(error, at: position)
            return nil
        }
    }
}

extension Diagnostic {
    /// An error in a file.
    ///
    /// - Parameters:
    ///   - error: What is wrong.
    ///   - file: The file.
    ///   - line: Its line, where that is known.
    package init(_ error: some DescribedError, in file: String, line: Int? = nil) {
        self.init(file: file, line: line, message: error.description, hint: error.help)
    }
}
