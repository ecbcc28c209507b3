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

    /// The same, failed because it would hold whatever the policy did.
    ///
    /// - Parameter reason: Why, in words; `nil` leaves it as it is, as does its having failed.
    func failing(asVacuous reason: String?) -> ExpectationResult {
        guard passed, let reason else { return self }
        var result = self
        result.passed = false
        result.actual += " (vacuous: \(reason))"
        return result
    }
}
