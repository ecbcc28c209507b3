import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// Which names of metrics can occur (R13.1, R13.2).
@Suite struct MetricNameTests {
    private static func check(_ name: String, apps: AppNames) -> (isValid: Bool, hint: String?) {
        switch Metric.check(name, catalogue: FlagCatalogue(), filters: ["myip"], apps: apps) {
        case .valid(let metric): (metric.name == name, nil)
        case .unknown(let hint): (false, hint)
        }
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
