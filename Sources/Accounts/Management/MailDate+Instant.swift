package import Documents
package import PolicyEngine

extension MailDate {
    /// A moment as mails name it.
    package init(_ instant: Instant) {
        let (date, number) = (instant.date, instant.dayNumber)
        self.init(
            year: date.year, month: date.month, day: date.day, dayNumber: number,
            second: instant.secondsSinceEpoch - number * Instant.secondsPerDay)
    }
}
