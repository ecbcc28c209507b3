package import PolicyEngine

/// The spans over which unique devices are counted (R13.2).
package enum WindowKind: String, PartialCodable, Hashable, Sendable, CaseIterable {
    case hourly, daily, monthly
}

extension WindowKind {
    /// The start of the names of its metrics, such as `hourly-`.
    package var prefix: String { rawValue + "-" }
}

/// Months that start on an account's billing day at midnight UTC (R13.2).
package enum BillingMonth {
    /// The first day of the billing month that a day lies in.
    ///
    /// - Parameter billingDay: 1 through 28, so that every month has it.
    package static func start(of date: CalendarDate, billingDay: Int) -> CalendarDate {
        let isBefore = date.day < billingDay
        // Counted in days, since a zone's offset may lead to years that cannot be written.
        let inMonth = isBefore ? CalendarDate(dayNumber: date.dayNumber - date.day) : date
        return CalendarDate(dayNumber: inMonth.dayNumber - inMonth.day + billingDay)
    }
}
