import Testing

@testable import scenario

/// A command line and how it ends.
struct ToolRow: Sendable, CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    let status: scenario.ExitStatus
    /// All that goes to standard error.
    var error = ""
    var testDescription: String { name }
}
