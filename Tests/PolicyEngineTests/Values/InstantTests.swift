import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R1.4 Instants") struct InstantTests {
    struct Moment: LabelledRow {
        let text: String
        let seconds: Int

        var testDescription: String { text }
    }

    /// Seconds by Python's datetime.
    static let moments = [
        Moment(text: "0001-01-01T00:00:00Z", seconds: -62_135_596_800),
        Moment(text: "1900-02-28T23:59:59Z", seconds: -2_203_891_201),
        Moment(text: "1900-03-01T00:00:00Z", seconds: -2_203_891_200),
        Moment(text: "1969-12-31T00:00:00Z", seconds: -86_400),
        Moment(text: "1969-12-31T23:59:59Z", seconds: -1),
        Moment(text: "1970-01-01T00:00:00Z", seconds: 0),
        Moment(text: "1999-12-31T23:59:59Z", seconds: 946_684_799),
        Moment(text: "2000-01-01T00:00:00Z", seconds: 946_684_800),
        Moment(text: "2000-02-29T12:00:00Z", seconds: 951_825_600),
        Moment(text: "2020-02-29T00:00:00Z", seconds: 1_582_934_400),
        Moment(text: "2020-07-23T11:10:43Z", seconds: 1_595_502_643),
        Moment(text: "2020-12-31T23:59:59Z", seconds: 1_609_459_199),
        Moment(text: "2021-01-01T00:00:00Z", seconds: 1_609_459_200),
        Moment(text: "2038-01-19T03:14:08Z", seconds: 2_147_483_648),
        Moment(text: "9999-12-31T23:59:59Z", seconds: 253_402_300_799),
    ]

    @Test("R1.4 an instant is read and printed to the second", arguments: moments)
    func instantIsReadAndPrinted(_ row: Moment) {
        #expect(Instant(rfc3339: row.text)?.secondsSinceEpoch == row.seconds)
        #expect(Instant(secondsSinceEpoch: row.seconds).description == row.text)
    }

    struct Spelling: LabelledRow {
        let text: String
        /// The same in UTC; `nil` where it is no timestamp.
        let utc: String?

        var testDescription: String { text }

        init(_ text: String, _ utc: String?) { (self.text, self.utc) = (text, utc) }
    }

    static let spellings = [
        Spelling("2020-07-23T12:10:43+01:00", "2020-07-23T11:10:43Z"),
        Spelling("2020-07-23T06:10:43-05:00", "2020-07-23T11:10:43Z"),
        Spelling("2020-07-23T16:40:43+05:30", "2020-07-23T11:10:43Z"),
        Spelling("2020-07-23T11:10:43+00:00", "2020-07-23T11:10:43Z"),
        Spelling("2020-07-23T11:10:43-00:00", "2020-07-23T11:10:43Z"),
        Spelling("2021-01-01T00:30:00+01:00", "2020-12-31T23:30:00Z"),
        Spelling("2020-12-31T23:30:00-01:00", "2021-01-01T00:30:00Z"),
        Spelling("2020-03-01T00:00:00+00:01", "2020-02-29T23:59:00Z"),
        Spelling("2020-07-23T11:10:43+23:59", "2020-07-22T11:11:43Z"),
        Spelling("2020-07-23t11:10:43z", "2020-07-23T11:10:43Z"),
        Spelling("2020-07-23 11:10:43Z", "2020-07-23T11:10:43Z"),
        Spelling("2020-07-23T11:10:43.5Z", "2020-07-23T11:10:43Z"),
        Spelling("2020-07-23T11:10:43.999999999999Z", "2020-07-23T11:10:43Z"),
        Spelling("1969-12-31T23:59:59.9Z", "1969-12-31T23:59:59Z"),
        Spelling("2020-07-23T11:10:43.25+01:00", "2020-07-23T10:10:43Z"),
        Spelling("2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z"),
        Spelling("1900-02-29T00:00:00Z", nil),
        Spelling("2019-02-29T00:00:00Z", nil),
        Spelling("2020-02-30T00:00:00Z", nil),
        Spelling("2020-04-31T00:00:00Z", nil),
        Spelling("2020-13-01T00:00:00Z", nil),
        Spelling("2020-00-01T00:00:00Z", nil),
        Spelling("2020-01-00T00:00:00Z", nil),
        Spelling("0000-01-01T00:00:00Z", nil),
        Spelling("2020-07-23T24:00:00Z", nil),
        Spelling("2020-07-23T23:60:00Z", nil),
        Spelling("2020-07-23T23:59:60Z", nil),
        Spelling("2020-07-23T11:10:43", nil),
        Spelling("2020-07-23T11:10:43.Z", nil),
        Spelling("2020-07-23T11:10Z", nil),
        Spelling("2020-07-23", nil),
        Spelling("2020-7-23T11:10:43Z", nil),
        Spelling("20-07-23T11:10:43Z", nil),
        Spelling("+2020-07-23T11:10:43Z", nil),
        Spelling("2020-07-23T11:10:43+01", nil),
        Spelling("2020-07-23T11:10:43+0100", nil),
        Spelling("2020-07-23T11:10:43+24:00", nil),
        Spelling("2020-07-23T11:10:43+01:60", nil),
        Spelling("2020-07-23T11:10:43 Z", nil),
        Spelling("2020-07-23T11:10:43Z ", nil),
        Spelling(" 2020-07-23T11:10:43Z", nil),
        Spelling("2020-07-23T11:10:43ZZ", nil),
        Spelling("2020-07-23T11:1a:43Z", nil),
        Spelling("", nil),
        Spelling("now", nil),
    ]

    @Test("R1.4 RFC 3339 with any offset", arguments: spellings) func spellingIsRead(_ row: Spelling) {
        #expect(Instant(rfc3339: row.text)?.description == row.utc)
    }

    @Test("R1.4 a timestamp inside other bytes") func timestampInsideBytes() {
        let bytes = Array("xx2020-07-23T11:10:43Zyy".utf8)
        #expect(Instant(rfc3339: bytes.span, range: 2..<22)?.secondsSinceEpoch == 1_595_502_643)
        #expect(Instant(rfc3339: bytes.span, range: 2..<21) == nil)
        #expect(Instant(rfc3339: bytes.span, range: 2..<23) == nil)
        #expect(Instant(rfc3339: bytes.span, range: 5..<5) == nil)
    }

    struct Number: LabelledRow {
        let seconds: Int
        let day: Int
        let hour: Int

        var testDescription: String { "\(seconds) s" }
    }

    static let numbers = [
        Number(seconds: 0, day: 0, hour: 0), Number(seconds: 3599, day: 0, hour: 0),
        Number(seconds: 3600, day: 0, hour: 1), Number(seconds: 86_399, day: 0, hour: 23),
        Number(seconds: 86_400, day: 1, hour: 24), Number(seconds: -1, day: -1, hour: -1),
        Number(seconds: -3600, day: -1, hour: -1), Number(seconds: -3601, day: -1, hour: -2),
        Number(seconds: -86_400, day: -1, hour: -24), Number(seconds: -86_401, day: -2, hour: -25),
    ]

    @Test("R1.4 days and hours are rounded down", arguments: numbers) func numbersAreRoundedDown(_ row: Number) {
        let instant = Instant(secondsSinceEpoch: row.seconds)
        #expect(instant.dayNumber == row.day)
        #expect(instant.hourNumber == row.hour)
    }

    @Test("instants are ordered, moved and told apart") func arithmetic() {
        let instant = Instant(secondsSinceEpoch: 100)
        #expect(instant + 20 == Instant(secondsSinceEpoch: 120))
        #expect(instant + -200 == Instant(secondsSinceEpoch: -100))
        #expect((instant + 20) - instant == 20)
        #expect(instant - (instant + 20) == -20)
        #expect(instant < instant + 1)
        #expect(!(instant < instant))
    }
}
