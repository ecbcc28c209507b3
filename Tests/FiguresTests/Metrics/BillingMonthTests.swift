import PolicyEngine
import Testing

@testable import Figures
@testable import TestSupport

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
        #expect(start.description == row.start)
        #expect(start.dayNumber <= row.date.dayNumber)
        #expect(row.date.dayNumber - start.dayNumber < 31)
    }
}
