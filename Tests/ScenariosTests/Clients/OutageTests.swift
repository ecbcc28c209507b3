import Testing

@testable import Figures
@testable import Scenarios
@testable import TestSupport

/// The service that answers during an outage of the primary service (R14.3; manual, Cloud Server Redundancy).
@Suite struct OutageTests {
    enum Answer: String, Sendable {
        /// Only its tokens carry a response code.
        case primary = "{result: SUCCESS, attested: 1, arc: passed}"
        case failover = "{result: SUCCESS, attested: 1, arc: none}"
        case nobody = "{result: NO_APPROOV_SERVICE}"
    }

    struct Row: LabelledRow {
        let name: String
        var start = "2020-01-01T00:00:00Z"
        /// Outages by their first second, and the second at which each is over.
        let outages: [(from: Int, until: Int?)]
        /// The answer to a fetch that must attest, by the second.
        let answers: KeyValuePairs<Int, Answer>

        var text: String {
            var steps: [(at: Int, line: String)] = outages.map { outage in
                let until = outage.until.map { ", until: \($0)s" } ?? ""
                return (outage.from, "{at: \(outage.from)s, outage: primary\(until)}")
            }
            for (at, answer) in answers {
                steps.append((at, "{at: \(at)s, launch: bob}"))
                steps.append((at, "{at: \(at)s, fetch: bob, expect: \(answer.rawValue)}"))
            }
            let sorted = steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            let lines = sorted.map { "  - \($0.element.line)\n" }.joined()
            return "scenario: s\nstart: \(start)\ndevices: {bob: {}}\nsteps:\n\(lines)"
        }
    }

    static let starts = [
        Row(
            name: "within a minute", outages: [(90, 300)],
            answers: [
                89: .primary, 90: .nobody, 91: .nobody, 119: .nobody, 120: .failover, 121: .failover, 180: .failover,
                299: .failover, 300: .primary, 301: .primary,
            ]),
        Row(
            name: "at a whole minute: the next one is a minute later", outages: [(60, 300)],
            answers: [59: .primary, 60: .nobody, 61: .nobody, 119: .nobody, 120: .failover]),
        Row(
            name: "in the last second of a minute", outages: [(119, 300)],
            answers: [118: .primary, 119: .nobody, 120: .failover]),
        Row(
            name: "in the first second of the scenario", outages: [(0, 300)],
            answers: [0: .nobody, 59: .nobody, 60: .failover]),
        Row(
            name: "minutes of the clock, not of the scenario", start: "2020-01-01T00:00:45Z", outages: [(0, 300)],
            answers: [0: .nobody, 14: .nobody, 15: .failover, 299: .failover, 300: .primary]),
        Row(
            name: "over midnight and a month", start: "2020-02-29T23:59:00Z", outages: [(30, 100)],
            answers: [29: .primary, 30: .nobody, 59: .nobody, 60: .failover, 99: .failover, 100: .primary]),
    ]

    static let ends = [
        Row(
            name: "before the failover took over", outages: [(90, 110)],
            answers: [89: .primary, 90: .nobody, 109: .nobody, 110: .primary, 119: .primary, 120: .primary]),
        Row(
            name: "when the failover would take over", outages: [(90, 120)],
            answers: [119: .nobody, 120: .primary, 121: .primary]),
        Row(
            name: "a second of the failover", outages: [(90, 121)],
            answers: [119: .nobody, 120: .failover, 121: .primary]),
        Row(name: "a single second", outages: [(90, 91)], answers: [89: .primary, 90: .nobody, 91: .primary]),
        Row(
            name: "never", outages: [(90, nil)],
            answers: [119: .nobody, 120: .failover, 86_400: .failover, 31_622_400: .failover]),
    ]

    static let several = [
        Row(
            name: "one after another, each with seconds without service", outages: [(60, 130), (200, 300)],
            answers: [
                60: .nobody, 119: .nobody, 120: .failover, 130: .primary, 199: .primary, 200: .nobody, 239: .nobody,
                240: .failover, 299: .failover, 300: .primary,
            ]),
        // The failover is on already, and continues.
        Row(
            name: "one that starts in another and outlasts it", outages: [(60, 300), (200, 400)],
            answers: [
                119: .nobody, 120: .failover, 199: .failover, 200: .failover, 201: .failover, 299: .failover,
                300: .failover, 399: .failover, 400: .primary,
            ]),
        // The next whole minute after the first second without service.
        Row(
            name: "one that starts in the first seconds of another", outages: [(70, 300), (110, 400)],
            answers: [70: .nobody, 110: .nobody, 119: .nobody, 120: .failover, 300: .failover, 400: .primary]),
    ]

    @Test("R14.3 the failover takes over at the next whole minute", arguments: starts + ends + several)
    func answers(_ row: Row) throws {
        #expect(try ScenarioText.failures(row.text) == [])
    }

    @Test("R14.3 equal times go by file order: a fetch before the outage finds the primary service")
    func fileOrder() throws {
        try ScenarioText.expectToHold(
            """
            devices: {bob: {}, amy: {}}
            steps:
              - {at: 30s, fetch: bob, expect: {result: SUCCESS}}
              - {at: 30s, outage: primary, until: 2m}
              - {at: 30s, fetch: amy, expect: {result: NO_APPROOV_SERVICE}}
            """)
    }

    @Test("R14.1 cached tokens serve while nobody does")
    func cachedTokens() throws {
        try ScenarioText.expectToHold(
            """
            devices: {bob: {}, risky: {flags: [root-risk]}}
            steps:
              - {at: 0s, fetch: all}
              - {at: 90s, outage: primary, until: 10m}
              - {at: 90s, fetch: all, expect: {result: SUCCESS, cached: 2, arc: passed}}
              - {at: 119s, fetch: all, expect: {result: SUCCESS, cached: 2, arc: passed}}
              - at: 120s
                fetch: all
                expect: [{group: bob, cached: 1, arc: passed}, {group: risky, attested: 1, arc: none}]
              - {at: 299s, fetch: bob, expect: {result: SUCCESS, cached: 1, arc: passed}}
              - {at: 300s, fetch: bob, expect: {result: SUCCESS, attested: 1, arc: none}}
              - {at: 599s, fetch: bob, expect: {cached: 1, arc: none}}
              # A token of the failover lives on, too.
              - {at: 600s, launch: risky}
              - at: 600s
                fetch: all
                expect: [{group: bob, attested: 1, arc: passed}, {group: risky, attested: 1, arc: passed}]
            """)
    }

    @Test("R14.1, R14.3 a token of the failover serves after the outage for the rest of its lifetime")
    func tokensOfTheFailoverLiveOn() throws {
        try ScenarioText.expectToHold(
            """
            devices: {bob: {}}
            steps:
              - {at: 0s, outage: primary, until: 2m}
              - {at: 1m, fetch: bob, expect: {attested: 1, arc: none, annotations: none}}
              - {at: 359s, fetch: bob, expect: {cached: 1, arc: none, annotations: none}}
              - {at: 360s, fetch: bob, expect: {attested: 1, arc: passed}}
            """)
    }

    @Test("R14.3 the primary service has an outage for every account")
    func twoAccounts() throws {
        try ScenarioText.expectToHold(
            """
            accounts: {a: {policy: "default,default,all"}, b: {policy: "default,allow-root,default"}}
            devices: {one: {account: a, flags: [rooted]}, two: {account: b, flags: [rooted]}}
            steps:
              - {at: 10s, outage: primary, until: 3m}
              - {at: 59s, fetch: all, expect: {result: NO_APPROOV_SERVICE}}
              - at: 60s
                fetch: all
                expect:
                  - {arc: none, annotations: none}
                  - {group: one, verdict: fail, policy: "default,default,all"}
                  - {group: two, verdict: pass, policy: "default,allow-root,default"}
              - at: 180s
                fetch: all
                expect: [{group: one, attested: 1, arc: failed}, {group: two, attested: 1, arc: passed}]
            expect: [{account: a, metrics: {fail: 1}}, {account: b, metrics: {pass: 1}}]
            """)
    }
}

/// The results that apps get while services do not answer, or the account is cancelled (R20).
@Suite struct ServiceOutageTests {
    static let rows = ScenarioRow.table(
        """
        devices: {bob: {}, amy: {}}
        == R20 all: no token, neither from the failover
        account: {propagation: 0s, apis: [{domain: a.com}]}
        - {at: 10s, fetch: amy}
        - {at: 10s, outage: all, until: 10m}
        - at: 70s
          request: all
          to: a.com
          expect: [{group: bob, result: NO_APPROOV_SERVICE, refused: 1}, {group: amy, cached: 1, accepted: 1}]
        - {at: 599s, fetch: all, expect: {result: NO_APPROOV_SERVICE}}
        - {at: 600s, fetch: all, expect: {result: SUCCESS}}
        == R20 all, with the emergency switch
        account: {propagation: 0s, apis: [{domain: a.com}]}
        - {at: 10s, outage: all}
        - {at: 70s, request: bob, to: a.com, expect: {result: NO_APPROOV_SERVICE, refused: 1}}
        - {at: 80s, serve: {a.com: {token: ignored}}}
        - {at: 90s, request: bob, to: a.com, expect: {result: NO_APPROOV_SERVICE, accepted: 1}}
        == R20 failover: nobody notices while the primary service answers
        account: {propagation: 0s, apis: [{domain: a.com}]}
        - {at: 0s, outage: failover, until: 5m}
        - {at: 1s, fetch: bob, expect: {result: SUCCESS}}
        - {at: 10s, outage: primary, until: 10m}
        - {at: 70s, fetch: amy, expect: {result: NO_APPROOV_SERVICE}}
        - {at: 299s, fetch: amy, expect: {result: NO_APPROOV_SERVICE}}
        - {at: 300s, fetch: amy, expect: {result: SUCCESS}}
        == R20 after all, the primary service may be down still
        account: {propagation: 0s, apis: [{domain: a.com}]}
        - {at: 10s, outage: all, until: 5m}
        - {at: 20s, outage: primary, until: 10m}
        - {at: 299s, fetch: bob, expect: {result: NO_APPROOV_SERVICE}}
        - {at: 300s, fetch: bob, expect: {result: SUCCESS, arc: none}}
        == R20 a cancelled account: cached tokens live on
        account: {propagation: 0s, apis: [{domain: a.com}]}
        - {at: 0s, request: bob, to: a.com, expect: {accepted: 1}}
        - {at: 1s, account: cancelled}
        - at: 299s
          request: all
          to: a.com
          expect: [{group: bob, cached: 1, accepted: 1}, {group: amy, result: NO_APPROOV_SERVICE, refused: 1}]
        - {at: 300s, request: bob, to: a.com, expect: {result: NO_APPROOV_SERVICE, refused: 1}}
        == R20 one of several accounts
        accounts: {a: {account: a}, b: {account: b}}
        devices: {bob: {account: a}, amy: {account: b}}
        - {at: 0s, account: {b: cancelled}}
        - at: 1s
          fetch: all
          expect: [{group: bob, result: SUCCESS}, {group: amy, result: NO_APPROOV_SERVICE}]
        """)

    @Test("R20 outages and cancelled accounts", arguments: rows) func outages(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    @Test("R20 client metrics: such calls have no result of their own, as those without network have") func metrics()
        throws
    {
        let result = try ScenarioText.run(
            """
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
