internal import Accounts
internal import HTTP
package import PolicyEngine
package import Scenarios

/// A simulated service of one account: it has no socket and reads no clock. It takes requests and
/// the time, and gives answers (R23).
///
/// For one thread at a time.
package struct StandIn {
    let settings: Settings
    let account: ServedAccount
    var clock: ServiceClock
    var outage = OutageSettings()
    var reports = TokenReports()
    // When something happened last.
    private(set) var latest: Instant
    // The number of attestations that were answered.
    private(set) var answered = 0
    private var state: StateFile?

    /// The settings of a service.
    package struct Settings: Sendable {
        /// The account as it is at the start.
        package var account: Account
        /// The devices that a test may name by their group.
        package var population: PopulationRecords?
        /// The version of the tool, for metrics.
        package var version = ""

        /// Makes the settings of an account.
        package init(account: Account) {
            self.account = account
        }
    }

    /// The user who gives a management command.
    struct Manager: Hashable, Sendable {
        /// The user whose management token it is; `nil` for whoever has the API key of an account without users.
        var user: UserRole?

        /// The manager in a context.
        func act(in context: inout CommandContext) {
            if let user { context.act(as: user) }
        }
    }

    /// Makes a service that no device has attested to.
    ///
    /// - Parameter real: The time of the system's clock.
    package init(_ settings: Settings, clock: ServiceClock, at real: Instant) {
        self.settings = settings
        self.clock = clock
        account = ServedAccount(settings.account)
        latest = clock.now(real, notBefore: Instant(secondsSinceEpoch: .min))
    }

    /// Makes a service that continues where another one ended, and keeps what happens.
    ///
    /// - Parameter state: Its events are carried out again, and new ones are added.
    /// - Throws: ``StateFailure`` where they cannot be read or make no sense.
    /// - Complexity: O(events).
    package init(
        _ settings: Settings, clock: ServiceClock, at real: Instant, state: StateFile
    ) throws(StateFailure) {
        self.init(settings, clock: .virtual(Instant(secondsSinceEpoch: .min)), at: real)
        try state.replay { event throws(StateFailure) in
            do throws(Refusal) {
                try repeatEvent(event)
            } catch {
                throw .unsound(error.message)
            }
        }
        self.clock = clock
        self.state = state
    }

    /// The current time.
    func now(_ real: Instant) -> Instant { clock.now(real, notBefore: latest) }

    /// Keeps an event before anything follows from it, so that nothing is answered that could be lost.
    ///
    /// - Throws: ``Refusal`` where it cannot be kept; nothing has changed then.
    mutating func keep(_ event: StateEvent) throws(Refusal) {
        do throws(StateFailure) {
            try state?.append(event)
        } catch {
            throw Refusal(503, "\(error)", hint: "nothing has changed")
        }
        latest = max(latest, event.time)
    }

    /// Gives the next attestation its number.
    mutating func number() -> Int {
        defer { answered += 1 }
        return answered
    }
}
