import Testing

@testable import TestSupport

/// An expectation and what the report says of it.
struct ExpectationRow: LabelledRow {
    /// As a scenario writes it.
    let text: String
    let passed: Bool
    /// The expected and the actual value, and the message; drawn device IDs are written `ID`.
    let expected, actual, message: String

    static func holds(
        _ text: String, _ expected: String, _ message: String, actual: String? = nil
    ) -> ExpectationRow {
        ExpectationRow(text: text, passed: true, expected: expected, actual: actual ?? expected, message: message)
    }

    static func fails(_ text: String, _ expected: String, _ actual: String, _ message: String) -> ExpectationRow {
        ExpectationRow(text: text, passed: false, expected: expected, actual: actual, message: message)
    }
}
