import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("Calendar dates") struct CalendarDateTests {
    struct Day: LabelledRow {
        let text: String
        let number: Int

        var testDescription: String { text }
    }

    /// Day numbers by Python's datetime.
    static let days = [
        Day(text: "0001-01-01", number: -719_162), Day(text: "1600-02-29", number: -135_081),
        Day(text: "1899-12-31", number: -25_568), Day(text: "1900-01-01", number: -25_567),
        Day(text: "1900-03-01", number: -25_508), Day(text: "1968-02-29", number: -672),
        Day(text: "1969-12-31", number: -1), Day(text: "1970-01-01", number: 0),
        Day(text: "1972-02-29", number: 789), Day(text: "1999-12-31", number: 10_956),
        Day(text: "2000-01-01", number: 10_957), Day(text: "2000-02-29", number: 11_016),
        Day(text: "2000-03-01", number: 11_017), Day(text: "2020-02-28", number: 18_320),
        Day(text: "2020-02-29", number: 18_321), Day(text: "2020-03-01", number: 18_322),
        Day(text: "2020-07-23", number: 18_466), Day(text: "2020-12-31", number: 18_627),
        Day(text: "2021-01-01", number: 18_628), Day(text: "2100-02-28", number: 47_540),
        Day(text: "2100-03-01", number: 47_541), Day(text: "2400-02-29", number: 157_113),
        Day(text: "9999-12-31", number: 2_932_896),
    ]

    @Test("a date and its number", arguments: days) func dateHasItsNumber(_ row: Day) throws {
        let date = CalendarDate(dayNumber: row.number)
        #expect(date.description == row.text)
        #expect(date.dayNumber == row.number)
        let parts = row.text.split(separator: "-").compactMap { Int($0) }
        #expect(CalendarDate(year: parts[0], month: parts[1], day: parts[2]) == date)
    }

    @Test("every day of eight centuries follows the one before it") func daysFollowEachOther() {
        var (year, month, day) = (1599, 12, 31)
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        for number in -135_140...157_000 {
            let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
            day += 1
            if day > lengths[month - 1] + (month == 2 && isLeap ? 1 : 0) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
            let date = CalendarDate(dayNumber: number)
            guard date.year == year, date.month == month, date.day == day, date.dayNumber == number else {
                Issue.record("day \(number) is \(date) instead of \(year)-\(month)-\(day)")
                return
            }
        }
        #expect(year == 2399)
    }

    struct Existence: LabelledRow {
        let year: Int
        let month: Int
        let day: Int
        let exists: Bool

        var testDescription: String { "\(year)-\(month)-\(day)" }

        init(_ year: Int, _ month: Int, _ day: Int, exists: Bool) {
            (self.year, self.month, self.day, self.exists) = (year, month, day, exists)
        }
    }

    static let existences = [
        Existence(2020, 2, 29, exists: true), Existence(2019, 2, 29, exists: false),
        Existence(2000, 2, 29, exists: true), Existence(1900, 2, 29, exists: false),
        Existence(2100, 2, 29, exists: false), Existence(2020, 2, 30, exists: false),
        Existence(2020, 1, 31, exists: true), Existence(2020, 1, 32, exists: false),
        Existence(2020, 4, 30, exists: true), Existence(2020, 4, 31, exists: false),
        Existence(2020, 6, 31, exists: false), Existence(2020, 9, 31, exists: false),
        Existence(2020, 11, 31, exists: false), Existence(2020, 12, 31, exists: true),
        Existence(2020, 0, 1, exists: false), Existence(2020, 13, 1, exists: false),
        Existence(2020, 1, 0, exists: false), Existence(2020, 1, -1, exists: false),
        Existence(0, 1, 1, exists: false), Existence(1, 1, 1, exists: true),
        Existence(9999, 12, 31, exists: true), Existence(10_000, 1, 1, exists: false),
    ]

    @Test("a date is one that exists", arguments: existences) func dateExists(_ row: Existence) {
        #expect((CalendarDate(year: row.year, month: row.month, day: row.day) != nil) == row.exists)
    }
}
