import PolicyEngine
import Testing

@testable import Figures
@testable import Reports

/// The windows of a report as JSON (R13.2).
@Suite struct JSONWindowsTests {
    private static func window(_ hour: Int, passed: Int, failed: Int, _ counts: [Metric: Int]) -> Figures.Window {
        Figures.Window {
            $0.start = Instant(secondsSinceEpoch: hour * 3600)
            ($0.passed, $0.failed, $0.counts) = (passed, failed, counts)
        }
    }

    private static let app = Metric.app("ios-b", passed: true)
    private static let other = Metric.app("and-a", passed: false)
    private static let flag = Metric.flag("rooted", passed: false)

    @Test("members are in the order of their bytes, and each window has those that it counts")
    func members() {
        let hours = [
            Self.window(0, passed: 3, failed: 0, [Self.app: 3]),
            Self.window(25, passed: 1, failed: 2, [Self.flag: 2, Self.other: 1, Self.app: 1]),
            Self.window(26, passed: 0, failed: 0, [:]),
        ]
        let days = [Self.window(24, passed: 0, failed: 2, [Self.flag: 2])]
        let written = JSONWindows.value(of: [.hourly: hours, .daily: days]).bytes
        let expected =
            #"{"daily":[{"fail":2,"fail-flag-rooted":2,"pass":0,"start":"1970-01-02T00:00:00Z"}],"#
            + #""hourly":[{"fail":0,"pass":3,"pass-app-ios-b":3,"start":"1970-01-01T00:00:00Z"},"#
            + #"{"fail":2,"fail-app-and-a":1,"fail-flag-rooted":2,"pass":1,"pass-app-ios-b":1,"#
            + #""start":"1970-01-02T01:00:00Z"},{"fail":0,"pass":0,"start":"1970-01-02T02:00:00Z"}],"monthly":[]}"#
        #expect(String(decoding: written, as: UTF8.self) == expected)
    }

    @Test("a report without windows has each kind of them") func none() {
        let written = JSONWindows.value(of: [:]).bytes
        #expect(String(decoding: written, as: UTF8.self) == #"{"daily":[],"hourly":[],"monthly":[]}"#)
    }
}
