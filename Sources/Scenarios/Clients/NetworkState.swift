internal import PolicyEngine
internal import Replay

/// The network that a device is in (R14.2).
enum NetworkState: String, Hashable, Sendable, CaseIterable {
    /// Every request arrives.
    case ok
    /// There is none, and the client knows.
    case none
    /// Requests get lost.
    case poor
    /// Somebody sits between the client and the service.
    case mitm

    /// How a fetch ends that needs the network; `nil` where it arrives.
    var failure: FetchResult? {
        switch self {
        case .ok: nil
        case .none: .noNetwork
        case .poor: .poorNetwork
        case .mitm: .mitmDetected
        }
    }
}

/// Where a device moves to: a network, and who is on the way there (R18.6).
struct NetworkChange: Hashable, Sendable {
    let state: NetworkState
    /// Whoever sits between, where somebody does.
    var proxy: Proxy?
}

/// A time in which the primary service does not answer (R14.3).
struct PrimaryOutage: Sendable {
    /// The first second of it.
    let start: Instant
    /// The first second after it; `nil` where it does not end.
    let end: Instant?

    /// This outage and one that starts later: both together where that starts in this one, else that one.
    func joined(with later: PrimaryOutage) -> PrimaryOutage {
        guard let end else { return self }
        guard later.start < end else { return later }
        return PrimaryOutage(start: start, end: later.end.map { max($0, end) })
    }

    /// Who answers a client.
    ///
    /// - Returns: `nil` from the start up to the next whole minute, when the failover takes over.
    func service(at time: Instant) -> TokenService? {
        if time < start { return .primary }
        if let end, time >= end { return .primary }
        return time.minuteNumber == start.minuteNumber ? nil : .failover
    }
}
