import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

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
