import Testing

@testable import Scenarios
@testable import TestSupport

/// The steps of the single device `bob`, and the outcomes of its fetches.
struct ClientRow: LabelledRow {
    let name: String
    /// The fields of the group.
    var device = ""
    /// The fields of the account.
    var account = ""
    let steps: [String]
    /// For each fetch: `attested`, `cached` or `none`, where there is no token.
    let outcomes: [String]

    /// Runs it and says how its fetches ended.
    func run() throws -> [String] {
        let text = """
            scenario: s
            account: {\(account)}
            devices: {bob: {id: h4gubfCFzJu81j/U2BJsdg==, \(device)}}
            steps:
            \(steps.map { "  - {\($0)}" }.joined(separator: "\n"))
            expect: {metrics: {pass: {at-least: 0}}, vacuous: allowed}

            """
        let log = try ScenarioText.run(text).log.filter { $0.contains("  fetch ") }
        return log.map { line in
            if line.hasSuffix("1 attested, 0 cached, 0 without a token") { return "attested" }
            if line.hasSuffix("0 attested, 1 cached, 0 without a token") { return "cached" }
            return line.hasSuffix("0 attested, 0 cached, 1 without a token") ? "none" : line
        }
    }
}
