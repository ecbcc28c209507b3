import Testing

@testable import Scenarios
@testable import TestSupport

/// Steps in which a domain gets a chain that has none of its pins.
@Suite struct RotationTests {
    static let steps: [(step: String, domains: [String])] = [
        ("serve: {a.com: [NEW]}", ["a.com"]), ("serve: {a.com: [NEW, OLD]}", []), ("serve: {b.com: [NEW]}", []),
        // A change that says nothing of the chain leaves it as it is.
        ("serve: {a.com: {token: ignored}}", []),
    ]

    @Test(arguments: steps) func chainsWithoutAPinAreFound(row: (step: String, domains: [String])) throws {
        let scenario = try ScenarioText.load(
            """
            scenario: s
            account: {apis: [{domain: a.com, pins: ['key:OLD']}, {domain: b.com}]}
            devices: {bob: {os: android}}
            steps:
              - {at: 0s, \(row.step)}
              - {at: 1s, fetch: bob, expect: {verdict: pass}}

            """)
        #expect(scenario.rotationsWithoutPin.map(\.domain) == row.domains)
    }
}
