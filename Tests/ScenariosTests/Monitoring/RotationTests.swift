import Testing

@testable import Scenarios
@testable import TestSupport

/// Steps in which a domain gets a chain that has none of its pins.
@Suite struct RotationTests {
    static let steps: [(step: String, domains: [String])] = [
        ("serve: {a.com: [NEW]}", ["a.com"]), ("serve: {a.com: [NEW, OLD]}", []), ("serve: {b.com: [NEW]}", []),
        // A change that says nothing of the chain leaves it as it is.
        ("serve: {a.com: {token: ignored}}", []),
        // R18.2a: the pin of an added domain is the one of its leaf then.
        ("serve: {c.com: [NEW]}", ["c.com"]), ("serve: {c.com: [NEW, LEAF]}", []), ("serve: {d.com: [NEW]}", ["d.com"]),
        ("serve: {d.com: [NEW, d.com]}", []),
    ]

    @Test(arguments: steps) func chainsWithoutAPinAreFound(row: (step: String, domains: [String])) throws {
        let scenario = try ScenarioText.load(
            """
            scenario: s
            account: {apis: [{domain: a.com, pins: ['key:OLD']}, {domain: b.com}]}
            backends: {c.com: {chain: [OLDER]}}
            devices: {bob: {os: android}}
            steps:
              - {at: 0s, serve: {c.com: [LEAF, CA]}}
              - {at: 0s, approov: api -add c.com}
              - {at: 0s, approov: api -add d.com}
              - {at: 0s, \(row.step)}
              - {at: 1s, fetch: bob, expect: {verdict: pass}}

            """)
        #expect(scenario.rotationsWithoutPin.map(\.domain) == row.domains)
    }
}
