import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// Which names of metrics can occur (R13.1, R13.2).
@Suite struct MetricNameTests {
    // Devices with apps of two names, some with another, and some that do not say.
    private static let apps: AppNames = {
        var apps = AppNames()
        apps.add(apps: ["com.app", "com.app-two"], versions: ["1.0", "2-1"])
        apps.add(apps: ["x"], versions: ["2"])
        apps.add(apps: ["versionless"], versions: [])
        apps.add(apps: [], versions: ["3"])
        return apps
    }()

    private static func check(_ name: String, apps: AppNames = apps) -> (isValid: Bool, hint: String?) {
        switch Metric.check(name, catalogue: FlagCatalogue(), filters: ["myip"], apps: apps) {
        case .valid(let metric): (metric.name == name, nil)
        case .unknown(let hint): (false, hint)
        }
    }

    @Test(arguments: [
        "pass", "fail", "fail-bad-request", "pass-flag-rooted", "fail-flag-new-did", "rejection-flag-frida",
        "policy-default", "policy-custom", "policy-allow-raj-only-short-lifetime", "filter-myip",
        "rejection-filter-myip", "rejection-policy-blacklist", "pass-app-and-com.app", "fail-app-ios-x",
        "pass-app-unknown-x", "pass-appver-and-com.app-1.0", "fail-appver-ios-x-2", "hourly-pass", "daily-fail",
        "monthly-pass", "hourly-pass-app-and-com.app", "monthly-fail-app-ios-x", "daily-fail-flag-rooted",
        "fail-appver-and-com.app-two-2-1", "pass-app-and-versionless",
    ])
    func canOccur(name: String) {
        #expect(Self.check(name).isValid)
    }

    static let impossibleApps = [
        ("fail-appver-and-com.app", "did you mean `fail-appver-and-com.app-1.0`?"),
        ("pass-app-and-com.ap", "did you mean `pass-app-and-com.app`?"),
        ("daily-pass-app-ios-com.bpp", "did you mean `daily-pass-app-ios-com.app`?"),
        ("pass-appver-and-com.app-1.1", "did you mean `pass-appver-and-com.app-1.0`?"),
        ("pass-app-ios-y", "did you mean `pass-app-ios-x`?"),
        ("pass-appver-and-x-1.0", "did you mean `pass-appver-and-x-2`?"), ("fail-app-other-x", nil),
        ("pass-appver-windows-com.app-1.0", nil), ("hourly-fail-app-x", nil),
    ]

    @Test(arguments: impossibleApps) func anAppThatNoDeviceHasCannotOccur(name: String, hint: String?) {
        let form = name.contains("appver") ? "OS-APP-VERSION" : "OS-APP"
        let kind = name.contains("appver") ? "-appver-" : "-app-"
        let start = name.firstRange(of: kind).map { name[..<$0.upperBound] } ?? ""
        let usual = "it is `\(start)\(form)`, with OS `and`, `ios` or `unknown`"
        let found = Self.check(name)
        #expect(!found.isValid)
        #expect(found.hint == hint ?? usual)
    }

    @Test func withoutAppsThereIsNoMetricOfThem() {
        let found = Self.check("pass-app-and-com.app", apps: AppNames())
        #expect(found.hint == "no device of this account has an `appid`")
    }

    @Test(arguments: [
        "", "passed", "pass-", "pass-flag-", "pass-flag-rootd", "rejection-flag-", "policy-", "policy-none",
        "filter-other", "rejection-filter-", "pass-app-x", "pass-app-and-", "pass-app", "rejection-policy-default",
        "hourly-", "hourly-filter-myip", "daily-pass-flag-rooted", "weekly-pass", "monthly-fail-flag-nothing",
        "hourly-hourly-pass", "pass-flag-rooted-2",
    ])
    func cannotOccur(name: String) {
        #expect(!Self.check(name).isValid)
    }

    @Test func everyNameThatIsCountedCanOccur() throws {
        let rules = "filters: [{name: myip, key: ip, match: x, reject: true}]"
        let events = [
            Event("2020-07-23T12:00:00Z", "a", flags: "rooted", system: "and", app: "x", version: "1", ip: "x"),
            Event("2020-07-23T12:00:00Z", "b", system: "ios", app: "y", version: "2"),
            Event("2020-07-23T12:00:00Z", "c", app: "z"),
        ]
        let figures = try #require(
            try ReplayBench.replay(Event.capture(events), account: try AccountText.account(rules)).summary.figures)
        var counted = AppNames()
        for (app, version) in [("x", "1"), ("y", "2"), ("z", "")] { counted.add(apps: [app], versions: [version]) }
        for name in figures.metrics.keys.map(\.name) { #expect(Self.check(name, apps: counted).isValid, "\(name)") }
        for (kind, windows) in figures.windows {
            for name in windows.flatMap(\.counts.keys).map(\.name) {
                #expect(Self.check("\(kind.rawValue)-\(name)", apps: counted).isValid, "\(name)")
            }
        }
    }
}
