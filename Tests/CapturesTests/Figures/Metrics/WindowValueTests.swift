import PolicyEngine
import Testing

@testable import Figures
@testable import TestSupport

/// Values of metrics, of clients' counts and of summaries, worked out by hand.
@Suite struct WindowValueTests {
    private static func window(_ start: String, _ passed: Int, _ failed: Int) throws -> Figures.Window {
        let start = try #require(Instant(rfc3339: start))
        return Figures.Window {
            ($0.start, $0.passed, $0.failed, $0.counts) = (start, passed, failed, ["fail-flag-rooted": failed + 1])
        }
    }

    // Windows that are open at the end are the second ones.
    private static func figures() throws -> Figures {
        var figures = Figures()
        figures.metrics = ["pass": 7]
        figures.billing = 5
        figures.windows = [
            .hourly: [try window("2020-02-20T09:00:00Z", 1, 2), try window("2020-02-20T10:00:00Z", 3, 4)],
            .daily: [try window("2020-02-19T00:00:00Z", 10, 20), try window("2020-02-20T00:00:00Z", 30, 40)],
            .monthly: [try window("2020-01-21T00:00:00Z", 100, 200), try window("2020-02-15T00:00:00Z", 300, 400)],
        ]
        return figures
    }

    static let values: [Case<Metric, Int>] = [
        Case("pass", gives: 7), Case("fail", gives: 0), Case("billing", gives: 5), Case("hourly-pass", gives: 3),
        Case("hourly-fail", gives: 4), Case("hourly-fail-flag-rooted", gives: 5), Case("daily-pass", gives: 30),
        Case("daily-fail-flag-rooted", gives: 41), Case("daily-fail-flag-frida", gives: 0),
        Case("monthly-fail", gives: 400),
    ]

    @Test("R13.2 a metric has the value of the window that is open at the end", arguments: values)
    func value(_ row: Case<Metric, Int>) throws {
        let (figures, end) = (try Self.figures(), try #require(Instant(rfc3339: "2020-02-20T10:59:59Z")))
        expect(figures.value(of: row.input, at: end, billingDay: 15), equals: row.expected)
        let later = end + 1
        if case .devices(_, .hourly) = row.input {
            expect(figures.value(of: row.input, at: later, billingDay: 15), equals: 0)
        }
    }

    @Test("R13.2 a billing month starts on the billing day") func billingMonth() throws {
        let (figures, end) = (try Self.figures(), try #require(Instant(rfc3339: "2020-02-20T10:59:59Z")))
        expect(figures.value(of: "monthly-pass", at: end, billingDay: 21), equals: 100)
        expect(figures.highestMonth, equals: 300)
    }

    @Test("apps beyond the limit, of whom one name stands for all others") func appLimit() {
        func figures(_ count: Int, _ metric: (Int) -> Metric) -> Figures {
            Figures { $0.metrics = Dictionary(uniqueKeysWithValues: (0..<count).map { (metric($0), 1) }) }
        }
        let limit = Figures.appLimit
        for passed in [true, false] {
            #expect(!figures(limit) { .app(ExactText("a\($0)"), passed: passed) }.hasAppsBeyondLimit)
            #expect(figures(limit + 1) { .app(ExactText("a\($0)"), passed: passed) }.hasAppsBeyondLimit)
            #expect(figures(limit + 1) { .version(ExactText("a\($0)"), passed: passed) }.hasAppsBeyondLimit)
            #expect(
                !figures(limit + 1) { .app($0 == 0 ? "other" : ExactText("a\($0)"), passed: passed) }.hasAppsBeyondLimit
            )
            #expect(figures(1) { _ in .app("other", passed: passed) }.hasOtherApps)
            #expect(figures(1) { _ in .version("other", passed: passed) }.hasOtherApps)
        }
        #expect(!figures(1) { _ in .app("others", passed: true) }.hasOtherApps)
    }

    @Test("a metric is counted if there is anything to count") func counting() {
        var figures = Figures()
        figures.add("filter-myip", 0)
        figures.add("filter-myip", 1)
        figures.add("filter-f", 0)
        figures.addMalformed(1)
        expect(figures.metrics, equals: ["filter-myip": 1, "fail-bad-request": 1])
        expect(figures.malformed, equals: 1)
    }

    @Test("devices that could not be evaluated are counted by what is lacking") func unevaluated() {
        var devices = Figures.Unevaluated()
        devices.addNewDevices(0, others: 5)
        expect(devices, equals: Figures.Unevaluated())
        devices.addUnsearched(2, byFilter: ["g": 2, "f": 1])
        devices.addNewDevices(3, others: 2)
        #expect((devices.devices, devices.unsearched, devices.newDevices) == (4, 2, 3))
        expect(devices.filters.map(\.name), equals: ["f", "g"])
        expect(devices.filters.map(\.devices), equals: [1, 2])
    }

    @Test(
        "R13.3 a client counts each of its fetches, and those results that a metric has",
        arguments: FetchResult.allCases)
    func clients(_ result: FetchResult) {
        var statistics = ClientStatistics()
        statistics.count(result)
        statistics.count(result)
        let counted = Metric.Client.Total.allCases.filter { statistics[$0] > 0 }
        #expect(counted.allSatisfy { statistics[$0] == 2 })
        let own: [FetchResult: Metric.Client.Total] = [
            .success: .successes, .noNetwork: .withoutNetwork, .poorNetwork: .withPoorNetwork,
            .mitmDetected: .intercepted,
        ]
        expect(counted, equals: [.fetches] + [own[result]].compactMap(\.self))
    }

    static let summaries = [
        Case("daily", "2020-02-21T00:00:00Z", gives: ["f", "g"]), Case("monthly", "2020-03-15T00:00:00Z", gives: ["g"]),
    ]

    @Test("R25.3 a summary is about the window that was open last", arguments: summaries)
    func summary(_ row: Case<String, [String]>) throws {
        var (account, figures) = (Account(), try Self.figures())
        account.billingDay = 15
        account.monitoring.frequency = .daily
        figures.windows[.daily]?[1].counts = [
            "fail-flag-f": 3, "fail-flag-g": 3, "fail-app-ios-a": 1, "fail-app-ios-b": 2, "pass-app-ios-c": 9,
        ]
        figures.windows[.monthly]?[1].counts = ["fail-flag-g": 2]
        let all = AccountSummary.all(of: account, figures)
        expect(all.map { "\($0.frequency)" }, equals: ["daily", "monthly"])
        let summary = try #require(all.first { "\($0.frequency)" == row.label })
        expect(summary.end?.description, equals: row.input)
        expect(summary.causes.map(\.name), equals: row.expected)
        expect(summary.month?.passed, equals: 300)
        expect(all[0].apps(passed: false).map(\.name), equals: ["ios-b", "ios-a"])
        expect(all[0].apps(passed: true).map(\.devices), equals: [9])
        account.monitoring.frequency = .monthly
        expect(AccountSummary.all(of: account, Figures()).map(\.end), equals: [nil])
    }
}

/// The starts of billing months (R13.2), at the edges of the calendar too.
@Suite struct BillingMonthTests {
    struct Row: LabelledRow {
        let name: String
        let date: CalendarDate
        let billingDay: Int
        let start: String
    }

    // 9999-12-31 and 0001-01-01: what lies outside comes about by offsets of time zones only.
    private static let last = 2_932_896
    private static let first = -719_162

    static let rows = [
        Row(name: "last day", date: CalendarDate(dayNumber: last), billingDay: 15, start: "9999-12-15"),
        Row(name: "day behind it", date: CalendarDate(dayNumber: last + 1), billingDay: 1, start: "10000-01-01"),
        Row(
            name: "day behind it, later start", date: CalendarDate(dayNumber: last + 1), billingDay: 28,
            start: "9999-12-28"),
        Row(name: "later behind it", date: CalendarDate(dayNumber: last + 20), billingDay: 15, start: "10000-01-15"),
        Row(name: "first day", date: CalendarDate(dayNumber: first), billingDay: 1, start: "0001-01-01"),
        Row(name: "first day, later start", date: CalendarDate(dayNumber: first), billingDay: 2, start: "0000-12-02"),
        Row(name: "day before it", date: CalendarDate(dayNumber: first - 1), billingDay: 28, start: "0000-12-28"),
    ]

    @Test("R13.2 a billing month holds its day", arguments: rows) func holdsTheDay(_ row: Row) {
        let start = BillingMonth.start(of: row.date, billingDay: row.billingDay)
        expect(start.description, equals: row.start)
        #expect(start.dayNumber <= row.date.dayNumber)
        #expect(row.date.dayNumber - start.dayNumber < 31)
    }
}
