import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

/// The result of a run of a scenario, with the files that it wrote.
struct RunOutput {
    let result: ScenarioResult
    /// In the order in which they were made.
    let decisions: [WrittenDecision]
    /// The lines that its commands printed, as the file of `--printed` holds them.
    let printed: [UInt8]

    /// Runs a scenario that has no mistakes, and whose expectations all hold.
    init(_ text: String) throws {
        let folder = try TemporaryFolder()
        var diagnostics = Diagnostics()
        let runner = ScenarioRunner(decisionsPath: folder.path("decisions"), printedPath: folder.path("printed"))
        let results = runner.run([try ScenarioText.load(text)], diagnostics: &diagnostics)
        try #require(diagnostics.isEmpty, "\(MarkedText.found(diagnostics))")
        result = try #require(results.first)
        expect(result.expectations.filter { !$0.passed }, equals: [])
        decisions = try WrittenDecision.read(try #require(folder.bytes(of: "decisions")))
        printed = try #require(folder.bytes(of: "printed"))
    }

    /// The lines that its commands printed.
    var lines: [String] { result.printed }

    /// The devices whose records were printed, in their order.
    var printedDevices: [String] {
        lines.filter { $0.hasPrefix("--- ") }.map { String($0.dropFirst(4).prefix(24)) }
    }
}
