import Testing

@testable import PolicyEngine
@testable import Replay
@testable import TestSupport

/// Times of text captures and their zones (formats: Captures; R1.4).
@Suite struct TimestampTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let time: String
        var fallback: Int?
        let result: String
        var testDescription: String { fallback.map { "\(time), else \($0) s" } ?? time }

        init(_ time: String, fallback: Int? = nil, _ result: String) {
            (self.time, self.fallback, self.result) = (time, fallback, result)
        }
    }

    static let zones = [
        Row("2020-07-23 12:00:00 UTC", "2020-07-23T12:00:00Z"), Row("2020-07-23 12:00:00 GMT", "2020-07-23T12:00:00Z"),
        Row("2020-07-23 12:00:00 Z", "2020-07-23T12:00:00Z"), Row("2020-07-23 12:00:00 BST", "2020-07-23T11:00:00Z"),
        Row("2020-07-23 12:00:00 CET", "2020-07-23T11:00:00Z"), Row("2020-07-23 12:00:00 CEST", "2020-07-23T10:00:00Z"),
        Row("2020-07-23 12:00:00 EST", "2020-07-23T17:00:00Z"), Row("2020-07-23 12:00:00 EDT", "2020-07-23T16:00:00Z"),
        Row("2020-07-23 12:00:00 CST", "2020-07-23T18:00:00Z"), Row("2020-07-23 12:00:00 CDT", "2020-07-23T17:00:00Z"),
        Row("2020-07-23 12:00:00 MST", "2020-07-23T19:00:00Z"), Row("2020-07-23 12:00:00 MDT", "2020-07-23T18:00:00Z"),
        Row("2020-07-23 12:00:00 PST", "2020-07-23T20:00:00Z"), Row("2020-07-23 12:00:00 PDT", "2020-07-23T19:00:00Z"),
        Row("2020-07-23 12:00:00 JST", "2020-07-23T03:00:00Z"),
        Row("2020-07-23 12:00:00 +00:00", "2020-07-23T12:00:00Z"),
        Row("2020-07-23 12:00:00 +05:45", "2020-07-23T06:15:00Z"),
        Row("2020-07-23 12:00:00 -09:30", "2020-07-23T21:30:00Z"),
        Row("2020-07-23 12:00:00 +14:00", "2020-07-22T22:00:00Z"),
        Row("2020-07-23 23:59:59 -00:01", "2020-07-24T00:00:59Z"),
    ]

    // A name means one offset all the year round.
    static let seasons = [
        Row("2020-01-15 12:00:00 BST", "2020-01-15T11:00:00Z"), Row("2020-07-15 12:00:00 GMT", "2020-07-15T12:00:00Z"),
        Row("2020-01-15 12:00:00 PDT", "2020-01-15T19:00:00Z"), Row("2020-07-15 12:00:00 PST", "2020-07-15T20:00:00Z"),
        Row("2020-03-29 01:30:00 BST", "2020-03-29T00:30:00Z"), Row("2020-10-25 01:30:00 CET", "2020-10-25T00:30:00Z"),
    ]

    static let dates = [
        Row("2020-02-29 00:00:00 UTC", "2020-02-29T00:00:00Z"), Row("2000-02-29 00:00:00 UTC", "2000-02-29T00:00:00Z"),
        Row("2020-01-01 00:30:00 CET", "2019-12-31T23:30:00Z"), Row("1969-12-31 23:59:59 UTC", "1969-12-31T23:59:59Z"),
        Row("2020-12-31 23:59:59 EST", "2021-01-01T04:59:59Z"),
    ]

    static let fallbacks = [
        Row("2020-07-23 12:00:00 AEST", fallback: 36_000, "2020-07-23T02:00:00Z"),
        Row("2020-07-23 12:00:00 IST", fallback: 19_800, "2020-07-23T06:30:00Z"),
        Row("2020-07-23 12:00:00", fallback: -3600, "2020-07-23T13:00:00Z"),
        Row("2020-07-23 12:00:00 BST", fallback: 36_000, "2020-07-23T11:00:00Z"),
        Row("2020-07-23 12:00:00 +01:00", fallback: 36_000, "2020-07-23T11:00:00Z"),
    ]

    private static let hint = "; hint: give its offset from UTC with --timezone ±hh:mm"

    private static let offsetHint = "; hint: an offset from UTC is `±hh:mm`, such as +01:00"
    private static let noTime = "is not a time `YYYY-MM-DD hh:mm:ss ZZZ`"
    private static let fractionHint = "; hint: times are whole seconds, without a fraction"

    static let refusals =
        [
            ("2020-07-23 12:00:00 AEST", "unknown time zone `AEST`\(hint)"),
            ("2020-07-23 12:00:00 bst", "unknown time zone `bst`\(hint)"),
            ("2020-07-23 12:00:00 BS", "unknown time zone `BS`\(hint)"),
            ("2020-07-23 12:00:00", "time without a time zone\(hint)"),
        ].map { Row($0.0, $0.1) }
        // The option helps names only.
        + ["UTC+1", "GMT+1", "+1:00", "+0100", "+24:00", "+01:60", "America/New_York", "B ST", "2"].map {
            Row("2020-07-23 12:00:00 \($0)", "unknown time zone `\($0)`\(offsetHint)")
        }
        + [".5 UTC", ".123 UTC", ".123456Z", "."].map {
            Row("2020-07-23 12:00:00\($0)", "`2020-07-23 12:00:00\($0)` \(noTime)\(fractionHint)")
        }
        + [
            "2020-02-30 12:00:00 UTC", "2019-02-29 12:00:00 UTC", "1900-02-29 12:00:00 UTC", "2020-04-31 12:00:00 UTC",
            "2020-13-01 12:00:00 UTC", "2020-00-01 12:00:00 UTC", "2020-01-00 12:00:00 UTC", "0000-01-01 12:00:00 UTC",
            "2020-07-23 24:00:00 UTC", "2020-07-23 12:60:00 UTC", "2020-07-23 12:00:60 UTC", "2020-7-23 12:00:00 UTC",
            "23-07-2020 12:00:00 UTC", "2020-07-23 12:00 UTC", "now",
        ].map { Row($0, "`\($0)` \(noTime)") }

    @Test(arguments: zones + seasons + dates + fallbacks) func readsTheTime(_ row: Row) throws {
        let id = SampleDevice.bob
        let texts = ["--- \(id) \(row.time) ---\n", "captured: \(row.time)\ndevice-id: \(id)\n"]
        for text in texts {
            #expect(try ReadCapture(text, fallback: row.fallback).lines == ["1: \(row.result) \(id)"])
        }
    }

    @Test(arguments: refusals) func refuses(_ row: Row) throws {
        #expect(try ReadCapture("--- \(SampleDevice.bob) \(row.time) ---\n").lines == ["1! \(row.result)"])
        #expect(
            try ReadCapture("captured: \(row.time)\ndevice-id: \(SampleDevice.bob)\n").lines == ["1! \(row.result)"])
    }

    @Test func everyListedZoneIsTested() {
        let tested = Set(Self.zones.compactMap { $0.time.split(separator: " ").last.map(String.init) })
        #expect(ClockZone.hoursByName.allSatisfy { tested.contains("\($0.name)") })
        #expect(ClockZone.hoursByName.count == 15)
    }

    @Test func offsetsForTheOptionAreRead() {
        #expect(ClockZone.offset("+01:00") == 3600)
        #expect(ClockZone.offset("-09:30") == -34_200)
        for text in ["", "+", "01:00", "Z", "UTC", "+1:00", "+01:00 ", "+24:00", "+01:60", "+0100"] {
            #expect(ClockZone.offset(text) == nil, "\(text)")
        }
    }
}
