import Testing

@testable import Scenarios

/// Why a client attests, as filters see it (R14.2b).
@Suite struct AttestReasonTests {
    private static let filters = """
        account:
          propagation: 0s
          apis: [{domain: a.com}]
          filters:
            - {name: launch, key: attest-reason, match: launch}
            - {name: expiry, key: attest-reason, match: expiry}
            - {name: change, key: attest-reason, match: change}
        devices: {bob: {id: h4gubfCFzJu81j/U2BJsdg==, os: ios}}
        steps:

        """

    private static func steps(_ lines: String...) -> String {
        filters + lines.map { "  - {\($0)}\n" }.joined()
    }

    private static func fetch(_ time: String, _ reason: String, more: String = "") -> String {
        "at: \(time), fetch: bob\(more), expect: {attested: 1, filters: [\(reason)]}"
    }

    static let rows = [
        ScenarioRow("the first of an install", steps(fetch("0s", "launch"))),
        ScenarioRow(
            "after a launch", steps(fetch("0s", "launch"), "at: 400s, launch: bob", fetch("401s", "launch"))),
        ScenarioRow("after an install", steps(fetch("0s", "launch"), "at: 1s, reinstall: bob", fetch("2s", "launch"))),
        ScenarioRow(
            "after an install that keeps the ID",
            steps(fetch("0s", "launch"), "at: 1s, reinstall: {group: bob, keep-id: true}", fetch("2s", "launch"))),
        ScenarioRow("after a reset", steps(fetch("0s", "launch"), "at: 1s, factory-reset: bob", fetch("2s", "launch"))),
        ScenarioRow("the token had expired", steps(fetch("0s", "launch"), fetch("300s", "expiry"))),
        ScenarioRow(
            "once more", steps(fetch("0s", "launch"), fetch("300s", "expiry"), fetch("600s", "expiry"))),
        ScenarioRow(
            "a flag was added",
            steps(fetch("0s", "launch"), "at: 1s, set: {group: bob, flags: [automated]}", fetch("2s", "change"))),
        ScenarioRow(
            "other data",
            steps(fetch("0s", "launch"), "at: 1s, bind: {group: bob, data: a}", fetch("2s", "change"))),
        ScenarioRow(
            "data before the first",
            steps("at: 0s, bind: {group: bob, data: a}", fetch("0s", "launch"))),
        ScenarioRow(
            "a domain that the token is not for",
            steps(
                fetch("0s", "launch"), "at: 1s, approov: api -add b.com", fetch("2s", "change", more: ", domain: b.com")
            )
        ),
        ScenarioRow(
            "expired, with a flag more",
            steps(fetch("0s", "launch"), "at: 1s, set: {group: bob, flags: [automated]}", fetch("300s", "expiry"))),
        ScenarioRow(
            "a launch without network does not count",
            steps(
                fetch("0s", "launch"), "at: 1s, launch: bob", "at: 1s, network: {group: bob, state: none}",
                "at: 2s, fetch: bob, expect: {result: NO_NETWORK}", "at: 3s, network: {group: bob, state: ok}",
                fetch("4s", "launch"))),
        ScenarioRow(
            "the failover was asked for the launch",
            steps(
                "at: 0s, outage: primary, until: 2m", "at: 1m, fetch: bob, expect: {attested: 1, arc: none}",
                fetch("360s", "expiry"))),
        ScenarioRow(
            "what the scenario says stands",
            steps("at: 0s, set: {group: bob, attributes: {attest-reason: expiry}}", fetch("1s", "expiry"))),
    ]

    @Test("R14.2b an attestation says why it is made", arguments: rows) func reason(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    @Test("R14.2b device -getInfo shows it") func isShown() throws {
        let output = try RunOutput(
            "scenario: s\n"
                + Self.steps(
                    "at: 0s, fetch: bob, expect: {attested: 1}", "at: 1s, approov: device -getInfo new-did"))
        #expect(output.lines.filter { $0.hasPrefix("attest-reason") } == ["attest-reason: launch"])
    }
}
