import Testing

@testable import Replay
@testable import Scenarios
@testable import TestSupport

@Suite struct UserPropertyTests {
    struct Row: LabelledRow {
        let name, text: String
        let sent: String?
    }

    static let rows = [
        Row(name: "plain", text: "user 17, gold", sent: "user 17, gold"), Row(name: "empty", text: "", sent: ""),
        Row(name: "quotes and slashes", text: "a\"b/c\\d'e", sent: "a?b?c\\d'e"),
        Row(name: "the ends of printable ASCII", text: " ~", sent: " ~"),
        Row(name: "control characters", text: "a\tb\nc\u{7F}d\0", sent: "a?b?c?d?"),
        Row(name: "a letter beyond ASCII", text: "Zoë", sent: "Zo?"),
        Row(name: "the longest", text: String(repeating: "x", count: 128), sent: String(repeating: "x", count: 128)),
        Row(name: "too long", text: String(repeating: "x", count: 129), sent: nil),
        Row(
            name: "the longest of others", text: String(repeating: "é", count: 128),
            sent: String(repeating: "?", count: 128)),
    ]

    @Test(arguments: rows) func isCleaned(_ row: Row) {
        #expect(UserProperty.sent(row.text) == row.sent)
    }

    @Test(arguments: [("gold/1", "gold?1", 1), ("gold/1", "gold/1", 0)])
    func filtersSeeWhatTheClientSends(property: String, match: String, count: Int) throws {
        let result = try ScenarioText.run(
            """
            scenario: s
            account: {filters: [{name: gold, key: user-property, match: '\(match)'}]}
            devices: {bob: {attributes: {user-property: '\(property)'}}}
            steps: [{at: 0s, fetch: bob, expect: {filters: {gold: \(count)}}}]

            """)
        #expect(result.passed)
    }

    @Test func aPropertyThatIsTooLongIsIgnored() throws {
        let long = String(repeating: "x", count: 129)
        let result = try ScenarioText.run(
            """
            scenario: s
            account: {filters: [{name: any, key: user-property, regex: '.'}, {name: short, key: user-property, match: s}]}
            devices: {bob: {attributes: {user-property: \(long)}}}
            steps:
              - {at: 0s, fetch: bob, expect: {filters: []}}
              - {at: 1h, set: {group: bob, attributes: {user-property: s}}}
              - {at: 1h, fetch: bob, expect: {filters: [any, short]}}
              - {at: 2h, set: {group: bob, attributes: {user-property: \(long)}}}
              - {at: 2h, fetch: bob, expect: {filters: [any, short]}}

            """)
        #expect(result.passed)
    }
}
