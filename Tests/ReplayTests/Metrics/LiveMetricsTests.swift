import Figures
import PolicyEngine
import Replay
import Testing

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
