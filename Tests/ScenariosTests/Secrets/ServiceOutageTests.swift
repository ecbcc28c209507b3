import Testing

@testable import Figures
@testable import Replay
@testable import Scenarios
@testable import TestSupport

/// The results that apps get while services do not answer, or the account is cancelled (R20).
@Suite struct ServiceOutageTests {
    private static let head =
        "account: {propagation: 0s, apis: [{domain: a.com}]}\ndevices: {bob: {}, amy: {}}\nsteps:\n"

    static let rows = [
        ScenarioRow(
            "R20 all: no token, neither from the failover",
            head + """
                  - {at: 10s, fetch: amy}
                  - {at: 10s, outage: all, until: 10m}
                  - at: 70s
                    request: all
                    to: a.com
                    expect: [{group: bob, result: NO_APPROOV_SERVICE, refused: 1}, {group: amy, cached: 1, accepted: 1}]
                  - {at: 599s, fetch: all, expect: {result: NO_APPROOV_SERVICE}}
                  - {at: 600s, fetch: all, expect: {result: SUCCESS}}
                """),
        ScenarioRow(
            "R20 all, with the emergency switch",
            head + """
                  - {at: 10s, outage: all}
                  - {at: 70s, request: bob, to: a.com, expect: {result: NO_APPROOV_SERVICE, refused: 1}}
                  - {at: 80s, serve: {a.com: {token: ignored}}}
                  - {at: 90s, request: bob, to: a.com, expect: {result: NO_APPROOV_SERVICE, accepted: 1}}
                """),
        ScenarioRow(
            "R20 failover: nobody notices while the primary service answers",
            head + """
                  - {at: 0s, outage: failover, until: 5m}
                  - {at: 1s, fetch: bob, expect: {result: SUCCESS}}
                  - {at: 10s, outage: primary, until: 10m}
                  - {at: 70s, fetch: amy, expect: {result: NO_APPROOV_SERVICE}}
                  - {at: 299s, fetch: amy, expect: {result: NO_APPROOV_SERVICE}}
                  - {at: 300s, fetch: amy, expect: {result: SUCCESS}}
                """),
        ScenarioRow(
            "R20 after all, the primary service may be down still",
            head + """
                  - {at: 10s, outage: all, until: 5m}
                  - {at: 20s, outage: primary, until: 10m}
                  - {at: 299s, fetch: bob, expect: {result: NO_APPROOV_SERVICE}}
                  - {at: 300s, fetch: bob, expect: {result: SUCCESS, arc: none}}
                """),
        ScenarioRow(
            "R20 a cancelled account: cached tokens live on",
            head + """
                  - {at: 0s, request: bob, to: a.com, expect: {accepted: 1}}
                  - {at: 1s, account: cancelled}
                  - at: 299s
                    request: all
                    to: a.com
                    expect: [{group: bob, cached: 1, accepted: 1}, {group: amy, result: NO_APPROOV_SERVICE, refused: 1}]
                  - {at: 300s, request: bob, to: a.com, expect: {result: NO_APPROOV_SERVICE, refused: 1}}
                """),
        ScenarioRow(
            "R20 one of several accounts",
            """
            accounts: {a: {account: a}, b: {account: b}}
            devices: {bob: {account: a}, amy: {account: b}}
            steps:
              - {at: 0s, account: {b: cancelled}}
              - at: 1s
                fetch: all
                expect: [{group: bob, result: SUCCESS}, {group: amy, result: NO_APPROOV_SERVICE}]
            """),
    ]

    @Test("R20 outages and cancelled accounts", arguments: rows) func outages(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    @Test("R20 client metrics: such calls have no result of their own, as those without network have") func metrics()
        throws
    {
        let result = try ScenarioText.run(
            """
            scenario: s
            devices: {bob: {}}
            steps:
              - {at: 10s, outage: all, until: 2m}
              - {at: 20s, fetch: bob, every: 10s, until: 40s}
              - {at: 2m, network: {group: bob, state: none}}
              - {at: 2m, fetch: bob}
              - {at: 3m, network: {group: bob, state: ok}}
              - {at: 3m, fetch: bob, expect: {result: SUCCESS}}

            """)
        let metrics = Dictionary(uniqueKeysWithValues: result.figures.metrics.map { ($0.key.name, $0.value) })
        // Five calls, of which three ended NO_APPROOV_SERVICE.
        #expect(metrics["sdk-calls-fetch-sync"] == 5)
        #expect(metrics["sdk-result-no-network"] == 1)
        #expect(metrics["sdk-result-success"] == 1)
    }
}
