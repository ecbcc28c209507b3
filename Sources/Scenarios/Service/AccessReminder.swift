internal import Accounts
internal import Documents
internal import PolicyEngine

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
