internal import Synchronization

/// A request to end some work before it is done, from whatever thread; it is never taken back.
package final class Cancellation: Sendable {
    private let requested = Atomic(false)

    package init() {}

    /// Asks for the end.
    package func request() { requested.store(true, ordering: .relaxed) }

    /// True if the work has to end.
    package var isRequested: Bool { requested.load(ordering: .relaxed) }
}
