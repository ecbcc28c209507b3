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

/// A scenario as text, its mistakes marked, and what is said of them.
struct LoaderRow: LabelledRow {
    let name, text: String
    let problems: [Problem]

    init(_ name: String, _ text: String, _ problems: [Problem]) {
        (self.name, self.text, self.problems) = (name, text, problems)
    }

    /// The problems found and those expected, and true if the scenario was loaded nevertheless.
    var outcome: (found: [String], expected: [String], isLoaded: Bool) {
        let marked = MarkedText(text)
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.load(YAMLParser.parse(marked.source), diagnostics: &diagnostics)
        return (MarkedText.found(diagnostics), marked.expected(problems), scenario != nil)
    }

    /// Expects just these problems, and that the scenario is loaded nevertheless or is not.
    func expect(isLoaded: Bool, at location: Testing.SourceLocation = #_sourceLocation) {
        let outcome = self.outcome
        #expect(outcome.found == outcome.expected, sourceLocation: location)
        #expect(outcome.isLoaded == isLoaded, sourceLocation: location)
    }

    /// An expectation, so that a scenario is not warned about.
    private static let end = "expect: {metrics: {pass: 0}}\n"
    private static let devices = "devices: {bob: {}, stock: {count: 3}}\n"

    /// Lines behind a name and before what is expected.
    static func head(_ name: String, _ lines: String, _ problems: Problem...) -> LoaderRow {
        LoaderRow(name, "scenario: s\n\(lines)\n\(end)", problems)
    }

    /// Lines of a scenario with two accounts, `a` and `b`.
    static func twoAccounts(_ name: String, _ lines: String, _ problems: Problem...) -> LoaderRow {
        let end = "expect: {account: a, metrics: {pass: 0}}\n"
        return LoaderRow(name, "scenario: s\naccounts: {a: {}, b: {}}\n\(lines)\n\(end)", problems)
    }

    /// The fields of a group.
    static func group(_ name: String, _ fields: String, _ problems: Problem...) -> LoaderRow {
        LoaderRow(name, "scenario: s\ndevices:\n  bob: {\(fields)}\n\(end)", problems)
    }

    /// Steps of a scenario with two groups, `bob` and `stock`.
    static func steps(_ name: String, _ steps: String, _ problems: Problem...) -> LoaderRow {
        LoaderRow(name, "scenario: s\n\(devices)steps:\n\(steps)\n\(end)", problems)
    }

    /// A management command.
    static func command(_ name: String, _ line: String, _ problems: Problem...) -> LoaderRow {
        LoaderRow(name, "scenario: s\nsteps:\n  - {at: 0s, approov: \(line)}\n\(end)", problems)
    }

    /// An expectation about a fetch of both groups, by an account with a filter.
    static func expectation(_ name: String, _ expectation: String, _ problems: Problem...) -> LoaderRow {
        let account = "account: {filters: [{name: myip, key: ip, match: 1.2.3.4}]}\n"
        let step = "steps:\n  - {at: 0s, fetch: all, expect: \(expectation)}\n"
        return LoaderRow(name, "scenario: s\n\(account)\(devices)\(step)\(end)", problems)
    }

    /// An expectation at the end.
    static func final(_ name: String, _ expectation: String, _ problems: Problem...) -> LoaderRow {
        LoaderRow(name, "scenario: s\n\(devices)expect: \(expectation)\n", problems)
    }
}
