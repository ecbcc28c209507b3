package import PolicyEngine

/// The contents of an account's summary (R25.3): the window that was open last, and the account as it was then.
package struct AccountSummary: Sendable {
    /// The account at the end.
    package let account: Account
    /// The length of the window: a billing month, or a day.
    package let frequency: MonitoringSettings.Frequency
    /// The billing month in which something was attested last; `nil` where nothing was.
    package let month: Figures.Window?
    /// The window of the summary; `nil` where nothing was attested.
    package let window: Figures.Window?

    /// The summaries of an account: that of the billing month, and before it that of the day where the account wants one.
    package static func all(of account: Account, _ figures: Figures) -> [AccountSummary] {
        let wanted: [MonitoringSettings.Frequency] =
            switch account.monitoring.frequency {
            case .monthly: [.monthly]
            case .daily: [.daily, .monthly]
            }
        return wanted.map { AccountSummary(of: account, $0, figures) }
    }

    private init(of account: Account, _ frequency: MonitoringSettings.Frequency, _ figures: Figures) {
        (self.account, self.frequency) = (account, frequency)
        month = figures.windows[.monthly]?.last
        window =
            switch frequency {
            case .monthly: month
            case .daily: figures.windows[.daily]?.last
            }
    }

    /// When that window ends: midnight UTC.
    package var end: Instant? {
        guard let start = window?.start else { return nil }
        guard frequency == .monthly else { return start + Instant.secondsPerDay }
        // No month is longer, and the day after the longest lies in the next one.
        let next = BillingMonth.start(
            of: CalendarDate(dayNumber: start.dayNumber + Self.longestMonth), billingDay: account.billingDay)
        return Instant(secondsSinceEpoch: next.dayNumber * Instant.secondsPerDay)
    }

    private static let longestMonth = 31

    /// Devices that passed or failed in the window, by app.
    package func apps(passed: Bool) -> [(name: String, devices: Int)] {
        ranked { metric in if case .app(let app, passed) = metric { app.text } else { nil } }
    }

    /// Devices that failed in the window, by the flag that caused it.
    package var causes: [(name: String, devices: Int)] {
        ranked { metric in if case .flag(let flag, passed: false) = metric { flag.text } else { nil } }
    }

    // The most first, and by name.
    private func ranked(_ name: (Metric) -> String?) -> [(name: String, devices: Int)] {
        let named = (window?.counts ?? [:]).compactMap { metric, count in name(metric).map { ($0, count) } }
        return named.sorted { ($1.1, ExactText($0.0)) < ($0.1, ExactText($1.0)) }
    }
}
