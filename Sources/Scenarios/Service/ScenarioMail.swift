internal import Accounts
internal import Documents
internal import PolicyEngine

/// The mail that is sent while a scenario runs, beside that of commands: reminders of roles that expire (R24.2), and problems
/// of API domains (R25.2).
struct ScenarioMail {
    /// The monitors of the API domains, by account; empty if no notification is ever sent.
    private(set) var monitors: [DomainMonitor]
    private var next: Instant
    // Seconds from one look to the next; every midnight is among them.
    private let interval: Int

    /// A mail, and when it is sent.
    struct Sent {
        let time: Instant
        let mail: MailMessage
    }

    /// - Parameters:
    ///   - start: The scenario's start.
    ///   - accounts: The number of its accounts; 0 if notifications are sent to nobody.
    init(from start: Instant, accounts: Int) {
        monitors = Array(repeating: DomainMonitor(), count: accounts)
        interval = monitors.isEmpty ? Instant.secondsPerDay : DomainMonitor.interval
        next = DomainMonitor.firstCheck(from: start, every: interval)
    }

    /// Lets the next problem of an account's domains be reported, however short ago one was (R25.1).
    mutating func resume(account: Int) {
        if !monitors.isEmpty { monitors[account].resume() }
    }

    /// The mail that is sent before a time, since the last call.
    ///
    /// - Parameters:
    ///   - services: By account.
    ///   - cancelled: The accounts of which nothing is sent.
    ///   - backends: The backends, which present chains.
    mutating func mails(
        before time: Instant, from services: [SimulatedService], without cancelled: Set<Int>, _ backends: Backends
    ) -> [Sent] {
        var sent: [Sent] = []
        while next < time {
            for index in services.indices where !cancelled.contains(index) {
                sent += reminders(of: services[index])
                guard !monitors.isEmpty else { continue }
                let account = services[index].engine.account(inForceAt: next)
                if let mail = monitors[index].check(account, backends, at: next) {
                    sent.append(Sent(time: next, mail: mail))
                }
            }
            next = next + interval
        }
        return sent
    }

    // A user whose role was revoked is not reminded, whether or not that is in force (manual, Access Expiry Reminders).
    private func reminders(of service: SimulatedService) -> [Sent] {
        guard next.secondsSinceEpoch % Instant.secondsPerDay == 0 else { return [] }
        return AccessReminder.mails(of: service.engine.history.latest, at: next).map { Sent(time: next, mail: $0) }
    }
}

/// Reminds the holders of user roles that their access is about to expire (R24.2; manual, Access Expiry Reminders).
enum AccessReminder {
    /// The number of midnights before the end at which somebody is reminded: "the few days prior to the expiry" (**decided**).
    static let days = 3

    /// The mail that is sent to the holders of an account's roles.
    ///
    /// - Parameter midnight: The midnight UTC at which it is sent.
    static func mails(of account: Account, at midnight: Instant) -> [MailMessage] {
        (account.users ?? [])
            .filter { $0.isLive(at: midnight) && $0.expiry <= midnight + days * Instant.secondsPerDay }
            .map { mail(to: $0, of: account, at: midnight) }
    }

    private static func mail(to user: UserRole, of account: Account, at time: Instant) -> MailMessage {
        let lines = [
            "Your access to account \(account.name) is about to expire.", "", "role: \(user.kind.rawValue)",
            "ID: \(user.id)", "name: \(user.name)", "expiry: \(user.expiry.dateAndTime)",
        ]
        return MailMessage(
            date: MailDate(time), recipients: [user.email],
            subject: "Your access to account \(account.name) is about to expire",
            text: lines.map { $0.showingControls() + "\n" }.joined())
    }
}
