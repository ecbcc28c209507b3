package import PolicyEngine

/// The clock of a service.
package enum ServiceClock: Hashable, Sendable {
    /// That of the system.
    case system
    /// One that does not move by itself.
    case virtual(Instant)

    /// The current time.
    ///
    /// - Parameters:
    ///   - real: The time of the system's clock.
    ///   - latest: The time of the latest event: time never turns back, even if the system's clock does.
    func now(_ real: Instant, notBefore latest: Instant) -> Instant {
        switch self {
        case .system: max(real, latest)
        case .virtual(let time): max(time, latest)
        }
    }

    /// The last second that has four digits for its year.
    static let end = Instant(secondsSinceEpoch: 253_402_300_799)
}
