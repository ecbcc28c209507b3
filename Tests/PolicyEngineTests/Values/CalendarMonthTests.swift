import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("Calendar months") struct CalendarMonthTests {
    struct Text: LabelledRow {
        let text: String
        let isMonth: Bool

        var testDescription: String { "`\(text)`" }
    }

    static let texts = [
        Text(text: "2018-03", isMonth: true), Text(text: "0001-01", isMonth: true),
        Text(text: "9999-12", isMonth: true), Text(text: "2020-10", isMonth: true),
        Text(text: "2018-00", isMonth: false), Text(text: "2018-13", isMonth: false),
        Text(text: "0000-01", isMonth: false), Text(text: "2018-3", isMonth: false),
        Text(text: "18-03", isMonth: false), Text(text: "02018-03", isMonth: false),
        Text(text: "2018-03-01", isMonth: false), Text(text: "2018/03", isMonth: false),
        Text(text: "201803", isMonth: false), Text(text: "2018-003", isMonth: false),
        Text(text: "+018-03", isMonth: false), Text(text: "-2018-03", isMonth: false),
        Text(text: " 2018-03", isMonth: false), Text(text: "2018-03 ", isMonth: false),
        Text(text: "2018-+3", isMonth: false), Text(text: "", isMonth: false), Text(text: "-", isMonth: false),
        Text(text: "\u{0662}018-03", isMonth: false),
    ]

    @Test("a month is YYYY-MM, and is shown as it was written", arguments: texts) func textIsAMonth(_ row: Text) {
        #expect(CalendarMonth(row.text)?.description == (row.isMonth ? row.text : nil))
    }

    struct Moment: LabelledRow {
        let label: String
        let seconds: Int
        let month: String
    }

    /// By Python's datetime.
    static let moments = [
        Moment(label: "1970-01-01T00:00:00Z", seconds: 0, month: "1970-01"),
        Moment(label: "1969-12-31T23:59:59Z", seconds: -1, month: "1969-12"),
        Moment(label: "2020-02-29T23:59:59Z", seconds: 1_583_020_799, month: "2020-02"),
        Moment(label: "2020-03-01T00:00:00Z", seconds: 1_583_020_800, month: "2020-03"),
        Moment(label: "2020-07-23T11:10:43Z", seconds: 1_595_502_643, month: "2020-07"),
        Moment(label: "2020-12-31T23:59:59Z", seconds: 1_609_459_199, month: "2020-12"),
        Moment(label: "2021-01-01T00:00:00Z", seconds: 1_609_459_200, month: "2021-01"),
    ]

    @Test("R1.4 an instant lies in its month in UTC", arguments: moments) func monthOfInstant(_ row: Moment) {
        #expect(CalendarMonth(of: Instant(secondsSinceEpoch: row.seconds)).description == row.month)
    }

    struct Distance: LabelledRow {
        let first: String
        let second: String
        let months: Int

        var testDescription: String { "\(first) to \(second)" }
    }

    static let distances = [
        Distance(first: "2020-07", second: "2020-07", months: 0),
        Distance(first: "2020-07", second: "2020-08", months: 1),
        Distance(first: "2019-12", second: "2020-01", months: 1),
        Distance(first: "2019-07", second: "2020-07", months: 12),
        Distance(first: "2019-06", second: "2020-07", months: 13),
        Distance(first: "2018-03", second: "2020-02", months: 23),
        Distance(first: "1999-12", second: "2100-01", months: 1201),
    ]

    @Test("how many months lie between two, and which is the earlier", arguments: distances)
    func monthsBetween(_ row: Distance) throws {
        let first = try #require(CalendarMonth(row.first))
        let second = try #require(CalendarMonth(row.second))
        #expect(first.months(until: second) == row.months)
        #expect(second.months(until: first) == -row.months)
        #expect((first < second) == (row.months > 0))
        #expect((first == second) == (row.months == 0))
    }

    @Test("every month of two centuries follows the one before it") func monthsFollowEachOther() throws {
        var earlier = try #require(CalendarMonth(year: 1899, month: 12))
        for year in 1900..<2100 {
            for month in 1...12 {
                let later = try #require(CalendarMonth(year: year, month: month))
                #expect(earlier.months(until: later) == 1 && earlier < later)
                earlier = later
            }
        }
        #expect(earlier.description == "2099-12")
    }
}
