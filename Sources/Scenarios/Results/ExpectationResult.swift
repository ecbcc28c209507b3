package import Documents

/// How one expectation went.
package struct ExpectationResult: Hashable, Sendable {
    package var file: String
    package var position: SourcePosition
    package var passed: Bool
    /// What was expected and what was found, for people.
    package var expected: String
    package var actual: String
    /// What was compared, and for whom.
    package var message: String
    /// What must have been reached, so that passing means something.
    package var reaches: [Reach] = []
}
