import Testing

@testable import Documents
@testable import Scenarios
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

    /// The rows of a ``TextTable``: below a name are the steps of a scenario, and its other members.
    static func table(_ text: String) -> [ScenarioRow] {
        let table = TextTable(text)
        let usual = members(of: table.usual)
        return table.rows.map { name, lines in
            let all = usual.merging(members(of: lines)) { $1 }
            return ScenarioRow(name, all.sorted { $0.key < $1.key }.flatMap(\.value).joined(separator: "\n"))
        }
    }

    // The lines of each member by its key; what begins with a space or as a comment continues a member.
    private static func members(of lines: [Substring]) -> [Substring: [Substring]] {
        var (members, key): ([Substring: [Substring]], Substring) = ([:], "")
        for line in lines {
            if line.hasPrefix("- ") {
                key = "steps"
            } else if line.first?.isLetter == true {
                key = line.prefix { $0 != ":" }
            }
            members[key, default: key == "steps" ? ["steps:"] : []].append(line)
        }
        return members
    }
}

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
        #expect(result.expectations.filter { !$0.passed } == [])
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
