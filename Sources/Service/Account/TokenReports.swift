internal import PolicyEngine

/// The reports of misuse that backends made (R23.2).
struct TokenReports: Sendable {
    /// A report.
    struct Report: Hashable, Sendable {
        let time: Instant
        /// The device that the token was issued to, as it names it.
        let device: String
        let message: String

        /// As `token -reports` lists it.
        var line: String { "\(time.dateAndTime) UTC \(device): \(message)" }
    }

    /// The characters that a message may have (manual, Reporting Token Misuse).
    static let messageLimit = 256
    /// The number of reports that are kept; older ones are forgotten.
    static let limit = 10_000

    private(set) var all: [Report] = []
    // The day of the latest report of a device.
    private var days: [String: Int] = [:]

    /// True if a report is kept: one in a minute, and one on a day for a device.
    func keeps(_ report: Report) -> Bool {
        guard report.message.count <= Self.messageLimit else { return false }
        if let latest = all.last, latest.time.minuteNumber == report.time.minuteNumber { return false }
        return days[report.device] != report.time.dayNumber
    }

    /// Keeps a report.
    mutating func keep(_ report: Report) {
        if all.count >= Self.limit { all.removeFirst(all.count - Self.limit + 1) }
        all.append(report)
        days = days.filter { $0.value == report.time.dayNumber }
        days[report.device] = report.time.dayNumber
    }
}
