import PolicyEngine
import Testing

@testable import Documents
@testable import Figures
@testable import Replay
@testable import Scenarios
@testable import TestSupport

/// Live metrics: requests by what became of them (R13.1).
@Suite struct LiveMetricsTests {
    private static func metrics(
        _ events: [Event], _ rules: String = "{}", skipsMalformed: Bool = false, more: String = ""
    ) throws -> [Metric: Int] {
        let account = try AccountText.account(rules)
        let replayed = try ReplayBench.replay(Event.capture(events) + more, account: account) {
            $0.skipsMalformed = skipsMalformed
        }
        return try #require(replayed.summary.figures).metrics
    }

    private static let noon = "2020-07-23T12:00:00Z"

    @Test func nothingButVerdictsAndThePolicy() throws {
        let metrics = try Self.metrics([Event(Self.noon, "a", flags: "new-did"), Event(Self.noon, "a")])
        #expect(metrics == ["pass": 2, "fail": 0, "pass-flag-new-did": 1, "policy-default": 2])
    }

    // `root-risk` and `automated` do not reject under the default policy, so they are no cause (R13.1).
    @Test func causesAreCountedApartFromFlags() throws {
        let events = [
            Event(Self.noon, "a", flags: "rooted,root-risk,automated"), Event(Self.noon, "a", flags: "automated"),
            Event(Self.noon, "a", flags: "frida,rooted"),
        ]
        #expect(
            try Self.metrics(events) == [
                "pass": 1, "fail": 2, "policy-default": 3, "fail-flag-new-did": 1, "fail-flag-rooted": 2,
                "fail-flag-root-risk": 1, "fail-flag-automated": 1, "pass-flag-automated": 1, "fail-flag-frida": 1,
                "fail-flag-risky-device": 2, "rejection-flag-rooted": 2, "rejection-flag-frida": 1,
            ])
    }

    @Test func unknownFlagsAreCountedToo() throws {
        let metrics = try Self.metrics([
            Event(Self.noon, "a", flags: "strange"), Event(Self.noon, "a", flags: "strange,frida"),
        ])
        #expect(metrics["pass-flag-strange"] == 1)
        #expect(metrics["fail-flag-strange"] == 1)
    }

    @Test func blacklistHasAMetricOfItsOwn() throws {
        let metrics = try Self.metrics([Event(Self.noon, "a", flags: "rooted")], "policy: default,blacklist,default")
        #expect(metrics["rejection-policy-blacklist"] == 1)
        #expect(metrics["policy-blacklist"] == 1)
        #expect(metrics.keys.allSatisfy { !$0.name.hasPrefix("rejection-flag") })
    }

    // R10, step 9: the device's own policy goes first; R13.1: the rejection policy applied.
    @Test func policiesAreThoseApplied() throws {
        let own = String(repeating: "b", count: 22) + "=="
        let rules = """
            reject-flags: {add: [automated]}
            devices: [{id: \(own), policy: "default,whitelist,all"}]
            """
        let metrics = try Self.metrics([Event(Self.noon, "a"), Event(Self.noon, "b"), Event(Self.noon, "b")], rules)
        #expect(metrics["policy-custom"] == 1)
        #expect(metrics["policy-whitelist"] == 2)
    }

    @Test func filtersCountMatchesAndRejections() throws {
        let rules = """
            filters:
              - {name: myip, key: ip, match: 1.2.3.4}
              - {name: bad, key: ip, regex: '^1', reject: true}
              - {name: both, conjunction: [myip, bad], reject: true}
            """
        let events = [
            Event(Self.noon, "a", ip: "1.2.3.4"), Event(Self.noon, "a", ip: "1.1.1.1"),
            Event(Self.noon, "a", ip: "2.2.2.2"),
        ]
        let metrics = try Self.metrics(events, rules).filter { $0.key.name.contains("filter") }
        #expect(
            metrics == [
                "filter-myip": 1, "filter-bad": 2, "filter-both": 1, "rejection-filter-bad": 2,
                "rejection-filter-both": 1,
            ])
    }

    // R4.6: rejecting filters do not count under whitelist.
    @Test func aFilterThatDoesNotCountIsNoCause() throws {
        let rules = """
            policy: default,whitelist,default
            filters: [{name: bad, key: ip, match: x, reject: true}]
            """
        let metrics = try Self.metrics([Event(Self.noon, "a", ip: "x")], rules)
        #expect(metrics["filter-bad"] == 1)
        #expect(metrics["rejection-filter-bad"] == nil)
        #expect(metrics["pass"] == 1)
    }

    @Test func appsAndVersionsAreToldBySystem() throws {
        let events = [
            Event(Self.noon, "a", system: "and", app: "com.app", version: "3.0(3)"),
            Event(Self.noon, "a", flags: "frida", system: "and", app: "com.app", version: "3.0(3)"),
            Event(Self.noon, "a", system: "ios", app: "com.app", version: "3.0(3)"),
            Event(Self.noon, "a", system: "", app: "com.app"), Event(Self.noon, "a", system: "and", version: "1.0"),
            Event(Self.noon, "a", system: "and", app: "com.app", version: "2.9"),
        ]
        let metrics = try Self.metrics(events).filter { $0.key.name.contains("-app") }
        #expect(
            metrics == [
                "pass-app-and-com.app": 2, "fail-app-and-com.app": 1, "pass-app-ios-com.app": 1,
                "pass-app-unknown-com.app": 1, "pass-appver-and-com.app-3.0(3)": 1, "fail-appver-and-com.app-3.0(3)": 1,
                "pass-appver-ios-com.app-3.0(3)": 1, "pass-appver-and-com.app-2.9": 1,
            ])
    }

    @Test func badRequestsAreNoAttestations() throws {
        let metrics = try Self.metrics([Event(Self.noon, "a")], skipsMalformed: true, more: "{}\n{\n")
        #expect(metrics["fail-bad-request"] == 2)
        #expect((metrics["pass"], metrics["fail"]) == (1, 0))
    }

    @Test func lifetimesAndPoliciesAreCounted() throws {
        let own = String(repeating: "b", count: 22) + "=="
        let rules = "devices: [{id: \(own), policy: \"default,allow-raj-only-short-lifetime,default\"}]"
        let events = [
            Event(Self.noon, "a"), Event(Self.noon, "a", flags: "rooted"), Event(Self.noon, "b"),
            Event(Self.noon, "b", flags: "rooted"),
        ]
        let account = try AccountText.account(rules)
        let figures = try #require(try ReplayBench.replay(Event.capture(events), account: account).summary.figures)
        #expect(figures.lifetimes == [300: 1, 120: 1, 45: 2])
        #expect(figures.policies == ["default,default,default": 2, "default,allow-raj-only-short-lifetime,default": 2])
    }
}

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
            #expect(minutes.mapValues { $0.filter { !Self.isOfApp($0.key) } } == expected, "\(jobs) workers")
            #expect(order == order.sorted() && order.count == expected.count)
            let metrics = try #require(replayed.summary.figures?.metrics)
            #expect(Self.sums(minutes) == Dictionary(uniqueKeysWithValues: metrics.map { ($0.key.name, $0.value) }))
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
        #expect(minutes.mapValues { $0.filter { !Self.isOfApp($0.key) && !Self.isOfClient($0.key) } } == expected)
        // R13.3: five installs start for the first time and fetch; bob's three are launched anew, twice; then all five are.
        #expect(
            minutes.mapValues { $0.filter { Self.isOfClient($0.key) } } == [
                "2020-07-23T10:00:00Z": [
                    "sdk-calls-fetch-config": 5, "sdk-calls-fetch-sync": 8, "sdk-result-success": 8,
                ],
                "2020-07-23T10:01:00Z": ["sdk-calls-fetch-sync": 3, "sdk-result-success": 3],
                "2020-07-23T12:00:00Z": ["sdk-calls-fetch-sync": 5, "sdk-result-success": 5],
            ])
        #expect(minutes.keys.sorted() == ["2020-07-23T10:00:00Z", "2020-07-23T10:01:00Z", "2020-07-23T12:00:00Z"])
        #expect(minutes["2020-07-23T10:00:00Z"]?["fail"] == 8)
        #expect(minutes["2020-07-23T10:00:00Z"]?["fail-app-unknown-com.x"] == 6)
        #expect(minutes["2020-07-23T10:01:00Z"]?["policy-whitelist"] == 3)
    }

    @Test("R13.2a nobody who does not ask has a series") func isThereForThoseWhoAsk() throws {
        var capture = RandomCapture(seed: 1, flags: [])
        let text = capture.records(10).map(\.line).joined()
        #expect(try ReplayBench.replay(text).summary.figures?.series == nil)
    }

    @Test("R1.4 minutes before 1970 start at their beginning") func startsBefore1970() throws {
        let line = #"{"time":"1969-12-31T23:58:59Z","device-id":"h4gubfCFzJu81j/U2BJsdg==","flags":""}"# + "\n"
        let replayed = try ReplayBench.replay(line) { $0.keepsSeries = true }
        #expect(try Self.found(replayed.summary.figures).order.map(\.description) == ["1969-12-31T23:58:00Z"])
    }
}
