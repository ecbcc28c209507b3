internal import Dispatch
internal import Documents

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Ends connections that do not bring a whole request in time, byte by byte though they may (R23.6).
///
/// The library ends those on which nothing happens; this ends those on which too little does.
final class ConnectionDeadlines: Sendable {
    // By socket: when the connection began, or its latest request was answered; in seconds of a clock that never turns back.
    private let starts = Lock<[Int32: Int]>([:])
    private let seconds: Int

    /// - Parameter seconds: How long a request may take.
    init(seconds: Int) {
        self.seconds = seconds
        watch()
    }

    // Goes on as long as anybody has the deadlines.
    private func watch() {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(250)) { [weak self] in
            self?.endLate()
            self?.watch()
        }
    }

    /// Notes that a request may begin on a socket.
    func begin(_ socket: Int32) { starts.withLock { $0[socket] = Self.now } }

    /// Notes that a socket is about to be closed.
    func end(_ socket: Int32) { starts.withLock { $0[socket] = nil } }

    // A socket is closed only after `end`, so under the lock no other connection has its number.
    private func endLate() {
        let now = Self.now
        starts.withLock { starts in
            for (socket, start) in starts where now - start > seconds {
                shutdown(socket, Int32(SHUT_RDWR))
                starts[socket] = nil
            }
        }
    }

    private static var now: Int {
        var time = timespec()
        // SAFETY: the system fills in the time.
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec
    }
}
