internal import Documents
package import HTTP
package import PolicyEngine

/// A service for several threads: requests are carried out one by one, and read side by side.
package final class SharedService: Sendable {
    private let service: Lock<StandIn>

    /// The storage of a service's events.
    package struct Storage: Sendable {
        /// The file.
        package let path: String
        /// The origin of the events: a digest of the account.
        package let origin: String

        package init(path: String, origin: String) {
            (self.path, self.origin) = (path, origin)
        }
    }

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - real: The time of the system's clock.
    ///   - storage: The storage that it keeps events in, and continues from; `nil` for none.
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
    /// - Parameter real: The time of the system's clock.
    package func answer(_ request: HTTPRequest, at real: Instant) -> HTTPAnswer {
        do throws(Refusal) {
            let routed = try RoutedRequest(request)
            let call = try service.withLock { service throws(Refusal) in try service.admit(routed, at: real) }
            let deed = try routed.route.reading(call)
            // Whoever was admitted may not be any more, and what is out may have changed.
            return try service.withLock { service throws(Refusal) in
                try deed(&service, try service.admit(routed, at: real))
            }
        } catch {
            return error.answer
        }
    }
}
