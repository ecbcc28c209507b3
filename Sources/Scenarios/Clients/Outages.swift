internal import PolicyEngine

/// A time in which a service does not answer (R14.3, R20).
struct Outage: Sendable {
    /// The first second of it.
    let start: Instant
    /// The first second after it; `nil` where it does not end.
    let end: Instant?

    /// This outage and one that starts later: both together where that starts in this one, else that one.
    func joined(with later: Outage) -> Outage {
        guard let end else { return self }
        guard later.start < end else { return later }
        return Outage(start: start, end: later.end.map { max($0, end) })
    }

    /// True if the outage lasts at a time.
    func covers(_ time: Instant) -> Bool { start <= time && (end.map { time < $0 } ?? true) }
}

/// The outages of a scenario, of the primary service and of the failover.
package struct Outages: Sendable {
    private var primary: Outage?
    private var failover: Outage?

    /// Whose outage it is.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case primary, failover, all
    }

    /// Lets an outage start.
    mutating func start(_ outage: Outage, of kind: Kind) {
        if kind != .failover { primary = primary.map { $0.joined(with: outage) } ?? outage }
        if kind != .primary { failover = failover.map { $0.joined(with: outage) } ?? outage }
    }

    /// The service that answers a client at a time.
    ///
    /// - Returns: `nil` from the start of an outage of the primary service up to the next whole minute, when the failover
    ///   takes over, and while that does not answer either.
    func service(at time: Instant) -> TokenService? {
        guard let primary, primary.covers(time) else { return .primary }
        if time < TokenService.failoverStart(afterOutageAt: primary.start) { return nil }
        return failover?.covers(time) == true ? nil : .failover
    }
}
