import Testing

@testable import Figures
@testable import PolicyEngine
@testable import Replay
@testable import TestSupport

/// Unique device IDs by hour, day and billing month (R13.2).
@Suite struct WindowTests {
    struct Row: LabelledRow {
        let name: String
        let events: [Event]
        var billingDay = 1
        /// Such as `2020-07-23T12 2/1`: start, passes and failures.
        var hourly: [String]?
        var daily: [String]?
        var monthly: [String]?
    }

    static let borders = [
        Row(
            name: "seconds around an hour",
            events: [
                Event("2020-07-23T11:59:59Z", "a"), Event("2020-07-23T12:00:00Z", "a"),
                Event("2020-07-23T12:59:59Z", "a"), Event("2020-07-23T13:00:00Z", "b"),
            ],
            hourly: ["2020-07-23T11 1/0", "2020-07-23T12 1/0", "2020-07-23T13 1/0"], daily: ["2020-07-23T00 2/0"],
            monthly: ["2020-07-01T00 2/0"]),
        Row(
            name: "seconds around midnight",
            events: [
                Event("2020-07-23T23:59:59Z", "a"), Event("2020-07-24T00:00:00Z", "a"),
                Event("2020-07-24T00:00:00Z", "b"),
            ],
            hourly: ["2020-07-23T23 1/0", "2020-07-24T00 2/0"], daily: ["2020-07-23T00 1/0", "2020-07-24T00 2/0"],
            monthly: ["2020-07-01T00 2/0"]),
        Row(
            name: "offsets do not move midnight",
            events: [Event("2020-07-24T00:30:00+01:00", "a"), Event("2020-07-23T23:45:00-01:00", "a")],
            daily: ["2020-07-23T00 1/0", "2020-07-24T00 1/0"]),
        Row(
            name: "a device comes back after a while",
            events: [
                Event("2020-07-01T01:00:00Z", "a"), Event("2020-07-02T01:00:00Z", "b"),
                Event("2020-07-02T02:00:00Z", "a"), Event("2020-07-31T23:00:00Z", "a"),
                Event("2020-08-01T00:00:00Z", "b"),
            ],
            hourly: [
                "2020-07-01T01 1/0", "2020-07-02T01 1/0", "2020-07-02T02 1/0", "2020-07-31T23 1/0", "2020-08-01T00 1/0",
            ],
            daily: ["2020-07-01T00 1/0", "2020-07-02T00 2/0", "2020-07-31T00 1/0", "2020-08-01T00 1/0"],
            monthly: ["2020-07-01T00 2/0", "2020-08-01T00 1/0"]),
        Row(
            name: "before 1970",
            events: [Event("1969-12-31T23:59:59Z", "a"), Event("1970-01-01T00:00:00Z", "a")],
            hourly: ["1969-12-31T23 1/0", "1970-01-01T00 1/0"], daily: ["1969-12-31T00 1/0", "1970-01-01T00 1/0"],
            monthly: ["1969-12-01T00 1/0", "1970-01-01T00 1/0"]),
    ]

    static let months = [
        Row(
            name: "billing day 1 over the end of a year",
            events: [Event("2019-12-31T23:59:59Z", "a"), Event("2020-01-01T00:00:00Z", "a")],
            monthly: ["2019-12-01T00 1/0", "2020-01-01T00 1/0"]),
        Row(
            name: "billing day 15",
            events: [
                Event("2020-07-14T23:59:59Z", "a"), Event("2020-07-15T00:00:00Z", "a"),
                Event("2020-08-14T23:59:59Z", "a"), Event("2020-08-15T00:00:00Z", "b"),
            ], billingDay: 15, monthly: ["2020-06-15T00 1/0", "2020-07-15T00 1/0", "2020-08-15T00 1/0"]),
        Row(
            name: "billing day 15 over the end of a year",
            events: [
                Event("2019-12-14T12:00:00Z", "a"), Event("2019-12-31T12:00:00Z", "a"),
                Event("2020-01-01T12:00:00Z", "b"), Event("2020-01-15T00:00:00Z", "a"),
            ], billingDay: 15, monthly: ["2019-11-15T00 1/0", "2019-12-15T00 2/0", "2020-01-15T00 1/0"]),
        Row(
            name: "billing day 28 in February",
            events: [
                Event("2020-02-27T23:59:59Z", "a"), Event("2020-02-28T00:00:00Z", "a"),
                Event("2020-02-29T12:00:00Z", "b"), Event("2020-03-27T23:59:59Z", "a"),
                Event("2020-03-28T00:00:00Z", "a"),
            ], billingDay: 28, monthly: ["2020-01-28T00 1/0", "2020-02-28T00 2/0", "2020-03-28T00 1/0"]),
        Row(
            name: "a month without anything is left out",
            events: [Event("2020-01-02T00:00:00Z", "a"), Event("2020-05-02T00:00:00Z", "a")],
            daily: ["2020-01-02T00 1/0", "2020-05-02T00 1/0"], monthly: ["2020-01-01T00 1/0", "2020-05-01T00 1/0"]),
    ]

    static let verdicts = [
        Row(
            name: "a device that both passed and failed counts in both",
            events: [
                Event("2020-07-23T12:00:00Z", "a"), Event("2020-07-23T12:01:00Z", "a", flags: "rooted"),
                Event("2020-07-23T12:02:00Z", "a"), Event("2020-07-23T12:03:00Z", "b", flags: "frida"),
                Event("2020-07-23T13:00:00Z", "a", flags: "frida"),
            ],
            hourly: ["2020-07-23T12 1/2", "2020-07-23T13 0/1"], daily: ["2020-07-23T00 1/2"],
            monthly: ["2020-07-01T00 1/2"]),
        Row(
            name: "failed one day, passed the next",
            events: [
                Event("2020-07-23T12:00:00Z", "a", flags: "rooted"), Event("2020-07-24T12:00:00Z", "a"),
                Event("2020-07-24T12:00:00Z", "a", flags: "rooted"),
            ],
            hourly: ["2020-07-23T12 0/1", "2020-07-24T12 1/1"], daily: ["2020-07-23T00 0/1", "2020-07-24T00 1/1"],
            monthly: ["2020-07-01T00 1/1"]),
    ]

    @Test(arguments: borders + months + verdicts) func counts(_ row: Row) throws {
        let account = try AccountText.account("billing-day: \(row.billingDay)")
        let replayed = try ReplayBench.replay(Event.capture(row.events), account: account)
        let figures = try #require(replayed.summary.figures)
        for (kind, expected) in [(WindowKind.hourly, row.hourly), (.daily, row.daily), (.monthly, row.monthly)] {
            guard let expected else { continue }
            let found = (figures.windows[kind] ?? []).map {
                "\($0.start.description.prefix(13)) \($0.passed)/\($0.failed)"
            }
            #expect(found == expected, "\(kind)")
            #expect((figures.windows[kind] ?? []).allSatisfy { $0.start.secondsSinceEpoch % 3600 == 0 }, "\(kind)")
        }
    }

    private static func counts(_ events: [Event], _ kind: WindowKind) throws -> [[Metric: Int]] {
        let figures = try #require(try ReplayBench.replay(Event.capture(events)).summary.figures)
        return (figures.windows[kind] ?? []).map(\.counts)
    }

    // One device with several apps counts once in all, and once for each app.
    @Test func appsAreCountedByDevice() throws {
        let events = [
            Event("2020-07-23T12:00:00Z", "a", system: "and", app: "x"),
            Event("2020-07-23T12:01:00Z", "a", system: "and", app: "y"),
            Event("2020-07-23T12:02:00Z", "a", system: "and", app: "x"),
            Event("2020-07-23T12:03:00Z", "b", system: "and", app: "x"),
            Event("2020-07-23T12:04:00Z", "a", system: "ios", app: "x"), Event("2020-07-23T12:05:00Z", "a"),
            Event("2020-07-23T12:06:00Z", "a", flags: "frida", system: "and", app: "x"),
            Event("2020-07-23T13:00:00Z", "a", system: "and", app: "y"),
            Event("2020-07-23T13:01:00Z", "c"), Event("2020-07-24T00:00:00Z", "a", system: "and", app: "x"),
        ]
        #expect(
            try Self.counts(events, .hourly) == [
                [
                    "pass-app-and-x": 2, "pass-app-and-y": 1, "pass-app-ios-x": 1, "fail-app-and-x": 1,
                    "fail-flag-frida": 1,
                ],
                ["pass-app-and-y": 1], ["pass-app-and-x": 1],
            ])
        #expect(
            try Self.counts(events, .daily) == [
                [
                    "pass-app-and-x": 2, "pass-app-and-y": 1, "pass-app-ios-x": 1, "fail-app-and-x": 1,
                    "fail-flag-frida": 1,
                ],
                ["pass-app-and-x": 1],
            ])
        let figures = try #require(try ReplayBench.replay(Event.capture(events)).summary.figures)
        #expect(figures.windows[.hourly]?.map(\.passed) == [2, 2, 1])
        #expect(figures.windows[.monthly]?.map(\.passed) == [3])
    }

    @Test func onlyCausalFlagsAreCounted() throws {
        let events = [
            Event("2020-07-23T12:00:00Z", "a", flags: "rooted,root-risk,automated"),
            Event("2020-07-23T12:01:00Z", "a", flags: "rooted"),
            Event("2020-07-23T12:02:00Z", "b", flags: "rooted,frida"),
            Event("2020-07-23T12:03:00Z", "c", flags: "automated"), Event("2020-07-23T13:00:00Z", "a", flags: "frida"),
        ]
        #expect(
            try Self.counts(events, .hourly) == [
                ["fail-flag-rooted": 2, "fail-flag-frida": 1], ["fail-flag-frida": 1],
            ])
        #expect(try Self.counts(events, .daily) == [["fail-flag-rooted": 2, "fail-flag-frida": 2]])
    }

    struct Month: Sendable, CustomTestStringConvertible {
        let day: String
        let billingDay: Int
        let start: String
        var testDescription: String { "\(day), billed on day \(billingDay)" }

        init(_ day: String, _ billingDay: Int, _ start: String) {
            (self.day, self.billingDay, self.start) = (day, billingDay, start)
        }
    }

    static let starts = [
        Month("2020-01-01", 1, "2020-01-01"), Month("2020-01-31", 1, "2020-01-01"),
        Month("2020-01-01", 2, "2019-12-02"),
        Month("2020-01-14", 15, "2019-12-15"), Month("2020-01-15", 15, "2020-01-15"),
        Month("2020-03-27", 28, "2020-02-28"), Month("2020-02-29", 28, "2020-02-28"),
        Month("2021-03-01", 28, "2021-02-28"), Month("2020-12-31", 28, "2020-12-28"),
        Month("2021-01-27", 28, "2020-12-28"),
    ]

    @Test(arguments: starts) func billingMonthsStart(_ row: Month) throws {
        let account = try AccountText.account("billing-day: \(row.billingDay)")
        let replayed = try ReplayBench.replay(Event.capture([Event("\(row.day)T12:00:00Z", "a")]), account: account)
        #expect(replayed.summary.figures?.windows[.monthly]?.map(\.start.description) == ["\(row.start)T00:00:00Z"])
    }
}

/// Attestations by hour.
@Suite struct HourTests {
    @Test(arguments: [1, 3]) func hoursAreThoseOfTheDecisions(jobs: Int) throws {
        var (chance, text, second) = (SplitMix64(seed: 5), "", 0)
        for _ in 0..<400 {
            second += chance.below(2000)
            let time = Instant(secondsSinceEpoch: 1_595_000_000 + second)
            let flags = chance.happens(30) ? "rooted" : ""
            text +=
                #"{"time":"\#(time)","device-id":"Device0000000000000\#(chance.below(90) + 10)A==","flags":"\#(flags)"}"#
                + "\n"
        }
        let replayed = try ReplayBench.replay(text) { $0.jobs = jobs }
        var expected: [Substring: VerdictCounts] = [:]
        for decision in try #require(replayed.decisions) {
            let hour = try #require(decision.split(separator: #""time":""#).last).prefix(13)
            let counted = decision.contains(#""verdict":"pass""#) ? \VerdictCounts.passed : \.failed
            expected[hour, default: VerdictCounts()][keyPath: counted] += 1
        }
        let hours = try #require(replayed.summary.figures?.hours)
        #expect(expected.count > 50)
        #expect(hours.count == expected.count)
        for (start, counts) in hours { #expect(expected[start.description.prefix(13)] == counts) }
    }
}

/// The hours of devices that come with several apps, or with apps of large numbers, against a dictionary (R13.2, R13.4).
@Suite struct AppHoursTests {
    private static let apps: [Int?] = [nil, 0, 7, 32_766, 32_767, 32_768, 65_535, 70_000, 4_000_000]

    private struct Key: Hashable {
        let device: Int
        let app: Int?
    }

    @Test("what is known before each event", arguments: [1, 2, 3]) func agrees(seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        var hours = AppHours()
        var latest = Array(repeating: LatestHour(), count: 50)
        var (anyHours, appHours): ([Int: Int32], [Key: Int32]) = ([:], [:])
        for hour in 0..<Int32(4000) {
            let device = chance.below(50)
            // Some devices have one app only, whatever its number.
            let app = Self.apps[device < 18 ? device % 9 : chance.below(9)]
            let before = hours.replace(&latest[device], of: device, app: app, with: hour)
            #expect(before.any == anyHours[device] ?? LatestHour.never)
            #expect(before.withApp == appHours[Key(device: device, app: app)] ?? LatestHour.never)
            anyHours[device] = hour
            appHours[Key(device: device, app: app)] = hour
            #expect(latest[device].hour == hour)
        }
    }
}
