import PolicyEngine
import Testing

@testable import Documents
@testable import Figures
@testable import Replay
@testable import Scenarios
@testable import TestSupport

/// Live metrics by minute, against a naive count of the decisions that were written.
@Suite struct SeriesTests {
    typealias Minutes = [String: [String: Int]]

    // The metrics of R13.1 that count decisions, apps aside.
    private static func naive(_ decisions: [WrittenDecision]) -> Minutes {
        var minutes: Minutes = [:]
        for decision in decisions {
            var names = [decision.verdict, "policy-\(decision.policy.split(separator: ",")[1])"]
            names += decision.flags.map { "\(decision.verdict)-flag-\($0)" } + decision.filters.map { "filter-\($0)" }
            names += decision.rejections.map { rejection in
                if rejection == "policy:blacklist" { return "rejection-policy-blacklist" }
                let isFilter = rejection.hasPrefix("filter:")
                return isFilter ? "rejection-filter-\(rejection.dropFirst(7))" : "rejection-flag-\(rejection)"
            }
            let minute = decision.time.prefix(16) + ":00Z"
            for name in names + ["pass", "fail"] { minutes[String(minute), default: [:]][name, default: 0] += 1 }
            for verdict in ["pass", "fail"] { minutes[String(minute)]?[verdict, default: 1] -= 1 }
        }
        return minutes
    }

    private static func found(_ figures: Figures?) throws -> (minutes: Minutes, order: [Instant]) {
        let series = try #require(figures?.series)
        var minutes: Minutes = [:]
        for minute in series.inOrder {
            let metrics = minute.metrics.map { ($0.key.name, $0.value) }
            minutes[minute.start.description] = Dictionary(uniqueKeysWithValues: metrics)
        }
        return (minutes, series.inOrder.map(\.start))
    }

    private static func isOfApp(_ name: String) -> Bool {
        ["pass-app-", "fail-app-", "pass-appver-", "fail-appver-"].contains { name.hasPrefix($0) }
    }

    private static func isOfClient(_ name: String) -> Bool { name.hasPrefix("sdk-") }

    private static func sums(_ minutes: Minutes) -> [String: Int] {
        minutes.values.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    }

    @Test("R13.2a a replay's minutes agree with its decisions and add up to its metrics", arguments: 1...6)
    func agreesWithTheDecisions(_ seed: UInt64) throws {
        var random = RandomAccount(seed: seed, flags: [])
        let account = try AccountText.account(random.text())
        var capture = RandomCapture(seed: seed, flags: ["aa-unknown"])
        let text = capture.records(80).map(\.line).joined()
        for jobs in [1, 2, 5] {
            let replayed = try ReplayBench.replay(text, account: account) { request in
                (request.keepsSeries, request.jobs, request.blockBytes) = (true, jobs, 700)
            }
            let lines = try #require(replayed.decisions).joined(separator: "\n")
            let expected = Self.naive(try WrittenDecision.read(Array(lines.utf8)))
            let (minutes, order) = try Self.found(replayed.summary.figures)
            expect(minutes.mapValues { $0.filter { !Self.isOfApp($0.key) } }, equals: expected, "\(jobs) workers")
            #expect(order == order.sorted() && order.count == expected.count)
            let metrics = try #require(replayed.summary.figures?.metrics)
            expect(
                Self.sums(minutes), equals: Dictionary(uniqueKeysWithValues: metrics.map { ($0.key.name, $0.value) }))
        }
    }

    @Test("R13.2a a run's minutes, over several accounts and changes of policy") func agreesInARun() throws {
        let text = """
            scenario: s
            start: 2020-07-23T10:00:30Z
            accounts:
              a: {account: a, propagation: 0s, filters: [{name: lab, key: ip, match: 1.2.3.4, reject: true}]}
              b: {account: b, policy: "default,blacklist,default"}
            devices:
              bob: {account: a, count: 3, flags: [rooted], attributes: {ip: 1.2.3.4, appid: com.x}}
              eve: {account: b, count: 2}
            steps:
              - {at: 0s, fetch: all}
              - {at: 29s, launch: bob}
              - {at: 29s, fetch: bob}
              - {at: 30s, approov: "policy -set default,whitelist,risk", account: a}
              - {at: 30s, launch: bob}
              - {at: 30s, fetch: bob}
              - {at: 2h, launch: all}
              - {at: 2h, fetch: all}

            """
        let folder = try TemporaryFolder()
        var diagnostics = Diagnostics()
        let runner = ScenarioRunner(decisionsPath: folder.path("decisions"), keepsSeries: true)
        let result = try #require(runner.run([try ScenarioText.load(text)], diagnostics: &diagnostics).first)
        let expected = Self.naive(try WrittenDecision.read(try #require(folder.bytes(of: "decisions"))))
        let (minutes, _) = try Self.found(result.figures)
        expect(minutes.mapValues { $0.filter { !Self.isOfApp($0.key) && !Self.isOfClient($0.key) } }, equals: expected)
        // R13.3: five installs start for the first time and fetch; bob's three are launched anew, twice; then all five are.
        expect(
            minutes.mapValues { $0.filter { Self.isOfClient($0.key) } },
            equals: [
                "2020-07-23T10:00:00Z": [
                    "sdk-calls-fetch-config": 5, "sdk-calls-fetch-sync": 8, "sdk-result-success": 8,
                ],
                "2020-07-23T10:01:00Z": ["sdk-calls-fetch-sync": 3, "sdk-result-success": 3],
                "2020-07-23T12:00:00Z": ["sdk-calls-fetch-sync": 5, "sdk-result-success": 5],
            ])
        expect(minutes.keys.sorted(), equals: ["2020-07-23T10:00:00Z", "2020-07-23T10:01:00Z", "2020-07-23T12:00:00Z"])
        expect(minutes["2020-07-23T10:00:00Z"]?["fail"], equals: 8)
        expect(minutes["2020-07-23T10:00:00Z"]?["fail-app-unknown-com.x"], equals: 6)
        expect(minutes["2020-07-23T10:01:00Z"]?["policy-whitelist"], equals: 3)
    }
}
