import Testing

@testable import TestSupport

/// A scenario with a label, all of whose expectations should hold.
struct ScenarioRow: LabelledRow {
    let name: String
    /// All but the line that names the scenario.
    let body: String

    init(_ name: String, _ body: String) { (self.name, self.body) = (name, body) }

    /// The whole scenario.
    var text: String { "scenario: s\n\(body)\n" }

    /// The expectations that failed.
    func failures() throws -> [String] { try ScenarioText.failures(text) }
}
