internal import Accounts
internal import Documents
internal import PolicyEngine

/// Watches the API domains of one account, and says when the chain of a backend no longer has a pin (R25.2).
struct DomainMonitor {
    /// The number of notifications that were sent.
    private(set) var notifications = 0
    /// The number of comparisons of a chain with pins, or with none where nobody answers, while there were recipients.
    private(set) var comparisons = 0
    // The end of the time in which no other notification is sent.
    private var silenceEnd: Instant?

    /// Seconds from one look at the domains to the next; looks are at whole quarters of an hour.
    static let interval = 900
    // Seconds for which no other notification is sent.
    private static let silence = Instant.secondsPerDay

    /// The first look that is not before an instant.
    ///
    /// - Parameter interval: Seconds from one look to the next.
    static func firstCheck(from time: Instant, every interval: Int = DomainMonitor.interval) -> Instant {
        let rest = time.secondsSinceEpoch % interval
        return rest == 0 ? time : time + (rest > 0 ? interval - rest : -rest)
    }

    /// Lets the next problem be reported, however short ago one was (R25.1).
    mutating func resume() { silenceEnd = nil }

    /// Looks at the domains of an account.
    ///
    /// - Parameters:
    ///   - account: The account in force.
    ///   - backends: The backends, which present chains.
    ///   - time: Now.
    /// - Returns: The mail that is sent; `nil` where none is.
    /// - Complexity: O(domains × pins).
    mutating func check(_ account: Account, _ backends: Backends, at time: Instant) -> MailMessage? {
        guard !account.monitoring.recipients.isEmpty else { return nil }
        let pins = PinConfiguration(account)
        let problems = account.apiDomains.filter { domain in
            let host = domain.name.lowercased()
            guard domain.monitorPort != nil, !domain.holdsManagedRoots else { return false }
            guard let presented = backends[host].presented()?.pins else {
                comparisons += 1
                return true
            }
            guard let applied = pins.applied(to: host, presenting: presented, mode: .pin, usingRoots: true)
            else { return false }
            comparisons += 1
            return Set(applied.pins).isDisjoint(with: presented)
        }
        guard !problems.isEmpty, silenceEnd.map({ $0 <= time }) ?? true else { return nil }
        silenceEnd = time + Self.silence
        notifications += 1
        return Self.mail(about: problems, of: account, backends, at: time)
    }

    private static func mail(
        about domains: [APIDomain], of account: Account, _ backends: Backends, at time: Instant
    ) -> MailMessage {
        let lines = domains.flatMap { domain -> [String] in
            let address = "https://\(domain.name):\(domain.monitorPort ?? Account.usualMonitorPort)"
            guard let presented = backends[domain.name.lowercased()].presented() else {
                return ["\(address): not accessible"]
            }
            return ["\(address): no pin matches; presented are"] + presented.pins.map { "  \($0)" }
        }
        let isAccessible = domains.allSatisfy { backends[$0.name.lowercased()].answers }
        let head = [
            isAccessible
                ? "The certificates of these API domains match no pin of account \(account.name):"
                : "These API domains of account \(account.name) are not accessible, or their certificates match no pin:",
            "",
        ]
        let foot = ["", "No further mail is sent for 24 hours, unless `monitoring -resumeAPINotifications` is given."]
        return MailMessage(
            date: MailDate(time), recipients: account.monitoring.recipients,
            subject: "API monitoring of account \(account.name)",
            text: (head + lines + foot).map { $0.showingControls() + "\n" }.joined())
    }
}
