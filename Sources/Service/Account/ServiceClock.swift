package import PolicyEngine

/// The clock of a service.
package enum ServiceClock: Hashable, Sendable {
    /// That of the system.
    case system
    /// One that stands still until it is moved.
    case virtual(Instant)

    /// What time it is.
    ///
    /// - Parameters:
    ///   - real: What the system's clock says.
    ///   - latest: When something happened last: time never turns back, even where the system's clock does.
    func now(_ real: Instant, notBefore latest: Instant) -> Instant {
        switch self {
        case .system: max(real, latest)
        case .virtual(let time): max(time, latest)
        }
    }

    /// The last second that has four digits for its year.
    static let end = Instant(secondsSinceEpoch: 253_402_300_799)
}
