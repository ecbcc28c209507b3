import PolicyEngine
import Testing

@testable import Simulation

/// Which names of metrics can occur (R13.1, R13.2).
@Suite struct MetricNameTests {
    private static func isValid(_ name: String) -> Bool {
        if case .valid = MetricName.check(name, catalogue: FlagCatalogue(), filters: ["myip"]) { true } else { false }
    }

    @Test(arguments: [
        "pass", "fail", "fail-bad-request", "pass-flag-rooted", "fail-flag-new-did", "rejection-flag-frida",
        "policy-default", "policy-custom", "policy-allow-raj-only-short-lifetime", "filter-myip",
        "rejection-filter-myip", "rejection-policy-blacklist", "pass-app-and-com.app", "fail-app-ios-x",
        "pass-app-unknown-x", "pass-appver-and-com.app-1.0", "fail-appver-ios-x-2", "hourly-pass", "daily-fail",
        "monthly-pass", "hourly-pass-app-and-x", "monthly-fail-app-ios-x", "daily-fail-flag-rooted",
    ])
    func canOccur(name: String) {
        #expect(Self.isValid(name))
    }

    @Test(arguments: [
        "", "passed", "pass-", "pass-flag-", "pass-flag-rootd", "rejection-flag-", "policy-", "policy-none",
        "filter-other", "rejection-filter-", "pass-app-x", "pass-app-and-", "pass-app", "rejection-policy-default",
        "hourly-", "hourly-filter-myip", "daily-pass-flag-rooted", "weekly-pass", "monthly-fail-flag-nothing",
        "hourly-hourly-pass", "pass-flag-rooted-2",
    ])
    func cannotOccur(name: String) {
        #expect(!Self.isValid(name))
    }

    @Test func everyNameThatIsCountedCanOccur() throws {
        let rules = "filters: [{name: myip, key: ip, match: x, reject: true}]"
        let events = [
            Event("2020-07-23T12:00:00Z", "a", flags: "rooted", system: "and", app: "x", version: "1", ip: "x"),
            Event("2020-07-23T12:00:00Z", "b", system: "ios", app: "y", version: "2"),
            Event("2020-07-23T12:00:00Z", "c", app: "z"),
        ]
        let figures = try #require(
            try ReplayBench.replay(Event.capture(events), account: try AccountText.account(rules)).outcome.figures)
        for name in figures.metrics.keys { #expect(Self.isValid(name), "\(name)") }
        for (kind, windows) in figures.windows {
            for name in windows.flatMap(\.counts.keys) { #expect(Self.isValid("\(kind.rawValue)-\(name)"), "\(name)") }
        }
    }
}
