internal import Documents
package import PolicyEngine

/// A service for several threads: each request is answered whole before the next one is looked at.
package final class SharedService: Sendable {
    private let service: Lock<StandIn>

    /// Where a service keeps what happens.
    package struct Storage: Sendable {
        /// The file.
        package let path: String
        /// What the events depend on, as a digest of the account.
        package let origin: String

        package init(path: String, origin: String) {
            (self.path, self.origin) = (path, origin)
        }
    }

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - clock: Its clock.
    ///   - real: What the system's clock says.
    ///   - storage: Where it keeps what happens, and goes on from; `nil` for nowhere.
    /// - Throws: ``StateFailure``.
    package init(
        _ settings: StandIn.Settings, clock: ServiceClock, at real: Instant, storage: Storage? = nil
    ) throws(StateFailure) {
        if let storage {
            let state = try StateFile(path: storage.path, origin: storage.origin)
            service = Lock(try StandIn(settings, clock: clock, at: real, state: state))
        } else {
            service = Lock(StandIn(settings, clock: clock, at: real))
        }
    }

    /// Answers a request.
    ///
    /// - Parameter real: What the system's clock says.
    package func answer(_ request: HTTPRequest, at real: Instant) -> HTTPAnswer {
        service.withLock { $0.answer(request, at: real) }
    }

    /// Whether an address is one of this machine alone.
    package static func isPrivate(_ address: String) -> Bool { ListeningSocket.isLoopback(address) }
}
