internal import PolicyEngine

/// Months that start on an account's billing day at midnight UTC (R13.2).
enum BillingMonth {
    /// The first day of the billing month that a day lies in.
    ///
    /// - Parameter billingDay: 1 through 28, so that every month has it.
    static func start(of date: CalendarDate, billingDay: Int) -> CalendarDate {
        let isBefore = date.day < billingDay
        let year = isBefore && date.month == 1 ? date.year - 1 : date.year
        let month = isBefore ? (date.month == 1 ? 12 : date.month - 1) : date.month
        return CalendarDate(year: max(1, year), month: month, day: billingDay) ?? date
    }
}
