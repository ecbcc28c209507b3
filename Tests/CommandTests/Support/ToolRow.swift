import Testing

@testable import TestSupport
@testable import scenario

/// A command line and how it ends.
struct ToolRow: LabelledRow {
    let name: String
    let arguments: [String]
    let status: scenario.ExitStatus
    /// All that goes to standard error.
    var error = ""

    /// Runs the command line on files that are there for this run only, and expects it to end so, without output.
    ///
    /// - Parameter command: The words before the arguments of the row.
    func expectNoOutput(
        command: [String] = [], files: [String: String], at location: Testing.SourceLocation = #_sourceLocation
    ) throws {
        expectNoOutput(of: try ToolRun(command + arguments, files: files), at: location)
    }

    /// Expects that a run ended so, without output.
    func expectNoOutput(of run: ToolRun, at location: Testing.SourceLocation = #_sourceLocation) {
        #expect(run.status == status, sourceLocation: location)
        #expect(run.error == error, sourceLocation: location)
        #expect(run.output == "", sourceLocation: location)
    }
}
