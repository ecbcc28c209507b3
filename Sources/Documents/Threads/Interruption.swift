internal import CLibrary
internal import Synchronization

/// A request of the user or the system by SIGINT or SIGTERM, while the process waits.
package enum Interruption {
    private static let signals = [SIGINT, SIGTERM]
    private static let stepMilliseconds = 20

    /// Waits, with the signals held back.
    ///
    /// A thread that held them back before keeps doing so. Elsewhere they act again once the wait is over, unless one came.
    ///
    /// - Parameter milliseconds: The time to wait.
    /// - Returns: True if a signal came; it is then held back to the end of the process.
    package static func comes(within milliseconds: Int) -> Bool {
        var held = sigset_t()
        var before = sigset_t()
        // SAFETY: the sets are made here, and filled in by the calls.
        unsafe sigemptyset(&held)
        for signal in signals { unsafe sigaddset(&held, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
        for _ in 0..<max(1, milliseconds / stepMilliseconds) {
            if hasCome { return true }
            usleep(UInt32(stepMilliseconds) * 1000)
        }
        if hasCome { return true }
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        return false
    }

    private static var hasCome: Bool {
        var pending = sigset_t()
        // SAFETY: the set is filled in by the call.
        guard unsafe sigpending(&pending) == 0 else { return false }
        return signals.contains { unsafe sigismember(&pending, $0) == 1 }
    }
}

/// A request to end some work before it is done, from whatever thread; it is never taken back.
package final class Cancellation: Sendable {
    private let requested = Atomic(false)
    private let outer: Cancellation?

    /// The one that ends what the current thread does; the threads of ``Workers`` have that of whoever starts them.
    @TaskLocal package static var current: Cancellation?

    /// - Parameter outer: Another one that ends the same work, too.
    package init(within outer: Cancellation? = nil) { self.outer = outer }

    /// Asks for the end.
    package func request() { requested.store(true, ordering: .relaxed) }

    /// True if the work has to end.
    package var isRequested: Bool { requested.load(ordering: .relaxed) || outer?.isRequested ?? false }

    /// True if the current thread has to end what it does: somebody asked for the end, or its time is over.
    ///
    /// - Parameter deadline: When its time is over; `nil` for work that may take as long as it takes.
    package static func isDue(by deadline: ContinuousClock.Instant? = nil) -> Bool {
        current?.isRequested ?? false || deadline.map { ContinuousClock.now >= $0 } ?? false
    }

    /// Does some work that this can end.
    package func ending<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        // A task-local value is bound by what throws any error.
        let result = Self.$current.withValue(self) { () -> Swift.Result<Result, Failure> in
            do throws(Failure) {
                return .success(try body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
