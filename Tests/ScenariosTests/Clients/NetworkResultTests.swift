import Testing

@testable import TestSupport

/// The results of fetches in every network, and which result goes first (R14.1, R14.2; manual, Token Fetch Errors).
@Suite struct NetworkResultTests {
    struct Row: LabelledRow {
        let state: String
        /// The result of a fetch that needs the network.
        let result: String
    }

    static let networks = [
        Row(state: "ok", result: "SUCCESS"), Row(state: "none", result: "NO_NETWORK"),
        Row(state: "poor", result: "POOR_NETWORK"), Row(state: "mitm", result: "MITM_DETECTED"),
    ]

    @Test("R14.2 a fetch without a token in the cache ends as the network has it", arguments: networks)
    func uncached(_ row: Row) throws {
        let attested = row.state == "ok" ? 1 : 0
        let failures = try ScenarioText.failures(
            """
            scenario: s
            devices: {bob: {}}
            steps:
              - {at: 0s, network: {group: bob, state: \(row.state)}}
              - {at: 1s, fetch: bob, expect: {result: \(row.result), attested: \(attested), cached: 0, vacuous: allowed}}
              - {at: 2s, network: {group: bob, state: ok}}
              - {at: 3s, fetch: bob, expect: {result: SUCCESS, attested: \(1 - attested), cached: \(attested)}}
            expect: {metrics: {pass: 1, fail: 0}}

            """)
        #expect(failures == [])
    }

    @Test("R14.1 a cached token is returned without network, up to its last second", arguments: networks)
    func cached(_ row: Row) throws {
        let attested = row.state == "ok" ? 1 : 0
        let failures = try ScenarioText.failures(
            """
            scenario: s
            devices: {bob: {}}
            steps:
              - {at: 0s, fetch: bob}
              - {at: 1s, network: {group: bob, state: \(row.state)}}
              - {at: 1s, fetch: bob, expect: {result: SUCCESS, cached: 1, verdict: pass}}
              - {at: 299s, fetch: bob, expect: {result: SUCCESS, cached: 1, lifetime: 300s}}
              - {at: 300s, fetch: bob, expect: {result: \(row.result), attested: \(attested), cached: 0, vacuous: allowed}}

            """)
        #expect(failures == [])
    }

    @Test("R14.1 what ends a cached token leaves nothing to return without network", arguments: networks)
    func nothingLeft(_ row: Row) throws {
        let flags = "set: {group: bob, flags: [debug]}"
        for event in ["launch: bob", "reinstall: bob", "bind: {group: bob, data: x}", flags] {
            let attested = row.state == "ok" ? 1 : 0
            let failures = try ScenarioText.failures(
                """
                scenario: s
                devices: {bob: {}}
                steps:
                  - {at: 0s, fetch: bob}
                  - {at: 1s, network: {group: bob, state: \(row.state)}}
                  - {at: 2s, \(event)}
                  - {at: 3s, fetch: bob, expect: {result: \(row.result), attested: \(attested), cached: 0, vacuous: allowed}}

                """)
            #expect(failures == [], "\(event)")
        }
    }

    @Test("R14.2 groups, lists of groups and all move to a network", arguments: ["bob", "[bob, amy]", "all"])
    func whoMoves(groups: String) throws {
        let moved = ["bob": ["bob"], "[bob, amy]": ["bob", "amy"], "all": ["bob", "amy", "eve"]][groups] ?? []
        let expected = ["bob", "amy", "eve"].map { name in
            "{group: \(name), result: \(moved.contains(name) ? "NO_NETWORK" : "SUCCESS")}"
        }
        let failures = try ScenarioText.failures(
            """
            scenario: s
            devices: {bob: {count: 2}, amy: {}, eve: {}}
            steps:
              - {at: 0s, network: {group: \(groups), state: none}}
              - {at: 1s, fetch: all, expect: [\(expected.joined(separator: ", "))]}

            """)
        #expect(failures == [])
    }
}
